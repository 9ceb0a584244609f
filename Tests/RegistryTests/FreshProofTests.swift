import Circulation
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `A fresh proof` {
  private struct Scene {
    let house: House
    let registry: Registry
    let keeper: Doorkeeper
    let ada: Patron
    let account: AccountID

    func session(_ origin: SessionOrigin, pin: Secret? = nil) async throws -> BrowserPass {
      let secret = try #require(
        try await registry.newPass(by: origin, for: .month, pin: pin, request: "r"))
      return try #require(try await registry.pass(with: secret))
    }

    func judge(
      _ word: String, _ code: String = "", in pass: BrowserPass
    ) async throws -> FreshProof.Answer {
      try await keeper.judge(
        FreshProof(word: Secret(word), code: Secret(code)), in: pass, from: "home", request: "r")
    }
  }

  private func play(_ engine: Engine, _ body: (Scene) async throws -> Void) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let account = try await registry.link(ada, "21234000000018").id
      try await body(
        Scene(
          house: house, registry: registry, keeper: Doorkeeper(registry), ada: ada,
          account: account))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session counts as proved for ten minutes after the sign-in`(engine: Engine) async throws {
    try await play(engine) { scene in
      let pass = try await scene.session(.card(scene.account), pin: Secret("1234"))
      let begun = scene.house.clock.now
      #expect(pass.isFresh(at: begun) && pass.isFresh(at: begun + 599_999))
      #expect(!pass.isFresh(at: begun + 600_000) && !pass.isFresh(at: begun - 1))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a proof is the PIN of the session's card, or an app password of the patron's`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let (registry, patron) = (scene.registry, scene.ada.id)
      let pass = try await scene.session(.card(scene.account), pin: Secret("1234"))
      #expect(try await scene.judge("1234", in: pass) == .right)
      for word in ["4321", ""] { #expect(try await scene.judge(word, in: pass) == .wrongWord) }
      let all = try await registry.addDevice(named: "phone", of: patron, scopes: .all, request: "r")
        .password
      let few = try await registry.addDevice(
        named: "reader", of: patron, scopes: [.read], request: "r"
      ).password
      let bob = try await registry.patron(named: "Bob")
      let foreign = try await registry.addDevice(
        named: "phone", of: bob.id, scopes: .all, request: "r"
      ).password
      func text(_ secret: Secret) -> String { secret.revealText { $0 } }
      #expect(try await scene.judge(text(all), in: pass) == .right)
      for word in [few, foreign] {
        #expect(try await scene.judge(text(word), in: pass) == .wrongWord)
      }
      // A session of before PINs were marked is judged by the PIN that is kept.
      try await scene.house.run("DELETE FROM sign_in_pin")
      #expect(try await scene.judge("1234", in: pass) == .right)
      #expect(try await scene.judge("4321", in: pass) == .wrongWord)
      // An app password's session is not proved by the PIN of a card it did not begin with.
      let other = try await scene.session(.appPassword(patron, "phone"))
      #expect(try await scene.judge("1234", in: other) == .wrongWord)
      #expect(try await scene.judge(text(all), in: other) == .right)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron who signed in with a link has nothing to prove it with until there is something`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let pass = try await scene.session(.link(scene.ada.id))
      #expect(try await !scene.keeper.wanted(in: pass).isPossible)
      #expect(try await scene.judge("1234", in: pass) == .wrongWord)
      let word = try await scene.registry.addDevice(
        named: "phone", of: scene.ada.id, scopes: .all, request: "r"
      ).password
      #expect(try await scene.keeper.wanted(in: pass).isPossible)
      #expect(try await scene.judge(word.revealText { $0 }, in: pass) == .right)
    }
  }

  @Test(arguments: Engine.allCases)
  func `wrong proofs in one session keep no other session of the patron from proving`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let stolen = try await scene.session(.card(scene.account), pin: Secret("1234"))
      for guess in 0..<10 { #expect(try await scene.judge("9\(guess)", in: stolen) == .wrongWord) }
      #expect(try await scene.judge("1234", in: stolen) == .slowed(seconds: 900))
      let own = try await scene.session(.card(scene.account), pin: Secret("1234"))
      #expect(try await scene.judge("1234", in: own) == .right)
      #expect(try await scene.keeper.admit("21234000000018", "1234").patron == scene.ada)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a wrong proof is counted, and does not keep the patron from signing in`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let pass = try await scene.session(.card(scene.account), pin: Secret("1234"))
      for guess in 0..<10 { #expect(try await scene.judge("9\(guess)", in: pass) == .wrongWord) }
      #expect(try await scene.judge("1234", in: pass) == .slowed(seconds: 900))
      #expect(try await scene.keeper.admit("21234000000018", "1234").patron == scene.ada)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session that was proved goes on under another secret, and the old one is none`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene in
      let registry = scene.registry
      let old = try #require(
        try await registry.newPass(
          by: .card(scene.account), for: .month, pin: Secret("1234"), request: "r"))
      scene.house.clock.advance(by: 700_000)
      let pass = try #require(try await registry.pass(with: old))
      let now = scene.house.clock.now
      #expect(!pass.isFresh(at: now))
      let new = try #require(
        try await registry.renew(pass, old, as: .plain, agent: nil, request: "r"))
      #expect(try await registry.pass(with: old) == nil)
      #expect(try await registry.pass(with: new)?.isFresh(at: now) == true)
    }
  }
}
