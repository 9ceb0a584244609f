import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `An operator` {
  @Test(arguments: Engine.allCases)
  func `An operator is made, known at each look, and is one no longer at once`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let card = try await registry.link(ada, "21234000000018").id
      let pass = try #require(try await registry.newPass(by: .card(card), for: .day, request: "r"))
      #expect(try await registry.pass(with: pass)?.isOperator == false)
      #expect(try await registry.makeOperator(ada.id, by: "test", request: "r"))
      #expect(try await !registry.makeOperator(ada.id, by: "test", request: "r"))
      #expect(try await registry.pass(with: pass)?.isOperator == true)
      #expect(try await registry.operators().map(\.patron) == [ada])
      #expect(try await registry.endOperator(ada.id, by: "test", request: "r"))
      #expect(try await !registry.endOperator(ada.id, by: "test", request: "r"))
      #expect(try await registry.pass(with: pass)?.isOperator == false)
      let nobody = await error {
        try await registry.makeOperator(PatronID("none"), by: "test", request: "r")
      }
      #expect(nobody == .noSuchPatron("none"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `An operator leaves lines in the audit, the latest first`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      try await registry.makeOperator(ada.id, by: "command line", request: "r1")
      try await registry.note(OfficeDeed(.write, "lanes", "/lanes.yaml", by: ada.id.rawValue, "r2"))
      let deeds = try await registry.officeDeeds(atMost: 10).map(\.deed)
      #expect(deeds.map(\.kind) == ["lanes", "operator"])
      #expect(deeds.last?.who == "command line" && deeds.last?.subject == ada.id.rawValue)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An operator finds readers by name and by the end of a card`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada Quill")
      _ = try await registry.link(ada, "21234000000018")
      _ = try await registry.patron(named: "100% Bert_")
      let found = try await registry.sights(of: " quill ", atMost: 10)
      #expect(found.map(\.patron) == [ada] && found.first?.cards == 1)
      #expect(try await registry.sights(of: "0018", atMost: 10).map(\.patron) == [ada])
      #expect(try await registry.sights(of: "%", atMost: 10).map(\.patron.name) == ["100% Bert_"])
      #expect(try await registry.sights(of: "_", atMost: 10).count == 1)
      #expect(try await registry.sights(of: "", atMost: 10).count == 2)
      #expect(try await registry.sights(of: "", from: 1, atMost: 10).count == 1)
      #expect(try await registry.sight(of: ada.id)?.lastSeen == nil)
    }
  }
}
