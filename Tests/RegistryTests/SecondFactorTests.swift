import AppSupport
import Circulation
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite struct `A second factor` {
  /// A reader who signs in with codes, the app and the recovery codes.
  private struct Enrolled {
    let patron: Patron
    let account: AccountID
    let app: Authenticator
    let spares: [String]
  }

  /// The code of the step before the present one is used up by this.
  private static func enrol(_ house: House) async throws -> Enrolled {
    let registry = house.registry()
    let ada = try await registry.patron(named: "Ada")
    let account = try await registry.link(ada, "21234000000018").id
    let app = try await begin(ada, registry)
    let code = app.code(at: house.clock.now, steps: -1)
    let spares = try await registry.confirmFactor(
      of: ada.id, with: Secret(code), by: "Ada", request: "r")
    return Enrolled(
      patron: ada, account: account, app: app,
      spares: try #require(spares).map { $0.revealText { $0 } })
  }

  private static func begin(_ patron: Patron, _ registry: Registry) async throws -> Authenticator {
    let begun = try await registry.beginFactor(
      of: patron, issuer: "Town", by: "Ada", request: "r")
    guard case .begun(let key) = begun else {
      throw RegistryError.noSuchPatron("is enrolled already")
    }
    return key.text.revealText { Authenticator($0) }
  }

  private static func later(_ house: House) { house.clock.advance(by: 1_700_000_000_000) }

  @Test(arguments: Engine.allCases)
  func `A second factor counts from the first right code on, and is kept sealed`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      Self.later(house)
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let old = try await Self.begin(ada, registry)
      let app = try await Self.begin(ada, registry)
      let now = house.clock.now
      func confirm(_ code: String) async throws -> [Secret]? {
        try await registry.confirmFactor(
          of: ada.id, with: Secret(code), by: "Ada", request: "r")
      }
      // Begun anew, the first key is void; and nothing counts before a code was given.
      #expect(try await confirm(old.code(at: now)) == nil)
      #expect(try await registry.secondFactor(of: ada.id) == nil)
      #expect(
        try await registry.useCode(Secret(app.code(at: now)), of: ada.id, request: "r") == nil)
      let typed = app.code(at: now)
      let spares = try #require(try await confirm("\(typed.prefix(3)) \(typed.suffix(3))"))
      #expect(
        Set(spares.map { $0.revealText { $0 } }).count == 10 && spares.allSatisfy { $0.count == 29 }
      )
      #expect(try await registry.secondFactor(of: ada.id) == SecondFactor(since: now, spares: 10))
      #expect(try await registry.secondFactors().map(\.owner) == ["Ada"])
      // Nor is it begun or confirmed a second time.
      guard
        case .there = try await registry.beginFactor(
          of: ada, issuer: "x", by: "Ada", request: "r")
      else { return #expect(Bool(false), "it was begun over one that counts") }
      #expect(try await confirm(app.code(at: now, steps: 1)) == nil)
      let sealed = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT sealed FROM registry_factor", as: [UInt8].self)
      }
      #expect(try Vault.keyNumber(of: sealed) == 1 && sealed.count == 4 + 12 + 64 + 16)
      let marks = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.rows("SELECT mark FROM registry_spare") {
          row throws(DatabaseError) -> [UInt8] in
          try row[0]
        }
      }
      #expect(marks.count == 10 && marks.allSatisfy { $0.count == 32 })
    }
  }

  @Test(arguments: Engine.allCases)
  func `A second factor takes a code once, at whichever gateway, and none of before`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      Self.later(house)
      let ada = try await Self.enrol(house)
      let registries = [house.registry(), house.registry()]
      func use(_ code: String, _ gateway: Int = 0) async throws -> Registry.FactorProof? {
        try await registries[gateway].useCode(Secret(code), of: ada.patron.id, request: "r")
      }
      let now = house.clock.now
      #expect(try await use(ada.app.code(at: now, steps: -1)) == nil)
      let code = ada.app.code(at: now)
      let taken = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<10 {
          group.addTask { (try? await use(code, number % 2)) == .timed }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(taken == 1)
      #expect(try await use(ada.app.code(at: now, steps: 1)) == .timed)
      #expect(try await use(code) == nil)
      #expect(try await use(ada.app.code(at: now, steps: 2)) == nil)
      house.clock.advance(by: 60_000)
      #expect(try await use(ada.app.code(at: house.clock.now), 1) == .timed)
      // What a clock that was ahead wrote shuts nobody out.
      try await house.run("UPDATE registry_factor SET last_step = \(Int64(1) << 50)")
      #expect(try await use(ada.app.code(at: house.clock.now)) == .timed)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a second factor takes each recovery code once, in any spelling, until renewed`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      Self.later(house)
      let ada = try await Self.enrol(house)
      let registry = house.registry()
      func use(_ code: String) async throws -> Registry.FactorProof? {
        try await registry.useCode(Secret(code), of: ada.patron.id, request: "r")
      }
      #expect(try await use(ada.spares[0].uppercased().replacing("-", with: " ")) == .spare)
      #expect(try await use(ada.spares[0]) == nil)
      #expect(try await use(ada.spares[1]) == .spare)
      #expect(try await registry.secondFactor(of: ada.patron.id)?.spares == 8)
      let berta = try await registry.patron(named: "Berta")
      #expect(try await registry.useCode(Secret(ada.spares[2]), of: berta.id, request: "r") == nil)
      #expect(try await registry.renewSpares(of: berta.id, by: "x", request: "r") == nil)
      let fresh = try #require(
        try await registry.renewSpares(of: ada.patron.id, by: "x", request: "r"))
      #expect(try await use(ada.spares[2]) == nil)
      #expect(try await use(fresh[9].revealText { $0 }) == .spare)
      // Who did what, and never what was in it.
      let audit = try await registry.audit(of: AccountID("factor/\(ada.patron.id.rawValue)"))
      let fields = audit.map { "\($0.action.rawValue) \($0.field)" }
      #expect(
        fields == [
          "write begun", "write code", "write recovery", "delete recovery", "fail code",
          "delete recovery", "write recovery", "fail code", "delete recovery",
        ])
    }
  }

  @Test(arguments: Engine.allCases)
  func `with a second factor a browser pass opens nothing until a code is given`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      Self.later(house)
      let registry = house.registry()
      let patron = try await registry.patron(named: "Ada")
      let card = try await registry.link(patron, "21234000000018").id
      let before = try #require(
        try await registry.newPass(by: .card(card), for: .month, request: "r"))
      let here = try #require(
        try await registry.newPass(by: .card(card), for: .month, request: "r"))
      #expect(try await registry.pass(with: here)?.proof == BrowserPass.Proof.none)
      let app = try await Self.begin(patron, registry)
      _ = try await registry.confirmFactor(
        of: patron.id, with: Secret(app.code(at: house.clock.now)), in: here, by: "Ada",
        request: "r")
      #expect(try await registry.pass(with: here)?.proof == .given)
      #expect(try await registry.pass(with: before)?.proof == .owed)
      let owing = try #require(
        try await registry.newPass(by: .card(card), for: .month, request: "r"))
      let pass = try #require(try await registry.pass(with: owing))
      #expect(pass.proof == .owed && pass.until - pass.madeAt == 900_000)
      let whole = try #require(
        try await registry.newPass(by: .card(card), for: .month, proved: true, request: "r"))
      #expect(try await registry.pass(with: whole)?.proof == .given)
      house.clock.advance(by: 900_000)
      #expect(try await registry.pass(with: owing) == nil)
      // Gone and come back, it wants codes of the new app.
      let kept = try #require(try await registry.pass(with: whole)).reference
      let late = try #require(
        try await registry.newPass(by: .card(card), for: .month, request: "r"))
      #expect(
        try await registry.endFactor(of: patron.id, keeping: kept, by: "x", request: "r"))
      // Those that owed a code do not open because nothing is asked for any more.
      #expect(try await registry.pass(with: before) == nil)
      #expect(try await registry.pass(with: late) == nil)
      #expect(try await registry.pass(with: whole)?.proof == BrowserPass.Proof.none)
      let next = try await Self.begin(patron, registry)
      _ = try await registry.confirmFactor(
        of: patron.id, with: Secret(next.code(at: house.clock.now)), by: "Ada", request: "r")
      #expect(try await registry.pass(with: whole)?.proof == .owed)
      #expect(try await !registry.endFactor(of: PatronID("nobody"), by: "x", request: "r"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A second factor is guessed at as seldom as a PIN, over all gateways`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      Self.later(house)
      let ada = try await Self.enrol(house)
      let keepers = [Doorkeeper(house.registry()), Doorkeeper(house.registry())]
      func judge(_ code: String, _ number: Int) async throws -> Doorkeeper.CodeAnswer {
        try await keepers[number % 2].judge(
          code: Secret(code), of: ada.patron.id, from: ClientAddress("h\(number)"), request: "r")
      }
      let right = ada.app.code(at: house.clock.now)
      let wrong = right == "123456" ? "654321" : "123456"
      for number in 0..<10 { #expect(try await judge(wrong, number) == .wrong) }
      #expect(try await judge(right, 10) == .slowed(seconds: 900))
      house.clock.advance(by: 900_000)
      #expect(try await judge(ada.app.code(at: house.clock.now), 12) == .right(.timed))
      // Ten of the twenty of a day are left, however often a right one was given.
      for number in 0..<9 { #expect(try await judge(wrong, number + 20) == .wrong) }
      let (place, code) = (ClientAddress("one place"), ada.app.code(at: house.clock.now, steps: 1))
      house.clock.advance(by: 900_000)
      for number in 0..<30 {
        _ = try await keepers[0].judge(
          code: Secret(code), of: PatronID("p\(number)"), from: place, request: "r")
      }
      #expect(
        try await keepers[1].judge(
          code: Secret(code), of: ada.patron.id, from: place, request: "r")
          == .slowed(seconds: 3_600))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A second factor shuts card and PIN out where nobody can be asked for a code`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      Self.later(house)
      let registry = house.registry()
      let keeper = Doorkeeper(registry)
      let patron = try await registry.patron(named: "Ada")
      _ = try await registry.link(patron, "21234000000018")
      let (_, password) = try await registry.addDevice(
        named: "kobo", of: patron.id, scopes: .all, request: "r")
      // Known from before, and kept in mind.
      #expect(try await keeper.admit("21234000000018", "1234").patron == patron)
      let app = try await Self.begin(patron, registry)
      _ = try await registry.confirmFactor(
        of: patron.id, with: Secret(app.code(at: house.clock.now)), by: "Ada", request: "r")
      #expect(try await keeper.admit("21234000000018", "1234") == .refused)
      #expect(try await Doorkeeper(registry).admit("21234000000018", "1234") == .refused)
      let word = password.revealText { $0 }
      #expect(try await keeper.admit("21234000000018", word).patron == patron)
      let atPages = try await keeper.admit(
        Secret("21234000000018"), Secret("1234"), from: "home", request: "r", at: .pages)
      #expect(atPages.patron == patron)
      #expect(try await keeper.admit("21234000000018", "1234") == .refused)
    }
  }
}
