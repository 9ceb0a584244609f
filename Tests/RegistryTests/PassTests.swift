import Circulation
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `A browser's pass` {
  @Test(arguments: Engine.allCases)
  func `a browser pass is shown once, stored as a hash, and valid until it expires`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let card = try await registry.link(ada, "21234000000018").id
      let pass = try #require(try await registry.newPass(by: .card(card), for: .day, request: "r"))
      #expect("\(pass)" == "•••" && pass.count >= 40)
      let kept = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT mark FROM registry_pass", as: [UInt8].self)
      }
      #expect(kept.count == 32)
      // Another gateway on the same database.
      let known = try await house.registry().pass(with: pass)
      #expect(known?.patron == ada.id && known?.owner == "Ada")
      #expect(try await registry.pass(with: Secret("guess")) == nil)
      #expect(try await registry.pass(with: Secret(String(repeating: "x", count: 5_000))) == nil)
      house.clock.advance(by: Int64(BrowserPass.Span.day.seconds) * 1000)
      #expect(try await registry.pass(with: pass) == nil)
      _ = try await registry.newPass(by: .card(card), for: .month, request: "r")
      let count = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT count(*) FROM registry_pass", as: Int.self)
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A browser's pass ends when its reader says so, and with the card it was given for`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let first = try await registry.link(ada, "21234000000018").id
      let second = try await registry.link(ada, "31234000000018", library: LibraryID("b")).id
      let one = try #require(
        try await registry.newPass(by: .card(first), for: .month, request: "r"))
      let two = try #require(
        try await registry.newPass(by: .card(second), for: .month, request: "r"))
      try await registry.endPass(with: one, request: "r")
      #expect(try await registry.pass(with: one) == nil)
      #expect(try await registry.pass(with: two)?.patron == ada.id)
      try await registry.unlink(second, request: "r")
      #expect(try await registry.pass(with: two) == nil)
      #expect(try await registry.newPass(by: .card(second), for: .day, request: "r") == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A browser's pass ends when the library refuses the card`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let card = try await registry.link(ada, "21234000000018").id
      let pass = try #require(
        try await registry.newPass(by: .card(card), for: .month, request: "r"))
      try await registry.record(status: .rejected, of: registry.account(card))
      #expect(try await registry.pass(with: pass) == nil)
      try await registry.record(status: .linked, of: registry.account(card))
      #expect(try await registry.pass(with: pass) != nil)
    }
  }
}
