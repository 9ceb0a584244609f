import Foundation
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Vault

/// Each change of keys is tried again and again, and dies one step later every time. What was sealed
/// before must open afterwards, and the next try must succeed.
@Suite(.timeLimit(.minutes(3))) struct `A change of keys that is interrupted loses nothing` {
  @Test
  func `an interruption while a data key is added loses nothing from the vault`() async throws {
    try await interrupt { vault, _ in try await vault.addKey(at: 1) }
  }

  @Test
  func `an interruption while a data key is retired loses nothing from the vault`() async throws {
    try await interrupt(
      before: { try await $0.addKey(at: 1) }, { vault, _ in try await vault.retire(1) })
  }

  @Test
  func `an interruption while the key file is changed loses nothing from the vault`() async throws {
    let deaths = try await interrupt { vault, key in try await vault.changeKeyFile(at: key) }
    #expect(deaths >= 5)
  }

  @Test
  func `an interrupted switch to another key file loses nothing from the vault`() async throws {
    try await interrupt { vault, key in
      try KeyFile(path: "\(key).other").makeIfMissing()
      try await vault.changeRoot(to: .keyFile(path: "\(key).other"))
    }
  }

  @Test
  func `an interrupted switch from a key file to a passphrase loses nothing from the vault`()
    async throws
  {
    try await interrupt { vault, _ in try await vault.changeRoot(to: passphrase("tune")) }
  }

  @discardableResult
  private func interrupt(
    before: (Vault) async throws -> Void = { _ in },
    _ change: (Vault, String) async throws -> Void
  ) async throws -> Int {
    for step in 0..<30 {
      let (folder, death) = (try TestSupport.TemporaryFolder(), Death(atStep: step))
      defer { withExtendedLifetime(folder) {} }
      let key = folder.path("vault.key")
      let place = KeyTablePlace.file(folder.path("vault.keys"))
      let first = try await Vault.openOrMake(.keyFile(path: key), in: place, at: 0)
      var collection = Collection()
      try await before(first)
      try collection.add(20, to: first)
      let ended = await attempt(key, death.threatening(place), change)

      let survivor = try await reopened(key, place)
      #expect(collection.lost(in: survivor) == [], "died at step \(step)")
      try await change(survivor, key)
      #expect(collection.lost(in: try await reopened(key, place)) == [])
      #expect(!FileManager.default.fileExists(atPath: "\(key).next"))
      if ended { return step }
    }
    Issue.record("the change never ended")
    return 30
  }

  private func attempt(
    _ key: String, _ place: KeyTablePlace, _ change: (Vault, String) async throws -> Void
  ) async -> Bool {
    do {
      try await change(try await Vault.open(.keyFile(path: key), in: place), key)
      return true
    } catch {
      return false
    }
  }

  /// With whichever root key is the right one; whoever changes it has both at hand.
  private func reopened(_ key: String, _ place: KeyTablePlace) async throws -> Vault {
    let sources: [RootSource] = [
      .keyFile(path: key), .keyFile(path: "\(key).other"), passphrase("tune"),
    ]
    for source in sources {
      do throws(VaultError) {
        return try await Vault.open(source, in: place)
      } catch {
        switch error {
        case .wrongKey, .otherRoot, .missingKeyFile: continue
        default: throw error
        }
      }
    }
    throw VaultError.wrongKey
  }
}

@Suite struct `A change of keys whose end nobody saw` {
  @Test func `A change of keys whose end nobody saw can be tried again by the same process`()
    async throws
  {
    let (folder, memory) = (try TestSupport.TemporaryFolder(), MemoryPlace())
    let key = folder.path("vault.key")
    let made = try await Vault.openOrMake(.keyFile(path: key), in: memory.place, at: 0)
    var collection = Collection()
    try collection.add(3, to: made)
    // The replacement is made, and the answer is lost.
    let mute = Mutex(true)
    let replace = memory.place.replace
    let place = KeyTablePlace(
      load: memory.place.load,
      replace: { old, new async throws(VaultError) in
        let done = try await replace(old, new)
        if mute.withLock({ $0 }) { throw .placeFailed("no answer") }
        return done
      })
    let vault = try await Vault.open(.keyFile(path: key), in: place)
    #expect(
      await error { try await vault.changeKeyFile(at: key) } == .placeFailed("no answer"))
    #expect(await error { try await vault.addKey(at: 0) } == .placeFailed("no answer"))
    mute.withLock { $0 = false }
    try await vault.changeKeyFile(at: key)
    try await vault.addKey(at: 0)
    #expect(vault.keyNumbers == [1, 2, 3])
    #expect(collection.lost(in: vault) == [])
    let reopened = try await Vault.open(.keyFile(path: key), in: memory.place)
    #expect(collection.lost(in: reopened) == [])
    withExtendedLifetime(folder) {}
  }
}

@Suite struct `Two key files after a crash` {
  let folder: TestSupport.TemporaryFolder
  let memory = MemoryPlace()

  init() throws { folder = try TestSupport.TemporaryFolder() }

  private var key: String { folder.path("vault.key") }
  private var hasBoth: Bool { FileManager.default.fileExists(atPath: "\(key).next") }

  @Test func `Two key files after a crash become the newer one, if that locked the table`()
    async throws
  {
    try folder.write(Array(1...32), to: "vault.key.next")
    let newer = RootSource.keyFile(path: "\(key).next")
    _ = try await Vault.openOrMake(newer, in: memory.place, at: 0)
    try folder.write([UInt8](repeating: 1, count: 32), to: "vault.key")
    _ = try await Vault.open(.keyFile(path: key), in: memory.place)
    #expect(try folder.read("vault.key") == Array(1...32))
    #expect(!hasBoth)
  }

  @Test func `Two key files after a crash become the older one, if the table was not changed yet`()
    async throws
  {
    _ = try await Vault.openOrMake(.keyFile(path: key), in: memory.place, at: 0)
    let present = try folder.read("vault.key")
    try folder.write(Array(1...32), to: "vault.key.next")
    _ = try await Vault.open(.keyFile(path: key), in: memory.place)
    #expect(try folder.read("vault.key") == present)
    #expect(!hasBoth)
  }

  @Test func `Two key files after a crash stay both while somebody is changing them`() async throws
  {
    _ = try await Vault.openOrMake(.keyFile(path: key), in: memory.place, at: 0)
    try folder.write(Array(1...32), to: "vault.key.next")
    let lock = try locked(key)
    _ = try await Vault.open(.keyFile(path: key), in: memory.place)
    #expect(hasBoth)
    _ = consume lock
  }

  @Test func `Two key files after a crash stay both if neither is right`() async throws {
    let place = MemoryPlace().place
    try folder.write(Array(1...32), to: "other.key")
    _ = try await Vault.openOrMake(.keyFile(path: folder.path("other.key")), in: place, at: 0)
    try folder.write([UInt8](repeating: 1, count: 32), to: "vault.key")
    try folder.write([UInt8](repeating: 2, count: 32), to: "vault.key.next")
    #expect(await error { try await Vault.open(.keyFile(path: key), in: place) } == .wrongKey)
    #expect(await error { try await KeyFile(path: key).settle(in: place) } == .wrongKey)
    let none = MemoryPlace().place
    #expect(await error { try await KeyFile(path: key).settle(in: none) } == .noKeyTable)
    #expect(hasBoth)
  }
}
