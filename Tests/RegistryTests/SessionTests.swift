import Circulation
import Database
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite struct `Sessions of a patron` {
  @Test(arguments: Engine.allCases)
  func `sessions are listed newest first and ended one by one or all together, at every gateway`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let told = Told()
      let registry = told.registry(house)
      let ada = try await registry.patron(named: "Ada")
      let bob = try await registry.patron(named: "Bob")
      let card = try await registry.link(ada, "21234000000018").id
      func begin(_ origin: SessionOrigin, _ agent: String?) async throws -> Secret {
        house.clock.advance(by: 10)
        return try #require(
          try await registry.newPass(by: origin, for: .month, agent: agent, request: "r"))
      }
      let first = try await begin(.card(card), "Firefox, Linux")
      let second = try await begin(.link(ada.id), nil)
      let other = try await begin(.link(bob.id), "Chrome")
      let link = try await registry.newSignInLink(for: ada.id, by: "test", request: "r").secret
      let open = try await house.registry().sessions(of: ada.id)
      #expect(open.map(\.agent) == [nil, "Firefox, Linux"])
      #expect(open.map(\.origin) == [.link(ada.id), .card(card)])

      #expect(
        try await registry.endSession(open[1].id, of: bob.id, by: "x", request: "r") == nil)
      #expect(try await registry.pass(with: first) != nil)
      try await registry.endSession(open[1].id, of: ada.id, by: "x", request: "r")
      #expect(try await house.registry().pass(with: first) == nil)
      #expect(told.last?.sessions == [open[1].reference] && told.last?.isEverywhere == false)

      let third = try await begin(.card(card), nil)
      let reference = try #require(try await registry.pass(with: third)).reference
      #expect(
        try await registry.endSessions(
          of: ada.id, keeping: reference, by: "x", request: "r") == 1)
      #expect(try await registry.pass(with: second) == nil)
      #expect(try await registry.pass(with: third) != nil)
      #expect(try await registry.owner(ofSignInLink: link) == nil)
      #expect(try await registry.endSessions(of: ada.id, by: "x", request: "r") == 1)
      #expect(told.last?.isEverywhere == true)
      #expect(try await registry.sessions(of: ada.id).isEmpty)
      #expect(try await registry.pass(with: other) != nil)
      // A sign-in after that counts.
      #expect(try await registry.pass(with: try await begin(.card(card), nil)) != nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `another PIN, unlinking and a revoked app password end the sessions that began with them`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let told = Told()
      let registry = told.registry(house)
      let ada = try await registry.patron(named: "Ada")
      let city = try await registry.link(ada, "21234000000018").id
      let town = try await registry.link(ada, "31234000000018", library: LibraryID("b")).id
      _ = try await registry.addDevice(named: "Phone", of: ada.id, scopes: .all, request: "r")
      func begin(_ origin: SessionOrigin) async throws -> SessionReference {
        let pass = try #require(try await registry.newPass(by: origin, for: .day, request: "r"))
        return try #require(try await registry.pass(with: pass)).reference
      }
      let changed = try await begin(.card(city))
      let unlinked = try await begin(.card(town))
      let revoked = try await begin(.appPassword(ada.id, "Phone"))
      let stays = try await begin(.link(ada.id))
      try await registry.replaceCredentials(
        of: city, with: card("21234000000018", pin: "9876"), request: "r")
      #expect(told.last?.sessions == [changed])
      try await registry.unlink(town, request: "r")
      #expect(told.last?.sessions == [unlinked])
      try await registry.revokeDevice(named: "phone", of: ada.id, request: "r")
      #expect(told.last?.sessions == [revoked])
      #expect(try await registry.sessions(of: ada.id).map(\.reference) == [stays])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session that takes the place of another in the same browser is its successor`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let told = Told()
      let registry = told.registry(house)
      let ada = try await registry.patron(named: "Ada")
      let bob = try await registry.patron(named: "Bob")
      func begin(_ patron: Patron) async throws -> Secret {
        try #require(
          try await registry.newPass(by: .link(patron.id), for: .day, request: "r"))
      }
      let (old, new, foreign) = (
        try await begin(ada), try await begin(ada), try await begin(bob)
      )
      let next = try #require(try await registry.pass(with: new)).reference
      try await registry.endPass(with: old, successor: new, request: "r")
      #expect(told.last?.successor == next)
      try await registry.endPass(with: new, successor: foreign, request: "r")
      #expect(told.last?.successor == nil)
    }
  }
}

/// What a registry said that ended.
private final class Told: Sendable {
  private let kept = Mutex<[EndedSessions]>([])
  var last: EndedSessions? { kept.withLock { $0.last } }

  func registry(_ house: House) -> Registry {
    let door = house.door()
    return Registry(
      store: house.store, vault: { () throws(VaultError) in try await door.vault() },
      now: { [clock = house.clock] in clock.now },
      ended: { [self] _, ended in kept.withLock { $0.append(ended) } })
  }
}
