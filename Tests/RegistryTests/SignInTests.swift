import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `Ways to sign in` {
  private static let number = "21234000000018"

  private static func link(
    _ registry: Registry, _ name: String, at library: String, pin: String = "1234",
    pinVerified: Bool = true
  ) async throws -> Account {
    try await registry.link(
      patron: try await registry.patron(named: name).id, name: .like("card"),
      provider: someProvider, library: LibraryID(library), credentials: card(number, pin: pin),
      pinVerified: pinVerified, request: "r")
  }

  private static func ways(_ house: House) async throws -> Int {
    try await house.store.read { tx throws(DatabaseError) in
      try tx.value("SELECT count(*) FROM sign_in_way", as: Int.self)
    }
  }

  /// As every card was before it was noted whether its library found the PIN right.
  private static func age(_ house: House) async throws {
    try await house.run("DELETE FROM sign_in_way")
    try await house.run("UPDATE account SET pin_verified = NULL")
  }

  @Test(arguments: Engine.allCases)
  func `a card signs in where its library found the PIN right, and nowhere else`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      _ = try await Self.link(registry, "mallory", at: "city", pinVerified: false)
      _ = try await Self.link(registry, "eve", at: "https://own.example/opds")
      let keeper = Doorkeeper(registry)
      for name in [Self.number, "city/\(Self.number)", "https://own.example/opds/\(Self.number)"] {
        #expect(try await keeper.admit(name, "1234", from: name) == .refused)
      }
      // Nor does it once its library is configured no more, or checks no PIN any more.
      _ = try await Self.link(registry, "ada", at: "county")
      #expect(try await keeper.admit(Self.number, "1234").patron?.name == "ada")
      for libraries: [LibraryID: PINCheck] in [
        [:], [LibraryID("county"): .never], [someLibrary: .always],
      ] {
        let other = Doorkeeper(registry, libraries: libraries)
        #expect(try await other.admit(Self.number, "1234") == .refused)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a card that two patrons share signs in the first, and the second once it is free`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let first = try await Self.link(registry, "ada", at: "city")
      let second = try await Self.link(registry, "bob", at: "city", pin: "9999")
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit(Self.number, "9999") == .refused)
      #expect(try await !registry.signsIn(second.id))
      let taken = try await registry.decideSignIn(
        of: second.id, isVerified: true, request: "r")
      #expect(taken == .taken)
      try await registry.unlink(first.id, request: "r")
      #expect(
        try await registry.decideSignIn(of: second.id, isVerified: true, request: "r") == .claimed)
      #expect(try await keeper.admit(Self.number, "9999").patron?.name == "bob")
    }
  }

  @Test(arguments: Engine.allCases)
  func `a number and PIN that fit two patrons sign in neither until the library is named`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      _ = try await Self.link(registry, "ada", at: "city")
      _ = try await Self.link(registry, "bob", at: "county")
      let keeper = Doorkeeper(registry)
      for _ in 0..<40 {
        #expect(try await keeper.admit(Self.number, "1234") == .needsLibrary)
      }
      for (name, owner) in [("city", "ada"), ("county", "bob"), ("County", "bob")] {
        let typed = try await keeper.admit("\(name)/\(Self.number)", "1234")
        #expect(typed.patron?.name == owner)
      }
      // What was remembered of one library opens nothing at another.
      let chosen = try await keeper.admit(
        Secret(Self.number), Secret("1234"), from: "h", request: "r",
        library: someLibrary)
      #expect(chosen.patron?.name == "ada")
      #expect(try await keeper.admit(Self.number, "1234") == .needsLibrary)
      #expect(try await keeper.admit("town/\(Self.number)", "1234") == .refused)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a pair is not taken for one patron's while another with that number keeps no PIN here`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      _ = try await Self.link(registry, "ada", at: "city")
      _ = try await registry.welcome(
        Member(
          of: LibraryID("town"), at: someProvider, identity: Secret("p-17"),
          credentials: card(Self.number), keepsPIN: false), request: "r")
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit(Self.number, "1234") == .needsLibrary)
      #expect(try await keeper.admit(Self.number, "9999") == .refused)
      #expect(try await keeper.admit("city/\(Self.number)", "1234").patron?.name == "ada")
    }
  }

  @Test(arguments: Engine.allCases)
  func `a card of before signs in with its library named, until another patron has its row`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await Self.link(registry, "ada", at: "city")
      try await Self.age(house)
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit(Self.number, "1234") == .refused)
      #expect(try await keeper.admit("county/\(Self.number)", "1234") == .refused)
      #expect(try await keeper.admit("city/\(Self.number)", "1234").patron?.name == "ada")
      // Its library checks every PIN, so that was enough to make the row.
      #expect(try await registry.signsIn(ada.id))
      #expect(try await keeper.admit(Self.number, "1234").patron?.name == "ada")
      // The only library need not be named.
      try await Self.age(house)
      let only = Doorkeeper(registry, libraries: [someLibrary: .whenChallenged])
      #expect(try await only.admit(Self.number, "1234").patron?.name == "ada")
      #expect(try await Self.ways(house) == 0)
      _ = try await Self.link(registry, "bob", at: "city", pin: "9999")
      #expect(try await Doorkeeper(registry).admit("city/\(Self.number)", "1234") == .refused)
    }
  }

  @Test(arguments: Engine.allCases)
  func `cards of before are decided oldest first, and those of patrons' own catalogs never sign in`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let first = try await Self.link(registry, "ada", at: "city")
      house.clock.advance(by: 1)
      let second = try await Self.link(registry, "bob", at: "city")
      _ = try await Self.link(registry, "eve", at: "https://own.example/opds")
      _ = try await Self.link(registry, "tom", at: "town")
      try await Self.age(house)
      #expect(try await registry.decideAgainst([]) == 1)
      #expect(try await registry.decideAgainst([LibraryID("town")]) == 1)
      let undecided = try await registry.undecidedAccounts(at: [someLibrary], atMost: 10)
      #expect(undecided.map(\.account.id) == [first.id, second.id])
      #expect(undecided.allSatisfy { $0.keepsPIN && !$0.isMember })
      for one in undecided {
        try await registry.decideSignIn(of: one.account.id, isVerified: true, request: "r")
      }
      #expect(try await registry.undecidedCount() == 0)
      #expect(try await registry.signsIn(first.id))
      #expect(try await !registry.signsIn(second.id))
      #expect(try await Self.ways(house) == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `another number, a PIN that nobody checked and an unlinked card each end a way to sign in`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let id = try await Self.link(registry, "ada", at: "city").id
      let keeper = Doorkeeper(registry)
      try await registry.replaceCredentials(
        of: id, with: card("21234000000099"), pinVerified: true, request: "r")
      #expect(try await keeper.admit(Self.number, "1234") == .refused)
      #expect(try await keeper.admit("21234000000099", "1234").patron?.name == "ada")
      // A token that a service replaced leaves it as it is.
      try await registry.replaceCredentials(
        of: id, with: card("21234000000099"), pinVerified: nil, request: "r")
      #expect(try await keeper.admit("21234000000099", "1234").patron?.name == "ada")
      try await registry.replaceCredentials(
        of: id, with: card("21234000000099"), pinVerified: false, request: "r")
      #expect(try await keeper.admit("21234000000099", "1234") == .refused)
      try await registry.decideSignIn(of: id, isVerified: true, request: "r")
      #expect(try await Self.ways(house) == 1)
      // It survives new keys of the vault.
      _ = try await registry.reseal(request: "r")
      #expect(try await keeper.admit("21234000000099", "1234").patron?.name == "ada")
      try await registry.unlink(id, request: "r")
      #expect(try await Self.ways(house) == 0)
    }
  }

  @Test(arguments: [
    ("21234", nil as String?, "21234", nil as String?), ("city/21234", nil, "21234", "city"),
    ("CITY/21234", nil, "21234", "city"), ("city/21234", "town", "21234", "town"),
    ("nowhere/21234", nil, "nowhere/21234", nil), ("https://x/21234", nil, "https://x/21234", nil),
    ("/21234", "city", "/21234", "city"),
  ])
  func `a name for signing in is a number, behind its library where one is named`(
    typed: String, named: String?, number: String, library: String?
  ) {
    let name = SignInName(
      Secret(typed), at: named.map { LibraryID($0) }, among: ["city", "town"].map { LibraryID($0) })
    #expect(name.card.asked.matches(Secret(number)) && name.library?.rawValue == library)
    #expect(SignInName(Secret("1"), among: [LibraryID("only")]).library?.rawValue == "only")
  }
}
