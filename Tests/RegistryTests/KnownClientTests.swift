import Circulation
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

/// A stranger guesses at a card until strangers have to wait; the patron's own browser and app do not.
@Suite struct `Clients that are known` {
  private static let number = "21234000000018"

  private struct Scene {
    let house: House
    let registry: Registry
    let ada: Patron
    let keeper: Doorkeeper

    func admit(
      _ pin: String, from place: String, _ cookie: DeviceCookie? = nil, _ number: String = number
    ) async throws -> DoorAnswer {
      try await keeper.admit(
        Secret(number), Secret(pin), from: ClientAddress(place), request: "r", at: .pages,
        cookie: cookie ?? DeviceCookie(nil))
    }

    /// What a browser is given that signs in with this PIN.
    func cookie(
      _ pin: String = "1234", from place: String = "café", _ number: String = number
    ) async throws -> DeviceCookie {
      guard case .entered(let entrant) = try await admit(pin, from: place, nil, number),
        case .card(let account) = entrant.key
      else { throw TestSupportError("not signed in") }
      let cookie = try await keeper.cookie(
        DeviceCookie(nil), adding: .card(account), of: entrant.patron.id)
      return DeviceCookie(try #require(cookie).text)
    }

    func lockStrangers(_ number: String = number) async throws {
      for guess in 0..<10 {
        #expect(try await admit("9\(guess)", from: "h\(guess)", nil, number) == .refused)
      }
      let answer = try await admit("1234", from: "elsewhere", nil, number)
      guard isLocked(answer) else { throw TestSupportError("strangers are not locked") }
    }

    /// What ends all that the card has left at clients.
    func end(by event: String) async throws {
      let account = try #require(try await registry.accounts(of: ada.id).first)
      switch event {
      case "everywhere":
        try await registry.endSessions(of: ada.id, by: "r", request: "r")
      case "pin":
        try await registry.replaceCredentials(
          of: account.id, with: card(number, pin: "4321"), request: "r")
        try await registry.replaceCredentials(of: account.id, with: card(number), request: "r")
      default:
        try await registry.unlink(account.id, request: "r")
        _ = try await registry.link(ada, number)
      }
    }

    /// The remembered pair would answer otherwise.
    func forgetPairs() { house.clock.advance(by: 300_000) }

    func isLocked(_ answer: DoorAnswer) -> Bool {
      if case .slowed = answer { true } else { false }
    }
  }

  private func play(_ engine: Engine, _ body: (Scene) async throws -> Void) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, Self.number)
      try await body(
        Scene(house: house, registry: registry, ada: ada, keeper: Doorkeeper(registry)))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a stranger's guesses keep the patron's browser and app in, and strangers out`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let cookie = try await scene.cookie()
      #expect(try await scene.admit("1234", from: "home").patron == scene.ada)
      scene.forgetPairs()
      try await scene.lockStrangers()
      #expect(try await scene.admit("1234", from: "train", cookie).patron == scene.ada)
      scene.forgetPairs()
      #expect(try await scene.admit("1234", from: "home").patron == scene.ada)
      scene.forgetPairs()
      guard case .slowed = try await scene.admit("1234", from: "bus") else {
        return #expect(Bool(false), "a stranger with the right PIN came in")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a device cookie is good for ten wrong PINs, and then its browser is a stranger`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let cookie = try await scene.cookie()
      try await scene.lockStrangers()
      for guess in 0..<10 {
        #expect(try await scene.admit("8\(guess)", from: "x\(guess)", cookie) == .refused)
      }
      guard case .slowed = try await scene.admit("1234", from: "x", cookie) else {
        return #expect(Bool(false), "an eleventh PIN was heard")
      }
      // Also after the strangers' day: the token's count ends with its life.
      scene.house.clock.advance(by: 2 * 86_400_000)
      try await scene.lockStrangers()
      guard case .slowed = try await scene.admit("1234", from: "x", cookie) else {
        return #expect(Bool(false), "the token is good again")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a device cookie ends with signing out everywhere, another PIN and unlinking the card`(
    engine: Engine
  ) async throws {
    for event in ["everywhere", "pin", "unlink"] {
      try await play(engine) { scene in
        let cookie = try await scene.cookie()
        try await scene.end(by: event)
        scene.forgetPairs()
        try await scene.lockStrangers()
        #expect(scene.isLocked(try await scene.admit("1234", from: "x", cookie)), "\(event)")
        // A new sign-in gives a new one.
        scene.house.clock.advance(by: 86_400_000)
        let next = try await scene.cookie()
        scene.forgetPairs()
        try await scene.lockStrangers()
        #expect(try await scene.admit("1234", from: "x", next).patron == scene.ada, "\(event)")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a known address ends with signing out everywhere, another PIN and unlinking the card`(
    engine: Engine
  ) async throws {
    for event in ["everywhere", "pin", "unlink"] {
      try await play(engine) { scene in
        #expect(try await scene.admit("1234", from: "home").patron == scene.ada)
        try await scene.end(by: event)
        scene.forgetPairs()
        try await scene.lockStrangers()
        #expect(scene.isLocked(try await scene.admit("1234", from: "home")), "\(event)")
        // A new sign-in makes it known again.
        scene.house.clock.advance(by: 86_400_000)
        #expect(try await scene.admit("1234", from: "home").patron == scene.ada)
        scene.forgetPairs()
        try await scene.lockStrangers()
        #expect(try await scene.admit("1234", from: "home").patron == scene.ada, "\(event)")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a device cookie of another number, library, month or maker helps nobody`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let bob = try await scene.registry.patron(named: "Bob")
      _ = try await scene.registry.link(bob, "31234000000018")
      _ = try await scene.registry.link(
        patron: bob.id, name: .like("town"), provider: someProvider, library: LibraryID("town"),
        credentials: card(Self.number, pin: "9999"), request: "r")
      let good = try await scene.cookie()
      let others = [
        try await scene.cookie("1234", from: "b", "31234000000018"),
        try await scene.cookie("9999", from: "b"),
      ]
      var token = good.tokens[0]
      token = DeviceCookie.Token(
        nonce: token.nonce, month: token.month + 1, proof: token.proof, library: token.library)
      var forged = good.tokens[0]
      forged = DeviceCookie.Token(
        nonce: Array(forged.nonce.reversed()), month: forged.month, proof: forged.proof,
        library: forged.library)
      scene.forgetPairs()
      try await scene.lockStrangers()
      for cookie in others + [DeviceCookie(tokens: [token]), DeviceCookie(tokens: [forged])] {
        let answer = try await scene.admit("1234", from: "x", cookie)
        #expect(answer.patron == nil, "\(cookie.text)")
      }
      // A year and a month later it is none any more.
      scene.house.clock.advance(by: 14 * 30 * 86_400_000)
      try await scene.lockStrangers()
      #expect(try await scene.admit("1234", from: "x", good).patron == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `at an address where the card signed in, ten more wrong PINs a day are heard`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      #expect(try await scene.admit("1234", from: "home").patron == scene.ada)
      scene.forgetPairs()
      try await scene.lockStrangers()
      var heard = 0
      for guess in 0..<20 where try await scene.admit("7\(guess)", from: "home") == .refused {
        heard += 1
      }
      #expect(heard == 10)
      // The right one from there takes none of them back.
      scene.house.clock.advance(by: 900_000)
      #expect(try await scene.admit("1234", from: "home").patron == scene.ada)
      scene.forgetPairs()
      for guess in 0..<10 { _ = try await scene.admit("6\(guess)", from: "i\(guess)") }
      #expect(try await scene.admit("1234", from: "home").patron == nil)
      // Forgotten after thirty days.
      scene.house.clock.advance(by: 31 * 86_400_000)
      try await scene.lockStrangers()
      #expect(try await scene.admit("1234", from: "home").patron == nil)
    }
  }

  @Test
  func `a device cookie holds five cards, the newest first, and is read again as it was written`() {
    let key = Secret("key")
    func base(_ account: Int, codesSince: Int64? = nil) -> DeviceCookie.Base {
      DeviceCookie.Base(
        library: LibraryID(account == 4 ? "" : "city"), account: AccountID("a\(account)"),
        version: 1, epoch: 0, codesSince: codesSince)
    }
    var cookie = DeviceCookie(nil)
    for account in 1...7 { cookie = cookie.adding(base(account), 0, key) }
    let read = DeviceCookie(cookie.text)
    #expect(read.tokens == cookie.tokens && read.tokens.count == 5)
    #expect(read.valid(on: [base(7)], at: 0, key) == read.tokens[0])
    #expect(read.valid(on: [base(4), base(1)], at: 0, key) == read.tokens[3])
    #expect(read.valid(on: [base(2), base(7, codesSince: 1)], at: 0, key) == nil)
    #expect(read.adding(base(5), 0, key).tokens.count == 5)
    #expect(DeviceCookie("x.\(cookie.text).%%").tokens.count == 5)
    #expect(DeviceCookie(String(repeating: "a", count: 3_000)).tokens.isEmpty)
  }
}
