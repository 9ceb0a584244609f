import Circulation
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
      for _ in 1...10 { #expect(try await keeper.admit("21234000000018", "1") == .refused) }
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
