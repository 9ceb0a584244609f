import Circulation
import Database
import Secrets
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite(.timeLimit(.minutes(5))) struct `Sealing everything anew` {
  @Test(arguments: Engine.allCases)
  func `Sealing everything anew leaves every secret readable, and no old key`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let accounts = try await linked(12, house)
      let vault = try await house.vault()
      try await vault.addKey(at: 0)
      let registry = registry(house, vault)
      let done = try await registry.reseal(request: "r", rowsAtOnce: 5)
      #expect(done.resealed == 24 && done.unreadable == [] && done.retired == [1])
      #expect(vault.keyNumbers == [2])
      #expect(try await lost(accounts, house.registry()) == [])
      #expect(try await Vault.keyNumber(of: blob(house, accounts[0].0, "pin")) == 2)
      let again = try await registry.reseal(request: "r")
      #expect(again.resealed == 0 && again.retired == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Sealing everything anew goes on where it was interrupted`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let accounts = try await linked(6, house)
      try await house.vault().addKey(at: 0)
      var resealed = 0
      // A process each time, which dies after one step.
      for _ in 0..<3 {
        let vault = try await house.vault()
        var progress = Resealing()
        _ = try await registry(house, vault).resealSome(3, &progress, vault, "r")
        resealed += progress.resealed
        #expect(try await lost(accounts, house.registry()) == [])
      }
      let rest = try await house.registry().reseal(request: "r")
      #expect(resealed == 9 && rest.resealed == 3 && rest.retired == [1])
      #expect(try await lost(accounts, house.registry()) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Sealing everything anew loses nothing wherever it dies`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let accounts = try await linked(4, house)
      var survived = false
      for step in 0..<30 where !survived {
        survived = await dies(at: step, house)
        #expect(try await lost(accounts, house.registry()) == [], "died at step \(step)")
      }
      #expect(survived)
      _ = try await house.registry().reseal(request: "r")
      #expect(try await house.vault().keyNumbers.count == 1)
      #expect(try await lost(accounts, house.registry()) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Sealing everything anew passes over what is damaged, and keeps its key`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let accounts = try await linked(3, house)
      let damaged = accounts.map(\.0).min()!
      try await house.run(
        "UPDATE account_secret SET version = 9 WHERE account = \(damaged.rawValue)")
      let vault = try await house.vault()
      try await vault.addKey(at: 0)
      let registry = registry(house, vault)
      let done = try await registry.reseal(request: "r", rowsAtOnce: 1)
      #expect(done.resealed == 4 && done.retired == [])
      #expect(
        done.unreadable == ["card", "pin"].map { Resealing.Row(account: damaged, field: $0) })
      #expect(vault.keyNumbers == [1, 2])
      #expect(try await lost(accounts.filter { $0.0 != damaged }, registry) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a gateway that missed a resealing takes the new key before it seals a secret`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let ada = try await house.registry().patron(named: "Ada")
      let (stale, fresh) = (try await house.vault(), try await house.vault())
      let behind = registry(house, stale)
      let first = try await behind.link(ada, "21234000000018")
      try await fresh.addKey(at: 0)
      _ = try await registry(house, fresh).reseal(request: "r")
      #expect(stale.keyNumbers == [1] && fresh.keyNumbers == [2])

      let second = try await behind.link(ada, "21234000000026")
      #expect(stale.keyNumbers == [2])
      let accounts = [(first.id, "21234000000018"), (second.id, "21234000000026")]
      #expect(try await lost(accounts, house.registry()) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Sealing everything anew reaches a gateway that only reads`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let accounts = try await linked(2, house)
      let stale = registry(house, try await house.vault())
      #expect(try await lost(accounts, stale) == [])
      try await house.vault().addKey(at: 0)
      _ = try await house.registry().reseal(request: "r")
      #expect(try await lost(accounts, stale) == [])
      #expect(
        try await stale.audit(of: accounts[0].0).allSatisfy { $0.action != .fail })
    }
  }

  @Test(arguments: Engine.allCases)
  func `Sealing everything anew stops when its own key is retired under it`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      _ = try await linked(2, house)
      let vault = try await house.vault()
      var progress = Resealing()
      try await house.run(
        "INSERT INTO vault_retired_key (vault, number) VALUES (\(vault.mark), \(1))")
      let failure = await error {
        try await registry(house, vault).resealSome(5, &progress, vault, "r")
      }
      #expect(failure == .vault(.unknownKey(1)))
    }
  }

  @Test(arguments: Engine.allCases)
  func `Sealing everything anew says so where a key is gone for good`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let accounts = try await linked(1, house)
      let vault = try await house.vault()
      try await vault.addKey(at: 0)
      try await vault.retire(1)
      #expect(
        await error { try await registry(house, vault).texts(of: accounts[0].0) }
          == .vault(.unknownKey(1)))
    }
  }

  private func registry(_ house: House, _ vault: Vault) -> Registry {
    Registry(
      store: house.store, vault: { () throws(VaultError) in vault }, now: { 7 }, ended: { _, _ in })
  }

  private func linked(_ count: Int, _ house: House) async throws -> [(AccountID, String)] {
    let registry = house.registry()
    let ada = try await registry.patron(named: "Ada")
    var accounts: [(AccountID, String)] = []
    for index in 0..<count {
      let number = "212340000000\(10 + index)"
      accounts.append((try await registry.link(ada, number).id, number))
    }
    return accounts
  }

  private func lost(
    _ accounts: [(AccountID, String)], _ registry: Registry
  ) async throws -> [String] {
    var lost: [String] = []
    for (id, number) in accounts
    where try await registry.texts(of: id) != ["card": number, "pin": "1234"] {
      lost.append(number)
    }
    return lost
  }

  /// A new key and all rows under it, by a process that dies at that step of what it asks of the key
  /// table. False where it died.
  private func dies(at step: Int, _ house: House) async -> Bool {
    let (left, place) = (Counter(), house.place)
    @Sendable func check() throws(VaultError) {
      left.add()
      if left.count > step { throw .placeFailed("interrupted") }
    }
    let mortal = KeyTablePlace(
      load: { () async throws(VaultError) in
        try check()
        return try await place.load()
      },
      replace: { old, new async throws(VaultError) in
        try check()
        let done = try await place.replace(old, new)
        try check()
        return done
      })
    do {
      let vault = try await Vault.open(.keyFile(path: house.keyFile), in: mortal)
      try await vault.addKey(at: 0)
      _ = try await registry(house, vault).reseal(request: "r", rowsAtOnce: 3)
      return true
    } catch {
      return false
    }
  }
}

@Suite struct `The key table in the database` {
  @Test(arguments: Engine.allCases)
  func `The key table in the database is replaced only by who knows the present one`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house async throws in
      let place = house.place
      #expect(try await place.load() == nil)
      #expect(try await !place.replace([9], [1]))
      #expect(try await place.replace(nil, [1]))
      #expect(try await !place.replace(nil, [2]))
      #expect(try await !place.replace([2], [3]))
      #expect(try await place.replace([1], [2]))
      #expect(try await place.load() == [2])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The key table in the database takes the keys of all gateways that change it at once`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let first = try await house.vault()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          let vault = try await house.vault()
          group.addTask { try await vault.addKey(at: 0) }
        }
        try await group.waitForAll()
      }
      try await first.refresh()
      #expect(first.keyNumbers == [1, 2, 3, 4])
    }
  }
}
