import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// What a patron who is signed in can do with the card numbers of others at a library that proves no
/// PIN. Mallory knows Ada's number at the mock's second library, which asks for nothing else.
@Suite(.timeLimit(.minutes(10))) struct `Linking a card by its number alone` {
  private static let refusal = "Another patron has linked this card."
  private static let limit = "as many new cards of libraries without a PIN"

  private static func link(
    _ stage: Stage, _ card: String, as patron: String, at library: String = "lantern"
  ) async throws -> Ending {
    let pin = library == "city" ? "2222\n" : ""
    return try await stage.carrel(
      "link", "overdrive", "--library", library, "--credentials-stdin", "--as", patron,
      input: "\(card)\n\(pin)")
  }

  /// Mallory signs in by a card of the first library.
  private static func play(
    _ engine: Engine, settings: (String) -> String = { $0 },
    _ body: (Stage, RunningGateway, inout Visitor) async throws -> Void
  ) async throws {
    try await Stage.play(engine) { stage in
      let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
      try Data(settings(text).utf8).write(to: URL(filePath: stage.settings))
      #expect(try await link(stage, Mock.bruno, as: "mallory", at: "city").code == 0)
      #expect(try await link(stage, Mock.ada, as: "ada").code == 0)
      try await RunningGateway.serve(stage) { gateway in
        var mallory = Visitor(gateway, at: "198.51.100.1")
        #expect(try await mallory.signIn(Mock.bruno, "2222") == 303)
        try await body(stage, gateway, &mallory)
      }
    }
  }

  private static func link(
    _ card: String, by patron: inout Visitor
  ) async throws -> (code: Int, page: String) {
    let reply = try await patron.post(
      "/accounts/new?at=lantern", to: "/accounts/new", ["at": "lantern", "with-card": .init(card)])
    return (reply.status.code, String(decoding: reply.body, as: UTF8.self))
  }

  private static func accounts(_ stage: Stage) async throws -> Int {
    try await stage.rows("SELECT id FROM account WHERE library = 'lantern'").count
  }

  private static func linked(_ stage: Stage, by patron: String) async throws -> [String] {
    try await stage.rows(
      "SELECT a.id FROM account a JOIN patron p ON p.id = a.patron "
        + "WHERE p.name = '\(patron)' AND a.library = 'lantern'"
    ).map { $0[0] }
  }

  @Test(arguments: Engine.allCases)
  func `a patron links no card of another where only its number is asked`(
    engine: Engine
  ) async throws {
    try await Self.play(engine) { stage, gateway, mallory in
      for spelling in [Mock.ada, "2300-0000-000001", "2300 0000 000001"] {
        let answer = try await Self.link(spelling, by: &mallory)
        #expect(answer.code == 409 && answer.page.contains(Self.refusal))
      }
      #expect(try await Self.accounts(stage) == 1)
      // Her own is linked, and is not changed to Ada's afterwards.
      #expect(try await Self.link(Mock.chinua, by: &mallory).code == 303)
      let account = try #require(try await Self.linked(stage, by: "mallory").first)
      let changed = try await mallory.post(
        "/accounts/of/\(account)", ["do": "renew", "with-card": .init(Mock.ada)])
      #expect(changed.status.code == 409)
      #expect(String(decoding: changed.body, as: UTF8.self).contains(Self.refusal))
      let same = try await mallory.post(
        "/accounts/of/\(account)", ["do": "renew", "with-card": .init(Mock.chinua)])
      #expect(same.status.code == 303)
      // The operator links it for a family, and may do so again after a change.
      #expect(try await Self.link(stage, Mock.ada, as: "eve").code == 0)
      #expect(try await Self.accounts(stage) == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron tries five new numbers a day where no PIN is proved`(
    engine: Engine
  ) async throws {
    try await Self.play(engine) { stage, gateway, mallory in
      // A refused one counts as well, and once.
      for _ in 0..<3 { #expect(try await Self.link(Mock.ada, by: &mallory).code == 409) }
      #expect(try await Self.link(Mock.bruno, by: &mallory).code == 303)
      for number in 0..<24 {
        let answer = try await Self.link("2300000000\(4000 + number)", by: &mallory)
        #expect((answer.code == 429) == (number >= 3))
        if number >= 3 { #expect(answer.page.contains(Self.limit)) }
      }
      #expect(try await Self.link(Mock.chinua, by: &mallory).code == 429)
      for account in try await Self.linked(stage, by: "mallory") {
        let gone = try await mallory.post("/accounts/of/\(account)/unlink", ["sure": "yes"])
        #expect(gone.status.code == 303)
      }
      #expect(try await Self.link("23000000004099", by: &mallory).code == 429)
      // Another address, and a session of its own, is the same patron.
      var elsewhere = Visitor(gateway, at: "203.0.113.77")
      #expect(try await elsewhere.signIn(Mock.bruno, "2222") == 303)
      #expect(try await Self.link(Mock.chinua, by: &elsewhere).code == 429)
      // Where the library proves the PIN there is no such limit.
      let proved = try await elsewhere.post(
        "/accounts/new?at=city", to: "/accounts/new",
        ["at": "city", "with-card": .init(Mock.chinua), "with-pin": "3333"])
      #expect(proved.status.code == 303)
    }
  }

  @Test(arguments: Engine.allCases)
  func `where patrons do not link, the operator does, and doctor says so`(
    engine: Engine
  ) async throws {
    func told(_ stage: Stage) async throws -> [String] {
      try await stage.carrel("doctor", "--json").items.filter {
        $0["check"]?.string == "linking"
      }.compactMap { $0["message"]?.string }
    }
    let closed: (String) -> String = {
      $0.replacing("  lantern:\n", with: "  lantern:\n    patrons_link: false\n")
    }
    try await Self.play(engine, settings: closed) { stage, gateway, mallory in
      let form = try await mallory.send("/accounts/new?at=lantern")
      #expect(form.status.code == 403)
      let accounts = String(decoding: try await mallory.send("/accounts").body, as: UTF8.self)
      #expect(accounts.contains("at=city") && !accounts.contains("at=lantern"))
      let answer = try await mallory.post(
        "/accounts/new?at=city", to: "/accounts/new",
        ["at": "lantern", "with-card": .init(Mock.chinua)])
      #expect(answer.status.code == 403)
      #expect(try await Self.accounts(stage) == 1)
      #expect(try await told(stage).isEmpty)
      #expect(try await Self.link(stage, Mock.ada, as: "eve").code == 0)
      let shared = try await told(stage)
      #expect(shared.count == 1)
      #expect(shared.first?.hasPrefix("One card of lantern is linked by ada and eve") == true)
      #expect(!shared.joined().contains(Mock.ada))
      let open = try String(contentsOfFile: stage.settings, encoding: .utf8)
        .replacing("patrons_link: false", with: "patrons_link: true")
      try Data(open.utf8).write(to: URL(filePath: stage.settings))
      #expect(try await told(stage).contains { $0.contains("lantern.patrons_link: false only") })
    }
  }
}
