import AppSupport
import Circulation
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

/// One who knows card and PIN is asked for a code next, as the patron is.
@Suite struct `Guesses at codes` {
  private final class Scene {
    let house: House
    let registry: Registry
    let keeper: Doorkeeper
    let ada: Patron
    let account: AccountID
    var app: Authenticator
    var spares: [String]

    init(_ house: House) async throws {
      (self.house, registry) = (house, house.registry())
      keeper = Doorkeeper(registry)
      ada = try await registry.patron(named: "Ada")
      account = try await registry.link(ada, "21234000000018").id
      (app, spares) = try await Self.enroll(ada, registry, house)
    }

    /// The code of the step before the present one is used up by this.
    private static func enroll(
      _ ada: Patron, _ registry: Registry, _ house: House
    ) async throws -> (Authenticator, [String]) {
      let begun = try await registry.beginFactor(
        of: ada, issuer: "Town", by: "Ada", request: "r")
      guard case .begun(let key) = begun else { throw TestSupportError("codes are there") }
      let app = key.text.revealText { Authenticator($0) }
      let spares = try await registry.confirmFactor(
        of: ada.id, with: Secret(app.code(at: house.clock.now, steps: -1)), by: "Ada",
        request: "r")
      return (app, try #require(spares).map { $0.revealText { $0 } })
    }

    func enrollAgain() async throws {
      house.clock.advance(by: 30_000)
      (app, spares) = try await Self.enroll(ada, registry, house)
    }

    var right: String { app.code(at: house.clock.now) }
    /// None that is good for any step near the present one.
    var wrong: String {
      let good = (-2...2).map { app.code(at: house.clock.now, steps: $0) }
      return ["111111", "222222", "333333", "444444", "555555", "666666"]
        .first { !good.contains($0) } ?? ""
    }

    func judge(
      _ code: String, from place: String, _ cookie: DeviceCookie? = nil
    ) async throws -> Doorkeeper.CodeAnswer {
      try await keeper.judge(
        code: Secret(code), of: ada.id, from: ClientAddress(place),
        cookie: cookie ?? DeviceCookie(nil), request: "r")
    }

    /// What a browser is given after a whole sign-in, as it brings it next time.
    func cookie(_ origin: SessionOrigin? = nil) async throws -> DeviceCookie {
      let cookie = try await keeper.cookie(
        DeviceCookie(nil), adding: origin ?? .card(account), of: ada.id)
      return DeviceCookie(try #require(cookie).text)
    }

    func lockStrangers() async throws {
      for guess in 0..<10 { #expect(try await judge(wrong, from: "s\(guess)") == .wrong) }
      #expect(try await judge(wrong, from: "elsewhere") == .slowed(seconds: 900))
    }

    func session() async throws -> BrowserPass {
      let secret = try #require(
        try await registry.newPass(
          by: .card(account), for: .month, pin: Secret("1234"), proved: true, request: "r"))
      return try #require(try await registry.pass(with: secret))
    }

    func prove(_ code: String, in pass: BrowserPass) async throws -> FreshProof.Answer {
      try await keeper.judge(
        FreshProof(word: Secret("1234"), code: Secret(code)), in: pass, from: "home", request: "r")
    }
  }

  private func play(_ engine: Engine, _ body: (Scene) async throws -> Void) async throws {
    try await withHouse(engine) { house in
      house.clock.advance(by: 1_700_000_000_000)
      try await body(try await Scene(house))
    }
  }

  @Test(arguments: Engine.allCases)
  func `wrong codes of strangers keep no browser out that gave a code, and no recovery code`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let cookie = try await scene.cookie()
      try await scene.lockStrangers()
      #expect(try await scene.judge(scene.right, from: "new") == .slowed(seconds: 900))
      #expect(try await scene.judge(scene.right, from: "train", cookie) == .right(.timed))
      #expect(try await scene.judge(scene.spares[0], from: "new") == .right(.spare))
      for guess in 0..<10 {
        let code = String(repeating: "abcd", count: 5) + "200\(guess)"
        #expect(try await scene.judge(code, from: "r\(guess)") == .wrong)
      }
      #expect(
        try await scene.judge(scene.spares[0], from: "new") == .slowed(seconds: 900), "used up")
      #expect(try await scene.judge(scene.spares[1], from: "new") == .right(.spare))
    }
  }

  @Test(arguments: Engine.allCases)
  func `wrong recovery codes take no tries from the codes of the app`(engine: Engine) async throws {
    try await play(engine) { scene in
      for guess in 0..<20 { _ = try await scene.judge("no code at all", from: "r\(guess)") }
      #expect(try await scene.judge(scene.right, from: "new") == .right(.timed))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a browser that gave a code has ten wrong ones in its life, and then is a stranger's`(
    engine: Engine
  ) async throws {
    for isCard in [true, false] {
      try await play(engine) { scene in
        let cookie = try await scene.cookie(isCard ? nil : .link(scene.ada.id))
        try await scene.lockStrangers()
        for guess in 0..<10 {
          #expect(try await scene.judge(scene.wrong, from: "k\(guess)", cookie) == .wrong)
        }
        #expect(try await scene.judge(scene.right, from: "k", cookie) == .slowed(seconds: 900))
        scene.house.clock.advance(by: 2 * 86_400_000)
        try await scene.lockStrangers()
        #expect(try await scene.judge(scene.right, from: "k", cookie) == .slowed(seconds: 900))
        // A whole sign-in gives a new one.
        let next = try await scene.cookie()
        #expect(try await scene.judge(scene.right, from: "k", next) == .right(.timed))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a device cookie for card and PIN alone is a stranger's where codes began later`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let old = try await scene.cookie()
      try await scene.registry.endFactor(of: scene.ada.id, by: "r", request: "r")
      let without = try await scene.cookie()
      try await scene.enrollAgain()
      try await scene.lockStrangers()
      for cookie in [old, without] {
        #expect(try await scene.judge(scene.right, from: "k", cookie) == .slowed(seconds: 900))
      }
      let other = try await scene.registry.patron(named: "Bob")
      let bobs = try await scene.keeper.cookie(
        DeviceCookie(nil), adding: .link(other.id), of: other.id)
      #expect(try await scene.judge(scene.right, from: "k", bobs) == .slowed(seconds: 900))
      let good = try await scene.cookie()
      try await scene.registry.endSessions(of: scene.ada.id, by: "r", request: "r")
      try await scene.lockStrangers()
      #expect(try await scene.judge(scene.right, from: "k", good) == .slowed(seconds: 900))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a count of wrong codes ends with new codes and with signing out everywhere`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      try await scene.lockStrangers()
      try await scene.registry.endFactor(of: scene.ada.id, by: "operator", request: "r")
      try await scene.enrollAgain()
      #expect(try await scene.judge(scene.right, from: "new") == .right(.timed))
      try await scene.lockStrangers()
      try await scene.registry.endSessions(of: scene.ada.id, by: "operator", request: "r")
      scene.house.clock.advance(by: 30_000)
      #expect(try await scene.judge(scene.right, from: "new") == .right(.timed))
    }
  }

  @Test(arguments: Engine.allCases)
  func `twenty wrong codes of strangers are heard in a day while the patron signs in all along`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let other = Doorkeeper(scene.house.registry())
      var (heard, cookie) = (0, try await scene.cookie())
      // Every quarter of an hour but for the last, from another address each time, at two gateways.
      for round in 0..<95 {
        for guess in 0..<12 {
          let keeper = guess.isMultiple(of: 2) ? scene.keeper : other
          let answer = try await keeper.judge(
            code: Secret(scene.wrong), of: scene.ada.id,
            from: ClientAddress("a\(round) \(guess)"), request: "r")
          if answer == .wrong { heard += 1 }
        }
        let answer = try await scene.judge(scene.right, from: "home", cookie)
        #expect(answer == .right(.timed))
        cookie = try await scene.cookie()
        scene.house.clock.advance(by: 900_000)
      }
      #expect(heard == 20)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session proves while codes are locked and another session has failed`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let (stolen, own) = (try await scene.session(), try await scene.session())
      try await scene.lockStrangers()
      for _ in 0..<10 { #expect(try await scene.prove(scene.wrong, in: stolen) == .wrongCode) }
      #expect(try await scene.prove(scene.right, in: stolen) == .slowed(seconds: 900))
      #expect(try await scene.prove(scene.right, in: own) == .right)
    }
  }
}
