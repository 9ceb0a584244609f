import Circulation
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `Sessions without a card` {
  @Test(arguments: Engine.allCases)
  func `a sign-in link works once, for a day, and only the newest of a patron`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let bob = try await registry.patron(named: "Bob")
      func link(_ patron: Patron) async throws -> Secret {
        try await registry.newSignInLink(for: patron.id, by: "test", request: "r").secret
      }
      func use(_ secret: Secret) async throws -> Secret? {
        try await house.registry().newPass(
          bySignInLink: secret, for: .month, as: .plain, request: "r")
      }
      let (first, other) = (try await link(ada), try await link(bob))
      let second = try await link(ada)
      #expect(try await registry.owner(ofSignInLink: first) == nil)
      #expect(try await use(first) == nil)
      for _ in 0..<10 { #expect(try await registry.owner(ofSignInLink: second)?.id == ada.id) }
      let pass = try #require(try await use(second))
      #expect(try await use(second) == nil)
      let known = try #require(try await registry.pass(with: pass))
      #expect(known.patron == ada.id && known.account == nil && known.proof == .none)
      #expect(known.origin == .link(ada.id))

      house.clock.advance(by: SignInLink.span)
      #expect(try await use(other) == nil)
      #expect(try await use(Secret("unknown")) == nil)
      #expect(try await use(Secret(String(repeating: "x", count: 5_000))) == nil)
      #expect(
        try await registry.officeDeeds(atMost: 9).map(\.deed.kind)
          == ["sign-in-link", "sign-in-link", "sign-in-link"])
      #expect(
        try await registry.audit(of: SessionOrigin.auditName(of: ada.id)).map(\.field) == ["pass"])
      let missing = await error {
        try await registry.newSignInLink(for: PatronID("none"), by: "test", request: "r")
      }
      #expect(missing == .noSuchPatron("none"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a sign-in link leaves the code of a second factor owed`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      try await house.run(
        """
        INSERT INTO registry_factor (patron, sealed, made_at, confirmed_at, last_step)
        VALUES (\(ada.id.rawValue), \([UInt8](repeating: 1, count: 8)), 1, 1, 1)
        """)
      let link = try await registry.newSignInLink(for: ada.id, by: "test", request: "r").secret
      let pass = try #require(
        try await registry.newPass(bySignInLink: link, for: .day, as: .plain, request: "r"))
      #expect(try await registry.pass(with: pass)?.proof == .owed)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session of an app password ends when that is revoked, and a namesake revives nothing`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      func add() async throws {
        _ = try await registry.addDevice(
          named: "Phone", of: ada.id, scopes: .all, request: "r")
      }
      try await add()
      let origin = SessionOrigin.appPassword(ada.id, "phone")
      let pass = try #require(try await registry.newPass(by: origin, for: .month, request: "r"))
      #expect(try await registry.pass(with: pass)?.patron == ada.id)
      try await registry.revokeDevice(named: "PHONE", of: ada.id, request: "r")
      #expect(try await registry.pass(with: pass) == nil)
      #expect(try await registry.newPass(by: origin, for: .month, request: "r") == nil)
      house.clock.advance(by: 1)
      try await add()
      #expect(try await registry.pass(with: pass) == nil)
    }
  }
}
