import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `Card numbers in other spellings` {
  private static let number = "21234000000018"
  private static let odd = "２１２３４０００００００１８"

  /// As rows were made while each spelling was a number of its own.
  private static func age(_ account: Account, _ house: House) async throws {
    let vault = try await house.vault()
    let odd = Secret(Self.odd)
    let index = Card.index(
      of: odd, at: account.library, of: account.provider, patron: account.patron, vault)
    try await house.run("UPDATE sign_in_way SET subject = \(Card.subject(of: odd, vault))")
    try await house.run(
      "UPDATE account SET card_ending = \(Card.ending(of: odd)), card_index = \(index)")
  }

  @Test func `marks of plain numbers are what they were`() {
    for typed in ["2300 0000-01", "ab-12", "A_b.c@d", "12`3"] {
      let number = CardNumber(Secret(typed))
      let before = Secret(typed.filter { !$0.isWhitespace && $0 != "-" }.uppercased())
      #expect(number.plain.matches(before) && number.asked.matches(Secret(typed)))
      #expect(CardNumber.earlier(Secret(typed)) == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron whose row was made in an odd spelling gets in with it`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let account = try await registry.link(
        patron: try await registry.patron(named: "ada").id, name: .like("card"),
        provider: someProvider, library: LibraryID("town"), credentials: card(Self.odd),
        pinVerified: true, request: "r")
      #expect(account.cardEnding == "0018")
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit(Self.number, "1234").patron?.name == "ada")
      try await Self.age(account, house)
      #expect(try await keeper.admit(Self.odd, "1234", from: "b").patron?.name == "ada")
      #expect(try await keeper.admit("town/\(Self.odd)", "1234", from: "c").patron?.name == "ada")
      #expect(try await keeper.admit(Self.odd, "4321", from: "c") == .refused)
      let name = SignInName(Secret(Self.odd), among: [LibraryID("town")])
      let isFound = try await registry.hasCard(name, account.patron)
      #expect(isFound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `the same card with other blanks ends no session, and a spelling kept before is replaced`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      func welcome(_ number: String) async throws -> CardStanding {
        try await registry.welcome(
          Member(
            of: LibraryID("town"), at: someProvider, identity: Secret("p"),
            credentials: card(number), keepsPIN: false), request: "r")
      }
      let kept = try await welcome(Self.odd)
      let plain = try await welcome(Self.number)
      #expect(plain.account == kept.account && plain.version > kept.version)
      #expect(try await welcome("2123-4000 000018") == plain)
      let number = try await registry.credentials(of: plain.account, request: "r")["card"]
      #expect(number?.matches(Secret(Self.number)) == true)
    }
  }
}
