import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Vault

@Suite struct `A change of keys` {
  let folder: TestSupport.TemporaryFolder

  init() throws { folder = try TestSupport.TemporaryFolder() }

  private var key: String { folder.path("vault.key") }
  private var file: RootSource { .keyFile(path: key) }

  @Test func `A change of keys of data keys leaves old records readable`() async throws {
    let place = KeyTablePlace.file(folder.path("vault.keys"))
    let vault = try await Vault.openOrMake(file, in: place, at: 0)
    var collection = Collection()
    try collection.add(5, to: vault)
    try await vault.addKey(at: 10)
    try collection.add(5, to: vault)
    #expect(vault.activeKey == 2 && vault.keyNumbers == [1, 2])
    #expect(
      try collection.records.map { try Vault.keyNumber(of: $0.blob) }.suffix(5)
        == .init(
          repeating: 2, count: 5))
    #expect(collection.lost(in: vault) == [])
    #expect(collection.lost(in: try await Vault.open(file, in: place)) == [])
  }

  @Test func `A change of keys retires what is no longer used, and nothing else`() async throws {
    let vault = try await Vault.openOrMake(file, in: MemoryPlace().place, at: 0)
    #expect(await error { try await vault.retire(1) } == .keyInUse(1))
    #expect(await error { try await vault.retire(0) } == .keyInUse(0))
    #expect(await error { try await vault.retire(70_000) } == .unknownKey(70_000))
    try await vault.addKey(at: 0)
    try await vault.retire(1)
    try await vault.retire(1)
    #expect(vault.keyNumbers == [2])
    try await vault.addKey(at: 0)
    #expect(vault.keyNumbers == [2, 3])
  }

  @Test func `A change of keys leaves the keys for other jobs as they are`() async throws {
    let vault = try await Vault.openOrMake(file, in: MemoryPlace().place, at: 0)
    let card = Secret("21234000000018")
    let (index, mark) = (vault.index(of: card), vault.mark)
    try await vault.changeKeyFile(at: key)
    try await vault.addKey(at: 0)
    try await vault.retire(1)
    #expect(vault.index(of: card) == index && vault.mark == mark)
  }

  @Test func `A change of keys is due after a year`() async throws {
    let year: Int64 = 365 * 86_400_000
    let vault = try await Vault.openOrMake(file, in: MemoryPlace().place, at: 5)
    #expect(!vault.isDueForNewKey(at: year + 4))
    #expect(vault.isDueForNewKey(at: year + 5))
    try await vault.addKey(at: year + 5)
    #expect(!vault.isDueForNewKey(at: year + 5))
  }

  @Test func `A change of keys is due after many seals, counted over restarts`() async throws {
    let memory = MemoryPlace()
    let vault = try await Vault.openOrMake(file, in: memory.place, at: 0)
    try await vault.keepCount()
    vault.state.withLock { $0.uncounted[1] = (1 << 28) - 2 }
    try await vault.keepCount()
    let again = try await Vault.open(file, in: memory.place)
    _ = try again.seal(Secret("1234"), as: somebody, version: 1)
    #expect(!again.isDueForNewKey(at: 0))
    _ = try again.seal(Secret("1234"), as: somebody, version: 1)
    #expect(again.isDueForNewKey(at: 0))
    try await again.changeKeyFile(at: key)
    #expect(try await Vault.open(file, in: memory.place).isDueForNewKey(at: 0))
  }

  @Test func `A change of keys reaches the other gateways`() async throws {
    let memory = MemoryPlace()
    let one = try await Vault.openOrMake(file, in: memory.place, at: 0)
    let two = try await Vault.open(file, in: memory.place)
    try await one.addKey(at: 0)
    let blob = try one.seal(Secret("1234"), as: somebody, version: 1)
    #expect(await error { try two.open(blob, as: somebody, version: 1) } == .unknownKey(2))
    try await two.refresh()
    #expect(try two.open(blob, as: somebody, version: 1).text == "1234")
    try await one.changeKeyFile(at: key)
    try await two.addKey(at: 0)
    try await one.refresh()
    #expect(one.keyNumbers == [1, 2, 3])
  }

  @Test func `A change of keys of a passphrase leaves other gateways working until they are told`()
    async throws
  {
    let memory = MemoryPlace()
    let one = try await Vault.openOrMake(passphrase("old"), in: memory.place, at: 0)
    let two = try await Vault.open(passphrase("old"), in: memory.place)
    var collection = Collection()
    try collection.add(2, to: two)
    try await one.changeRoot(to: passphrase("new"))
    #expect(collection.lost(in: two) == [])
    #expect(await error { try await two.refresh() } == .wrongKey)
    let told = try await Vault.open(passphrase("new"), in: memory.place)
    #expect(collection.lost(in: told) == [])
    #expect(await error { try await Vault.open(passphrase("old"), in: memory.place) } == .wrongKey)
  }

  @Test func `A change of keys goes from one kind of root key to the other`() async throws {
    let memory = MemoryPlace()
    let vault = try await Vault.openOrMake(passphrase("old"), in: memory.place, at: 0)
    var collection = Collection()
    try collection.add(2, to: vault)
    let wanted = VaultError.otherRoot(wanted: "passphrase")
    #expect(await error { try await vault.changeKeyFile(at: key) } == wanted)
    try KeyFile(path: key).makeIfMissing()
    try await vault.changeRoot(to: file)
    #expect(collection.lost(in: try await Vault.open(file, in: memory.place)) == [])
  }

  @Test func `A change of keys gives way to another that is under way`() async throws {
    let memory = MemoryPlace()
    let vault = try await Vault.openOrMake(file, in: memory.place, at: 0)
    let lock = try locked(key)
    #expect(await error { try await vault.changeKeyFile(at: key) } == .busy)
    _ = consume lock
    let place = KeyTablePlace(
      load: memory.place.load, replace: { _, _ throws(VaultError) in false })
    let unlucky = try await Vault.open(file, in: place)
    #expect(await error { try await unlucky.addKey(at: 0) } == .busy)
  }

  @Test func `A change of keys needs a table`() async throws {
    let memory = MemoryPlace()
    let vault = try await Vault.openOrMake(file, in: memory.place, at: 0)
    memory.bytes = nil
    #expect(await error { try await vault.addKey(at: 0) } == .noKeyTable)
    #expect(await error { try await vault.refresh() } == .noKeyTable)
  }

  @Test
  func `replacing a key table file is refused while another process writes it`() async throws {
    let path = folder.path("vault.keys")
    let lock = try locked(path)
    let place = KeyTablePlace.file(path)
    #expect(await error { try await place.replace(nil, [1]) } == .busy)
    _ = consume lock
    #expect(try await place.replace(nil, [1]))
    #expect(try await !place.replace(nil, [2]))
    #expect(try await place.load() == [1])
  }
}
