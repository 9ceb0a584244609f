import Machine
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Vault

@Suite struct `The door of the vault` {
  private let memory = MemoryPlace()

  @Test func `The door of the vault stays shut without a passphrase, and opens with it`()
    async throws
  {
    let made = try await Vault.make(passphrase("an old tune"), in: memory.place, at: 0)
    let door = VaultDoor(nil, in: memory.place, now: { 0 })
    #expect(await error { try await door.vault() } == .sealed)
    #expect(await error { try await door.unseal(Secret("a new tune")) } == .wrongKey)
    #expect(await error { try await door.vault() } == .sealed)
    try await door.unseal(Secret("an old tune"))
    #expect(try await door.vault().mark == made.mark)
    try await door.unseal(Secret("whatever"))
    #expect(try await door.vault().mark == made.mark)
  }

  @Test func `The door of the vault opens once, however many wait`() async throws {
    _ = try await Vault.make(passphrase("tune"), in: memory.place, at: 0)
    let loads = Mutex(0)
    let (load, replace) = (memory.place.load, memory.place.replace)
    let place = KeyTablePlace(
      load: { () async throws(VaultError) in
        loads.withLock { $0 += 1 }
        return try await load()
      }, replace: replace)
    let door = VaultDoor(passphrase("tune"), in: place, now: { 0 })
    let vaults = try await withThrowingTaskGroup(of: Vault.self) { group in
      for _ in 0..<20 { group.addTask { try await door.vault() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(vaults.count == 20 && vaults.allSatisfy { $0 === vaults[0] })
    #expect(loads.withLock { $0 } == 1)
  }

  /// Two operators hand over the passphrase while a wrong one is still being tried.
  @Test func `the vault is opened once when several passphrases come after a wrong one`()
    async throws
  {
    _ = try await Vault.make(passphrase("tune"), in: memory.place, at: 0)
    let loads = Mutex(0)
    let (held, release) = AsyncStream.makeStream(of: Never.self)
    let (load, replace) = (memory.place.load, memory.place.replace)
    let place = KeyTablePlace(
      load: { () async throws(VaultError) in
        let isFirst = loads.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { for await _ in held {} }
        return try await load()
      }, replace: replace)
    let door = VaultDoor(nil, in: place, now: { 0 })
    let wrong = Task { await error { try await door.unseal(Secret("noise")) } }
    while loads.withLock({ $0 }) == 0 { await Task.yield() }
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let right = (0..<2).map { _ in
      Task {
        start.yield()
        try await door.unseal(Secret("tune"))
      }
    }
    var starts = started.makeAsyncIterator()
    for _ in 0..<2 { await starts.next() }
    // The door takes them in turn: when it has answered this, both wait for the wrong one.
    await door.takeTurn()
    release.finish()
    #expect(await wrong.value == .wrongKey)
    for one in right { try await one.value }
    #expect(loads.withLock { $0 } == 2)
    #expect(await door.check() == .open)
  }

  @Test func `The door of the vault tries a key file again after a fault was mended`() async throws
  {
    let folder = try TestSupport.TemporaryFolder()
    try folder.write([1, 2, 3], to: "vault.key")
    let key = folder.path("vault.key")
    let door = VaultDoor(.keyFile(path: key), in: memory.place, now: { 0 })
    #expect(await error { try await door.vault() } == .tooShort(path: key))
    try folder.write(Array(1...32), to: "vault.key")
    #expect(try await door.vault().activeKey == 1)
  }

  @Test func `checking the vault does not create one and tells why it is locked`() async throws {
    let door = VaultDoor(nil, in: memory.place, now: { 0 })
    #expect(await door.check() == .unused)
    #expect(memory.bytes == nil)
    _ = try await Vault.make(passphrase("tune"), in: memory.place, at: 0)
    #expect(await door.check() == .locked(.sealed))
    #expect(await error { try await door.unseal(Secret("noise")) } == .wrongKey)
    for _ in 0..<2 { #expect(await door.check() == .locked(.wrongKey)) }
    try await door.unseal(Secret("tune"))
    #expect(await door.check() == .open)
  }

  @Test func `an open vault stays open when its root key changes, until there is a new data key`()
    async throws
  {
    let changer = try await Vault.make(passphrase("old"), in: memory.place, at: 0)
    let door = VaultDoor(passphrase("old"), in: memory.place, now: { 0 })
    #expect(await door.check() == .open)
    try await changer.addKey(at: 1)
    #expect(await door.check() == .open)
    #expect(try await door.vault().activeKey == 2, "it takes the new data key over")
    try await changer.changeRoot(to: passphrase("new"))
    #expect(await door.check() == .open)
    try await changer.addKey(at: 2)
    #expect(await door.check() == .locked(.wrongKey), "what is sealed now stays closed to it")
    memory.bytes = nil
    #expect(await door.check() == .open, "a table that cannot be read takes no key away")
  }

  @Test func `the vault stores its count of uses and tells when a new key is due`()
    async throws
  {
    let folder = try TestSupport.TemporaryFolder()
    let (key, memory) = (folder.path("vault.key"), MemoryPlace())
    let door = VaultDoor(.keyFile(path: key), in: memory.place, now: { 0 })
    try await door.leave()
    #expect(await !door.isDueForNewKey(at: Int64.max))
    try await door.vault().state.withLock { $0.uncounted[1] = 1 << 28 }
    #expect(await door.isDueForNewKey(at: 0))
    try await door.leave()
    let next = VaultDoor(.keyFile(path: key), in: memory.place, now: { 0 })
    _ = try await next.vault()
    #expect(await next.isDueForNewKey(at: 0))
  }
}

@Suite struct `What the vault says` {
  @Test func `What the vault says: is plain, and different for each reason`() {
    let (path, file) = ("/p", MachineError(code: 2, attempt: "open", subject: "/q"))
    let all: [VaultError] = [
      .wrongKey, .missingKeyFile(path: path), .openToOthers(path: path),
      .folderOpenToOthers(path: path), .ownedBySomeoneElse(path: path), .isALink(path: path),
      .notAFile(path: path), .tooShort(path: path), .tooLong(path: path), .emptyPassphrase,
      .otherRoot(wanted: "passphrase"), .weakParameters, .excessiveParameters, .noKeyTable,
      .keyTableExists, .keyTableLost, .busy, .keyInUse(1), .tooManyKeys, .damaged(.keyTable),
      .damaged(.record),
      .otherFormat(.keyTable), .otherFormat(.record), .unknownKey(1), .secretTooLong,
      .nameTooLong, .sealed, .file(file), .placeFailed("no database"), .unavailable("AES-GCM"),
    ]
    #expect(Set(all.map(\.description)).count == all.count)
    #expect(all.allSatisfy { !$0.description.isEmpty && $0.description.last != "." })
  }
}

extension VaultDoor {
  fileprivate func takeTurn() {}
}
