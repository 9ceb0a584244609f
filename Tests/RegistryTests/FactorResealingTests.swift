import AppSupport
import Circulation
import Crypto
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite(.timeLimit(.minutes(3))) struct `Keys of apps, sealed anew` {
  private struct Enrolled {
    let patron: Patron
    let app: Authenticator
  }

  /// Readers who sign in with codes; the code of the step before the present one is used up.
  private func enrol(_ names: [String], _ house: House) async throws -> [Enrolled] {
    house.clock.advance(by: 1_700_000_000_000)
    let registry = house.registry()
    var enrolled: [Enrolled] = []
    for name in names {
      let patron = try await registry.patron(named: name)
      _ = try await registry.link(patron, "212340000000\(10 + enrolled.count)")
      guard
        case .begun(let key) = try await registry.beginFactor(
          of: patron, issuer: "Town", by: name, request: "r")
      else { throw RegistryError.noSuchPatron("is enrolled already") }
      let app = key.text.revealText { Authenticator($0) }
      _ = try #require(
        try await registry.confirmFactor(
          of: patron.id, with: Secret(app.code(at: house.clock.now, steps: -1)), by: name,
          request: "r"))
      enrolled.append(Enrolled(patron: patron, app: app))
    }
    return enrolled
  }

  /// As the release before sealed it.
  private func age(_ one: Enrolled, _ house: House) async throws {
    let id = one.patron.id.rawValue
    let key = try #require(
      try await house.registry().factorKey(of: one.patron.id, isConfirmed: true))
    let sealed = try FieldSealing.seal(
      key, as: Array("factor\0\(id)".utf8), try await house.vault().subkey("carrel/second-factor"))
    try await house.run(
      "UPDATE registry_factor SET sealed = \(sealed), version = NULL WHERE patron = \(id)")
  }

  private func registry(_ house: House, _ vault: Vault) -> Registry {
    Registry(
      store: house.store, vault: { () throws(VaultError) in vault }, now: { house.clock.now },
      ended: { _, _ in })
  }

  /// Those whose app opens nothing, a step later each time.
  private func shutOut(_ all: [Enrolled], _ registry: Registry, _ house: House) async throws
    -> [String]
  {
    house.clock.advance(by: 30_000)
    var out: [String] = []
    for one in all {
      let proof = try await registry.useCode(
        Secret(one.app.code(at: house.clock.now)), of: one.patron.id, request: "r")
      if proof != .timed { out.append(one.patron.name) }
    }
    return out
  }

  private func numbers(_ house: House) async throws -> [Int] {
    let blobs = try await house.store.read { snapshot throws(DatabaseError) in
      try snapshot.rows("SELECT sealed FROM registry_factor") {
        row throws(DatabaseError) -> [UInt8] in try row[0]
      }
    }
    return try blobs.map { try Vault.keyNumber(of: $0) }
  }

  @Test(arguments: Engine.allCases)
  func `two-factor keys that are sealed anew open as before, and not with their old key`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let all = try await enrol(["Ada", "Berta", "Cleo"], house)
      // One of the release before: the seed alone opened it.
      try await age(all[0], house)
      #expect(try await shutOut(all, house.registry(), house) == [])
      let vault = try await house.vault()
      try await vault.addKey(at: 0)
      let done = try await registry(house, vault).reseal(request: "r", rowsAtOnce: 2)
      #expect(done.resealed == 6 + 3 && done.unreadable == [] && done.retired == [1])
      #expect(try await numbers(house) == [2, 2, 2])
      #expect(try await shutOut(all, house.registry(), house) == [])
      // The seed does not open it any more, and neither does the key that is gone.
      let sealed = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.value(
          "SELECT sealed FROM registry_factor WHERE patron = \(all[0].patron.id.rawValue)",
          as: [UInt8].self)
      }
      let seed = try vault.subkey("carrel/second-factor")
      let name = Array("factor\0\(all[0].patron.id.rawValue)".utf8)
      #expect(throws: CryptoError.self) { _ = try FieldSealing.open(sealed, as: name, seed) }
      let again = try await registry(house, vault).reseal(request: "r")
      #expect(again.resealed == 0 && again.retired == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an interrupted resealing of two-factor keys continues and locks no reader out`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let all = try await enrol(["Ada", "Berta", "Cleo", "Dora", "Emmy"], house)
      for one in all.prefix(2) { try await age(one, house) }
      try await house.vault().addKey(at: 0)
      var resealed = 0
      // A process each time, which dies after one step.
      for _ in 0..<2 {
        let vault = try await house.vault()
        var progress = Resealing()
        #expect(try await registry(house, vault).resealFactors(2, &progress, vault, "r"))
        resealed += progress.resealed
        #expect(try await shutOut(all, house.registry(), house) == [])
      }
      let rest = try await house.registry().reseal(request: "r")
      #expect(resealed == 4 && rest.resealed == 10 + 1 && rest.retired == [1])
      #expect(try await shutOut(all, house.registry(), house) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Keys of apps, sealed anew pass over what is damaged, and keep its key`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let all = try await enrol(["Ada", "Berta"], house)
      let id = all[0].patron.id.rawValue
      try await house.run("UPDATE registry_factor SET version = 9 WHERE patron = \(id)")
      let vault = try await house.vault()
      try await vault.addKey(at: 0)
      let done = try await registry(house, vault).reseal(request: "r", rowsAtOnce: 1)
      #expect(done.resealed == 4 + 1 && done.retired == [])
      #expect(
        done.unreadable == [Resealing.Row(account: AccountID("factor/\(id)"), field: "code")])
      #expect(vault.keyNumbers == [1, 2])
      #expect(try await shutOut(all, house.registry(), house) == ["Ada"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Keys of apps, sealed anew reach a gateway that has not heard of the new key`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let all = try await enrol(["Ada"], house)
      let (stale, fresh) = (try await house.vault(), try await house.vault())
      try await fresh.addKey(at: 0)
      _ = try await registry(house, fresh).reseal(request: "r")
      #expect(stale.keyNumbers == [1] && fresh.keyNumbers == [2])
      #expect(try await shutOut(all, registry(house, stale), house) == [])
      // Nor does one seal with a key that is retired.
      let late = try await house.vault()
      try await fresh.addKey(at: 0)
      _ = try await registry(house, fresh).reseal(request: "r")
      let berta = try await house.registry().patron(named: "Berta")
      _ = try await registry(house, late).beginFactor(
        of: berta, issuer: "Town", by: "Berta", request: "r")
      #expect(try await numbers(house) == [3, 3])
    }
  }
}
