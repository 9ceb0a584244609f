import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `What an answer rests on` {
  /// One of each kind.
  private struct Bases {
    let (session, sessionOfPassword, password, card):
      (SignInBasis, SignInBasis, SignInBasis, SignInBasis)
    let account: SignInBasis
    var all: Set<SignInBasis> { [session, sessionOfPassword, password, card, account] }
  }

  private func bases(
    of patron: Patron, _ account: AccountID, _ keeper: Doorkeeper, _ registry: Registry
  ) async throws -> Bases {
    let (_, word) = try await registry.addDevice(
      named: "Phone", of: patron.id, scopes: .all, request: "r")
    func entrant(_ name: String, _ word: Secret) async throws -> Entrant {
      let answer = try await keeper.admit(
        Secret(name), word, from: "h", request: "r", library: someLibrary)
      guard case .entered(let entrant) = answer else { throw TestSupportError("\(answer)") }
      return entrant
    }
    func session(_ origin: SessionOrigin) async throws -> SignInBasis {
      let secret = try #require(try await registry.newPass(by: origin, for: .day, request: "r"))
      let pass = try #require(try await registry.pass(with: secret))
      return .session(pass.reference, pass.patron)
    }
    return Bases(
      session: try await session(.card(account)),
      sessionOfPassword: try await session(.appPassword(patron.id, "phone")),
      password: try await entrant(patron.name, word).basis,
      card: try await entrant("21234000000018", Secret("1234")).basis,
      account: .account(account, patron.id))
  }

  @Test(arguments: Engine.allCases)
  func `each basis is open until what it names has ended, as every gateway sees it`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let (registry, other) = (house.registry(), house.registry())
      let keeper = Doorkeeper(registry)
      let ada = try await registry.patron(named: "Ada")
      let city = try await registry.link(ada, "21234000000018").id
      var now = try await bases(of: ada, city, keeper, registry)
      #expect(try await other.open(among: now.all) == now.all)
      #expect(try await other.open(among: []) == [])
      #expect(try await other.open(among: [now.card]) == [now.card])
      let bob = try await registry.patron(named: "Bob")
      let foreign: Set<SignInBasis> = [
        .account(city, bob.id), .appPassword(ada.id, "Phone", madeAt: 1),
        .card(city, version: 7), .session(SessionReference(mark: [UInt8](1...32)), ada.id),
      ]
      #expect(try await other.open(among: foreign) == [])

      try await registry.replaceCredentials(
        of: city, with: card("21234000000018"), request: "r")
      #expect(
        try await other.open(among: now.all)
          == [now.sessionOfPassword, now.password, now.account])
      try await registry.revokeDevice(named: "phone", of: ada.id, request: "r")
      #expect(try await other.open(among: now.all) == [now.account])

      house.clock.advance(by: 1)
      now = try await bases(of: ada, city, keeper, registry)
      try await registry.endSessions(of: ada.id, by: "r", request: "r")
      #expect(try await other.open(among: now.all) == [now.password, now.card, now.account])
      try await registry.unlink(city, request: "r")
      #expect(try await other.open(among: now.all) == [now.password])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session that owes a code and a card that needs one are open for no answer`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let city = try await registry.link(ada, "21234000000018").id
      let now = try await bases(of: ada, city, Doorkeeper(registry), registry)
      try await house.run(
        """
        INSERT INTO registry_factor (patron, sealed, made_at, confirmed_at, last_step)
        VALUES (\(ada.id.rawValue), \([UInt8](1...4)), 1000, 1000, 0)
        """)
      #expect(try await registry.open(among: now.all) == [now.password, now.account])
    }
  }
}
