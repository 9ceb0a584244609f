import Foundation
import Machine
import Secrets
import TestSupport
import Testing

@testable import Vault

@Suite struct `A vault behind a key file` {
  let folder: TestSupport.TemporaryFolder
  let place: KeyTablePlace

  init() throws {
    folder = try TestSupport.TemporaryFolder()
    place = KeyTablePlace.file(folder.path("vault.keys"))
  }

  private var key: String { folder.path("vault.key") }
  private var source: RootSource { .keyFile(path: key) }

  @Test func `A vault behind a key file is made on first use, and opens from then on`() async throws
  {
    let made = try await Vault.openOrMake(source, in: place, at: 0)
    var collection = Collection()
    try collection.add(3, to: made)
    #expect(try folder.read("vault.key").count == 32)
    for name in ["vault.key", "vault.keys"] {
      #expect(try Access(of: folder.path(name)).mode == 0o600)
    }
    #expect(collection.lost(in: try await Vault.openOrMake(source, in: place, at: 0)) == [])
    #expect(collection.lost(in: try await Vault.open(source, in: place)) == [])
  }

  @Test func `A vault behind a key file keeps a key that is there`() async throws {
    try folder.write(Array(1...32), to: "vault.key")
    #expect(try KeyFile(path: key).makeIfMissing() == false)
    _ = try await Vault.openOrMake(source, in: place, at: 0)
    #expect(try folder.read("vault.key") == Array(1...32))
  }

  @Test func `A vault behind a key file is not made twice`() async throws {
    _ = try await Vault.openOrMake(source, in: place, at: 0)
    #expect(await error { try await Vault.make(source, in: place, at: 0) } == .keyTableExists)
  }

  @Test func `A vault behind a key file does not open before it was made`() async throws {
    #expect(await error { try await Vault.open(source, in: place) } == .noKeyTable)
  }

  @Test func `A vault behind a key file never makes a second key for a table that has one`()
    async throws
  {
    _ = try await Vault.openOrMake(source, in: place, at: 0)
    try FileManager.default.removeItem(atPath: key)
    let failure = await error { try await Vault.openOrMake(source, in: place, at: 0) }
    #expect(failure == .missingKeyFile(path: key))
    #expect(failure?.description == "the key file \(key) is missing")
    #expect(!FileManager.default.fileExists(atPath: key))
  }

  @Test func `A vault behind a key file refuses another key`() async throws {
    _ = try await Vault.openOrMake(source, in: place, at: 0)
    try folder.write([UInt8](repeating: 9, count: 32), to: "other.key")
    let other = RootSource.keyFile(path: folder.path("other.key"))
    #expect(await error { try await Vault.open(other, in: place) } == .wrongKey)
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o611])
  func `A vault behind a key file refuses a key open to others`(mode: Int) async throws {
    try folder.write(Array(1...32), to: "vault.key", mode: mode)
    #expect(chmod(key, UInt32(mode)) == 0)
    #expect(await refusal() == .openToOthers(path: key))
  }

  @Test func `A vault behind a key file refuses a link to a key`() async throws {
    try folder.write(Array(1...32), to: "real.key")
    try FileManager.default.createSymbolicLink(
      atPath: key, withDestinationPath: folder.path("real.key"))
    #expect(await refusal() == .isALink(path: key))
  }

  @Test(arguments: [0, 1, 31]) func `A vault behind a key file refuses a key too short`(length: Int)
    async throws
  {
    try folder.write([UInt8](repeating: 1, count: length), to: "vault.key")
    #expect(await refusal() == .tooShort(path: key))
  }

  @Test func `A vault behind a key file refuses a key too long`() async throws {
    try folder.write([UInt8](repeating: 1, count: 33), to: "vault.key")
    #expect(await refusal() == .tooLong(path: key))
  }

  @Test func `A vault behind a key file refuses what is no file`() async throws {
    try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: false)
    #expect(await refusal() == .notAFile(path: key))
    try FileManager.default.removeItem(atPath: key)
    // Reading a pipe would wait for a writer.
    #expect(mkfifo(key, 0o600) == 0)
    #expect(await refusal() == .notAFile(path: key))
  }

  @Test(arguments: [0o770, 0o702])
  func `A vault behind a key file refuses a folder others can write`(mode: Int) async throws {
    try folder.write(Array(1...32), to: "vault.key")
    #expect(chmod(folder.path, UInt32(mode)) == 0)
    #expect(await refusal() == .folderOpenToOthers(path: folder.path))
  }

  @Test(.enabled(if: geteuid() == 0))
  func `A vault behind a key file refuses a key of another account`() async throws {
    try folder.write(Array(1...32), to: "vault.key")
    #expect(chown(key, 65_534, 65_534) == 0)
    #expect(await refusal() == .ownedBySomeoneElse(path: key))
  }

  @Test func `A vault behind a key file says where the folder is missing`() async throws {
    let source = RootSource.keyFile(path: folder.path("none/vault.key"))
    let failure = await error { try await Vault.openOrMake(source, in: place, at: 0) }
    guard case .file(let cause) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(cause.isMissing)
  }

  @Test func `A vault behind a key file takes the key a service manager hands over`() async throws {
    try folder.write(Array(1...32), to: "vault.key")
    // As an access list for one account shows.
    #expect(chmod(key, 0o440) == 0)
    let credentials = RootSource.credentials(folder: folder.path)
    var collection = Collection()
    try collection.add(1, to: try await Vault.openOrMake(credentials, in: place, at: 0))
    #expect(collection.lost(in: try await Vault.open(credentials, in: place)) == [])
    #expect(chmod(key, 0o444) == 0)
    #expect(
      await error { try await Vault.open(credentials, in: place) } == .openToOthers(path: key))
  }

  @Test func `A vault behind a key file is one vault for all who make it at once`() async throws {
    let memory = MemoryPlace()
    try folder.write(Array(1...32), to: "vault.key")
    let source = source
    let marks = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 {
        group.addTask { try await Vault.openOrMake(source, in: memory.place, at: 0).mark }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(marks.count == 1)
  }

  @Test func `A vault behind a key file has its table in a file only its owner reads`() async throws
  {
    _ = try await Vault.openOrMake(source, in: place, at: 0)
    let table = folder.path("vault.keys")
    #expect(chmod(table, 0o644) == 0)
    #expect(await error { try await Vault.open(source, in: place) } == .openToOthers(path: table))
    try folder.write([UInt8](repeating: 0, count: 9 << 20), to: "vault.keys")
    #expect(await error { try await Vault.open(source, in: place) } == .damaged(.keyTable))
  }

  private func refusal() async -> VaultError? {
    await error { try await Vault.openOrMake(source, in: place, at: 0) }
  }
}

@Suite struct `A vault behind a passphrase` {
  private let memory = MemoryPlace()

  @Test func `A vault behind a passphrase opens with it, and with no other`() async throws {
    var collection = Collection()
    let made = try await Vault.openOrMake(passphrase("an old tune"), in: memory.place, at: 0)
    try collection.add(3, to: made)
    let again = try await Vault.openOrMake(passphrase("an old tune"), in: memory.place, at: 0)
    #expect(collection.lost(in: again) == [])
    let place = memory.place
    #expect(await error { try await Vault.open(passphrase("a new tune"), in: place) } == .wrongKey)
    #expect(await error { try await Vault.open(passphrase(""), in: place) } == .emptyPassphrase)
  }

  @Test func `A vault behind a passphrase takes no cost out of bounds for a new table`()
    async throws
  {
    for (n, wanted): (UInt64, VaultError) in [
      (1 << 14, .weakParameters), (1 << 21, .excessiveParameters),
    ] {
      let source = RootSource.passphrase(Secret("tune"), n: n)
      #expect(await error { try await Vault.make(source, in: memory.place, at: 0) } == wanted)
    }
  }

  @Test func `A vault behind a passphrase says which kind of key is wanted`() async throws {
    let folder = try TestSupport.TemporaryFolder()
    let file = RootSource.keyFile(path: folder.path("vault.key"))
    _ = try await Vault.openOrMake(passphrase("tune"), in: memory.place, at: 0)
    let failure = await error { try await Vault.openOrMake(file, in: memory.place, at: 0) }
    #expect(failure == .otherRoot(wanted: "passphrase"))

    let place = MemoryPlace().place
    _ = try await Vault.openOrMake(file, in: place, at: 0)
    let other = await error { try await Vault.open(passphrase("tune"), in: place) }
    #expect(other == .otherRoot(wanted: "key file"))
    withExtendedLifetime(folder) {}
  }
}
