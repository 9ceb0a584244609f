import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite struct `The audit` {
  @Test(arguments: Engine.allCases)
  func `The audit tells who touched which secret, when and why`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      house.clock.advance(by: 5)
      _ = try await registry.credentials(of: id, request: "req-2")
      try await registry.replaceCredentials(
        of: id, with: Credentials(["card": Secret("21234000000018")]), request: "req-3")
      try await registry.unlink(id, request: "req-4")
      let lines = try await registry.audit(of: id).map {
        "\($0.at) \($0.action) \($0.field) \($0.request)"
      }
      #expect(
        lines == [
          "1000 write card req-1", "1000 write pin req-1", "1005 read card req-2",
          "1005 read pin req-2", "1005 delete pin req-3", "1005 write card req-3",
          "1005 delete card req-4",
        ])
      #expect(try await registry.audit(of: id).allSatisfy { $0.who == ada.id.rawValue })
    }
  }

  @Test(arguments: Engine.allCases)
  func `The audit tells of a secret that would not open`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      try await house.run("UPDATE account_secret SET version = 7 WHERE field = 'pin'")
      _ = await error { try await registry.credentials(of: id, request: "req-2") }
      let last = try await registry.audit(of: id).suffix(2)
      #expect(last.map(\.action) == [.fail, .fail] && last.map(\.field) == ["card", "pin"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The audit is only ever added to`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      await #expect(throws: DatabaseError.self) {
        try await house.run("UPDATE registry_audit SET who = 'nobody'")
      }
      await #expect(throws: DatabaseError.self) {
        try await house.run("DELETE FROM registry_audit")
      }
      #expect(try await registry.audit(of: id).count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The audit has no line for what did not happen`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      _ = await error { try await registry.link(ada, "21234000000018") }
      #expect(try await registry.audit(of: id).count == 2)
    }
  }
}

@Suite struct `What the registry says` {
  @Test func `What the registry says: is plain, and has no card number`() {
    let account = Account(
      id: AccountID("a"), patron: PatronID("p"), name: "city", provider: someProvider,
      library: someLibrary, cardEnding: "0018", linkedAt: 0)
    #expect(
      RegistryError.alreadyLinked(account).description == "this card is linked already, as city")
    #expect(RegistryError.noSuchAccount("x").description == "there is no account x")
    #expect(RegistryError.noSuchPatron("x").description == "there is no patron x")
    #expect(RegistryError.nameTaken("x").description == "another account is called x")
    #expect(RegistryError.badName("x y").description.hasPrefix("\"x y\" is not a name"))
    #expect(RegistryError.vault(.sealed).description.hasPrefix("the vault is locked"))
  }

  @Test func `What the registry says: passes on what the database says`() async throws {
    try await withHouse(.sqlite) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      await house.store.close()
      let failures = [
        await error { try await registry.patrons() },
        await error { try await registry.patron(named: "Bob") },
        await error { try await registry.unlink(AccountID("a"), request: "r") },
      ]
      for failure in failures {
        guard case .database(let cause) = failure else {
          Issue.record("\(String(describing: failure))")
          continue
        }
        #expect(cause.reason == .closed)
        #expect(failure?.description == cause.description)
      }
      let refused = await error { try await registry.link(ada, "21234000000018") }
      guard case .vault(.placeFailed) = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
    }
  }
}
