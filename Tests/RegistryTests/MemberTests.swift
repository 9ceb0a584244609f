import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Registry

@Suite struct `A member of a library` {
  private static func member(
    _ identity: String = "p-17", card number: String = "21234000000018", pin: String = "1234",
    at library: String = "town", keepsPIN: Bool = false
  ) -> Member {
    Member(
      of: LibraryID(library), at: someProvider, identity: Secret(identity),
      credentials: card(number, pin: pin), keepsPIN: keepsPIN)
  }

  @Test(arguments: Engine.allCases)
  func `a member keeps one account when the library changes the card and the PIN`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let first = try await registry.welcome(Self.member(), request: "r")
      let again = try await registry.welcome(Self.member(), request: "r")
      #expect(again == first)
      let replaced = try await registry.welcome(
        Self.member(card: "21234000000099", pin: "9"), request: "r")
      #expect(replaced.patron == first.patron && replaced.account == first.account)
      #expect(replaced.version > first.version)
      #expect(try await registry.accounts(of: first.patron.id).map(\.cardEnding) == ["0099"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a member number at another library, or another number, is another reader`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let one = try await registry.welcome(Self.member(), request: "r")
      let two = try await registry.welcome(Self.member(at: "city"), request: "r")
      let three = try await registry.welcome(Self.member("p-18"), request: "r")
      #expect(Set([one, two, three].map(\.patron.id)).count == 3)
      #expect(try await registry.patrons().count == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a member's PIN is stored only with consent, and renewed once it is stored`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let account = try await registry.welcome(Self.member(), request: "r").account
      #expect(try await registry.credentials(of: account, request: "r")["pin"] == nil)
      _ = try await registry.welcome(Self.member(keepsPIN: true), request: "r")
      _ = try await registry.welcome(Self.member(pin: "777"), request: "r")
      let pin = try await registry.credentials(of: account, request: "r")["pin"]
      #expect(pin?.matches(Secret("777")) == true)
    }
  }
}

@Suite struct `A member who keeps no PIN here` {
  private static let number = "21234000000018"

  /// That the library takes now.
  private final class PIN: Sendable {
    let current = Mutex("1234")
  }

  /// A gateway at which the card signs in with that PIN.
  private static func keeper(_ registry: Registry, _ pin: PIN) -> Doorkeeper {
    Doorkeeper(registry) { knock, request throws(RegistryError) in
      guard pin.current.withLock({ knock.pin.matches(Secret($0)) }) else { return .success(nil) }
      return .success(
        try await registry.welcome(
          Member(
            of: LibraryID("town"), at: someProvider, identity: Secret("p-17"),
            credentials: Credentials(["card": knock.card, "pin": knock.pin]),
            keepsPIN: false), request: request))
    }
  }

  private static func session(
    _ registry: Registry, _ keeper: Doorkeeper, _ pin: String
  ) async throws -> Secret? {
    guard case .entered(let entrant) = try await keeper.admit(number, pin),
      case .card(let account) = entrant.key
    else { return nil }
    return try await registry.newPass(
      by: .card(account), for: .month, pin: Secret(pin), request: "r")
  }

  @Test(arguments: Engine.allCases)
  func `a sign-in with a member's new PIN ends sessions and remembered sign-ins of the old one`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let pin = PIN()
      let (one, two) = (Self.keeper(registry, pin), Self.keeper(house.registry(), pin))
      let old = try #require(try await Self.session(registry, one, "1234"))
      let other = try #require(try await Self.session(registry, two, "1234"))
      // The same PIN once more ends nothing.
      #expect(try await registry.pass(with: old) != nil)
      pin.current.withLock { $0 = "777" }
      // Remembered for some minutes at each gateway.
      #expect(try await two.admit(Self.number, "1234").patron != nil)
      let new = try #require(try await Self.session(registry, one, "777"))
      for secret in [old, other] { #expect(try await registry.pass(with: secret) == nil) }
      #expect(try await two.admit(Self.number, "1234") == .refused)
      #expect(try await registry.pass(with: new) != nil)
      // A sign-in that was under way with the old PIN begins no session any more.
      let account = try #require(try await registry.accounts().first)
      let late = try await registry.newPass(
        by: .card(account.id), for: .day, pin: Secret("1234"), request: "r")
      #expect(late == nil)
      #expect(try await registry.pass(with: new) != nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session of before PINs were marked ends at the member's next sign-in, and only once`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let pin = PIN()
      let keeper = Self.keeper(registry, pin)
      let old = try #require(try await Self.session(registry, keeper, "1234"))
      try await house.run("DELETE FROM sign_in_pin")
      #expect(try await registry.pass(with: old) != nil)
      house.clock.advance(by: 600_000)
      let new = try #require(try await Self.session(registry, keeper, "1234"))
      #expect(try await registry.pass(with: old) == nil)
      house.clock.advance(by: 600_000)
      _ = try #require(try await Self.session(registry, keeper, "1234"))
      #expect(try await registry.pass(with: new) != nil)
      // Nothing of the PIN is kept for longer than what stands on it.
      house.clock.advance(by: 32 * 86_400_000)
      _ = try #require(try await Self.session(registry, Self.keeper(registry, pin), "1234"))
      let rows = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT count(*) FROM sign_in_pin", as: Int.self)
      }
      #expect(rows == 1)
    }
  }
}

@Suite struct `A library that opens its door` {
  /// Knows one card, and counts how often it is asked.
  private final class Library: Sendable {
    let asked = Mutex(0)
    let isSilent: Bool

    init(isSilent: Bool = false) { self.isSilent = isSilent }

    func keeper(_ registry: Registry) -> Doorkeeper {
      Doorkeeper(registry) { knock, request throws(RegistryError) in
        self.asked.withLock { $0 += 1 }
        if self.isSilent { return .failure(LibrarySilence("Town", isLate: true)) }
        guard knock.card.matches(Secret("21234000000018")), knock.pin.matches(Secret("1234"))
        else { return .success(nil) }
        return .success(
          try await registry.welcome(
            Member(
              of: LibraryID("town"), at: someProvider, identity: Secret("p-17"),
              credentials: card("21234000000018", pin: "1234"), keepsPIN: knock.keepsPIN),
            request: request))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a library that admits its members signs in an unlinked card and is asked only once`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let (library, registry) = (Library(), house.registry())
      let keeper = library.keeper(registry)
      let patron = try await keeper.admit("21234000000018", "1234").patron
      #expect(try await keeper.admit("21234000000018", "1234").patron == patron)
      #expect(library.asked.withLock { $0 } == 1)
      #expect(try await registry.patrons() == [patron].compactMap(\.self))
      // The patron did not agree to keep the PIN: an app cannot ask.
      let member = try #require(patron).id
      let account = try #require(try await registry.accounts(of: member).first)
      #expect(try await registry.credentials(of: account.id, request: "r")["pin"] == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a library that admits its members is asked at most ten times about wrong PINs`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let library = Library()
      let keeper = library.keeper(house.registry())
      for pin in 1...10 { #expect(try await keeper.admit("21234000000018", "\(pin)") == .refused) }
      guard case .slowed = try await keeper.admit("21234000000018", "1234") else {
        return #expect(Bool(false), "guessing goes on for ever")
      }
      #expect(library.asked.withLock { $0 } == 10)
      #expect(try await keeper.admit("31234000000018", "") == .refused)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A library that opens its door that is silent is no word against the card`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let keeper = Library(isSilent: true).keeper(house.registry())
      let answer = try await keeper.admit("21234000000018", "1234")
      #expect(answer == .unreachable(LibrarySilence("Town", isLate: true)))
    }
  }
}
