import Circulation
import ProviderKit
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `An account` {
  @Test(arguments: Engine.allCases)
  func `An account is linked, and found by name and by id`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let account = try await registry.link(ada, "21234000000018", name: .exactly("City"))
      #expect(
        account
          == Account(
            id: account.id, patron: ada.id, name: "City", provider: someProvider,
            library: someLibrary, cardEnding: "0018", linkedAt: 1_000))
      #expect(try await registry.account(named: "cITY", of: ada.id) == account)
      #expect(try await registry.account(named: account.id.rawValue, of: ada.id) == account)
      #expect(
        try await registry.texts(of: account.id) == ["card": "21234000000018", "pin": "1234"])
      #expect(
        try await house.registry().texts(of: account.id)
          == ["card": "21234000000018", "pin": "1234"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account is its patron's alone`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      let account = try await registry.link(ada, "21234000000018")
      for name in ["city", account.id.rawValue] {
        #expect(
          await error { try await registry.account(named: name, of: bob.id) }
            == .noSuchAccount(name))
      }
      let other = try await registry.link(bob, "21234000000018")
      #expect(other.name == "city")
      #expect(try await registry.accounts(of: ada.id) == [account])
      #expect(try await registry.accounts(of: bob.id) == [other])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account has a name of its own`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let first = try await registry.link(ada, "21234000000018", name: .exactly("City"))
      #expect(
        await error { try await registry.link(ada, "21234000000026", name: .exactly("CITY")) }
          == .nameTaken("CITY"))
      #expect(
        await error { try await registry.link(ada, "21234000000026", name: .exactly("my city")) }
          == .badName("my city"))
      house.clock.advance(by: 1)
      let second = try await registry.link(ada, "21234000000026", name: .like("City"))
      #expect(second.name == "city-2")
      #expect(try await registry.accounts(of: ada.id) == [first, second])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account is linked once for each card, however it is typed`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let account = try await registry.link(ada, "A1234000000018")
      for number in ["A1234000000018", "A1234 0000 000-18", " a1234000000018\n"] {
        #expect(
          await error { try await registry.link(ada, number) } == .alreadyLinked(account))
      }
      let elsewhere = try await registry.link(ada, "A1234000000018", library: LibraryID("county"))
      #expect(elsewhere.name == "city-2")
      #expect(try await registry.accounts(of: ada.id).count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account tells its library along with others, unless it is no more`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let city = try await registry.link(ada, "A1234000000018")
      let county = try await registry.link(ada, "A1234000000018", library: LibraryID("county"))
      let libraries = try await registry.libraries(
        of: [city.id, AccountID("given-up"), county.id])
      #expect(libraries == [city.id: city.library, county.id: LibraryID("county")])
      #expect(try await registry.libraries(of: []).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account at a catalog's address is one of ten at most, and of thirty in a day`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let carol = try await registry.patron(named: "Carol")
      func link(_ number: Int, _ patron: Patron) async throws(RegistryError) -> Account {
        try await registry.link(
          patron, "A1234000000018", library: LibraryID("https://\(number).example/"))
      }
      var linked: [Account] = []
      for number in 0..<10 { linked.append(try await link(number, ada)) }
      #expect(await error { try await link(10, ada) } == .tooManyCatalogs(.linked))
      // Those of the operator are not counted, nor those of another patron.
      _ = try await registry.link(ada, "A1234000000018")
      _ = try await link(10, carol)
      for number in 0..<20 {
        try await registry.unlink(linked.removeFirst().id, request: "r")
        linked.append(try await link(20 + number, ada))
      }
      try await registry.unlink(linked.removeFirst().id, request: "r")
      #expect(await error { try await link(50, ada) } == .tooManyCatalogs(.named))
      house.clock.advance(by: 24 * 3_600_000 + 1)
      _ = try await link(50, ada)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account is linked once, however many ask at once`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let ada = try await house.registry().patron(named: "Ada")
      let registry = house.registry()
      let linked = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            do throws(RegistryError) {
              _ = try await registry.link(ada, "21234000000018")
              return true
            } catch {
              if case .alreadyLinked = error { return false }
              Issue.record(error)
              return false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(linked == 1)
      #expect(try await registry.accounts(of: ada.id).count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account shows of a short number nothing`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      #expect(try await registry.link(ada, "1234567").cardEnding == nil)
      #expect(try await registry.link(ada, "12345678").cardEnding == "5678")
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account may need no secret, and then no vault`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      for _ in 0..<2 {
        let account = try await registry.link(
          patron: ada.id, name: .like("open"), provider: someProvider, library: someLibrary,
          credentials: Credentials([:]), request: "req")
        #expect(try await registry.texts(of: account.id) == [:])
        #expect(account.cardEnding == nil)
      }
      #expect(house.opened.count == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account remembers how it goes with the library`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      for status in Account.Status.allCases.reversed() {
        try await registry.record(status: status, of: registry.account(id))
        #expect(try await registry.accounts(of: ada.id).map(\.status) == [status])
      }
      try await registry.record(goodSync: 2_000, of: id)
      try await registry.record(goodSync: 1_999, of: id)
      try await registry.record(loanLimit: 10, holdLimit: nil, of: id)
      let account = try await registry.account(named: "city", of: ada.id)
      #expect(account.lastGoodSync == 2_000)
      #expect(account.loanLimit == 10 && account.holdLimit == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An account that is unknown is refused everywhere`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let (registry, id) = (house.registry(), AccountID("none"))
      let nothing = Account(
        id: id, patron: PatronID("none"), name: "none", provider: someProvider,
        library: someLibrary, linkedAt: 0)
      let refusals = [
        await error { try await registry.credentials(of: id, request: "r") },
        await error { try await registry.unlink(id, request: "r") },
        await error { try await registry.record(status: .expired, of: nothing) },
        await error { try await registry.record(goodSync: 1, of: id) },
        await error { try await registry.record(loanLimit: 1, holdLimit: 1, of: id) },
        await error {
          try await registry.replaceCredentials(of: id, with: card("1"), request: "r")
        },
      ]
      #expect(refusals.allSatisfy { $0 == .noSuchAccount("none") })
      let stranger = Patron(id: PatronID("nobody"), name: "Nobody")
      #expect(await error { try await registry.link(stranger, "1") } == .noSuchPatron("nobody"))
    }
  }
}
