import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// Has a copy of the cookie of an open session, and neither the PIN nor an app password.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A thief of a session` {
  /// As if the patron had signed in eleven minutes ago.
  static func age(_ stage: Stage) async throws {
    // The gateway may be writing.
    let patience = stage.engine == .sqlite ? "PRAGMA busy_timeout = 5000; " : ""
    try await stage.rows("\(patience)UPDATE registry_pass SET made_at = made_at - 660000")
    // Programs of before have no such column.
    _ = try? await stage.rows(
      "\(patience)UPDATE registry_pass SET fresh_at = fresh_at - 660000")
  }

  static func text(_ reply: HTTPClient.Reply) -> String {
    String(decoding: reply.body, as: UTF8.self)
  }

  static func isAsked(_ reply: HTTPClient.Reply) -> Bool {
    reply.status.code == 403 && text(reply).contains("Confirm that it is you")
  }

  /// What outlasts a session, shows a secret, or takes much along.
  private static func forms(_ account: String) -> [(page: String, path: String, FormFields)] {
    [
      ("/settings/devices", "/settings/devices", ["do": "add", "name": "mine", "scope": "read"]),
      ("/settings/codes", "/settings/codes", ["do": "begin"]),
      ("/settings/calendar", "/settings/calendar", ["do": "new"]),
      (
        "/settings/notices", "/settings/notices",
        ["do": "add", "medium": "mail", "mail-address": "mallory@example.org"]
      ),
      ("/settings/export", "/settings/export/notes", ["format": "json"]),
      ("/settings/export", "/settings/export/books", ["format": "json"]),
      ("/settings/sessions", "/settings/sessions", ["do": "everywhere"]),
      ("/profile/cards/\(account)", "/profile/cards/\(account)", ["do": "show"]),
      ("/profile/cards/\(account)", "/profile/cards/\(account)", ["do": "pin"]),
      (
        "/accounts/new", "/accounts/new",
        ["at": "city", "with-card": Mock.ada, "with-pin": "1111"]
      ),
      (
        "/accounts/of/\(account)", "/accounts/of/\(account)",
        ["do": "renew", "with-card": Mock.ada, "with-pin": "1111"]
      ),
      ("/accounts/of/\(account)", "/accounts/of/\(account)/unlink", ["sure": "yes"]),
    ]
  }

  private static func send(
    _ thief: inout Visitor, _ form: (page: String, path: String, FormFields),
    _ proof: FormFields = [:]
  ) async throws -> HTTPClient.Reply {
    let page = text(try await thief.send(form.page))
    var fields = form.2
    for field in proof.fields { fields.add(field.name, field.value) }
    let seal = page.firstMatch(of: /name="seal" value="([^"]*)"/)
    fields.add("seal", String(try #require(seal).output.1))
    return try await thief.send(form.path, form: fields)
  }

  @Test(arguments: Engine.allCases)
  func `a stolen session makes nothing that outlasts it and shows no secret without a fresh proof`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      try await stage.json("admin", "operator", "add", "reader")
      let account = try #require(try await stage.rows("SELECT id FROM account").first?.first)
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        #expect(try await ada.send("/office").status.code == 200)
        try await Self.age(stage)
        var thief = ada
        for form in Self.forms(account) {
          let reply = try await Self.send(&thief, form)
          #expect(Self.isAsked(reply), "\(form.path) \(form.2.encoded): \(reply.status)")
        }
        let first = Self.forms(account)[0]
        for guess in ["", "9999"] {
          #expect(Self.isAsked(try await Self.send(&thief, first, ["proof": guess])))
        }
        #expect(try await thief.send("/profile/cards/\(account)/bars.svg").status.code == 403)
        for path in ["/office", "/office/readers", "/office/log"] {
          let reply = try await thief.send(path)
          #expect(reply.status.code == 303, "\(path)")
          #expect(reply.headers["Location"]?.contains("/sign-in/proof") == true, "\(path)")
        }
        // Nothing of it was done.
        for table in ["registry_device", "registry_factor", "registry_calendar", "notice_channel"] {
          #expect(try await stage.rows("SELECT count(*) FROM \(table)") == [["0"]], "\(table)")
        }
        #expect(try await stage.rows("SELECT count(*) FROM account") == [["1"]])
        // What ends things is not held up, and reading goes on.
        #expect(try await thief.send("/my-books").status.code == 200)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a fresh proof lets its own browser go on, and shuts out copies of the session`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        try await Self.age(stage)
        var thief = ada
        let form: FormFields = ["do": "add", "name": "phone", "scope": "read"]
        let asked = try await ada.post("/settings/devices", form)
        #expect(Self.isAsked(asked))
        // What was typed comes along.
        #expect(Self.text(asked).contains("name=\"name\" value=\"phone\""))
        var wrong = form
        wrong.add("proof", "9999")
        #expect(Self.isAsked(try await ada.post("/settings/devices", wrong)))
        var right = form
        right.add("proof", "1111")
        let made = try await ada.post("/settings/devices", right)
        #expect(made.status.code == 200 && Self.text(made).contains("The password for phone"))
        #expect(try await ada.send("/my-books").status.code == 200)
        #expect(try await thief.send("/my-books").status.code == 303)
        // For ten minutes nothing more is asked.
        #expect(try await ada.post("/settings/calendar", ["do": "new"]).status.code == 200)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session from a sign-in link can be ended everywhere without a proof`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let told = try await stage.json("admin", "sign-in-link", "reader")
      let address = try #require(told.item["address"]?.string)
      let secret = try #require(address.split(separator: "/").last)
      try await RunningGateway.serve(stage) { gateway in
        var visitor = Visitor(gateway)
        try await visitor.send("/sign-in/link/\(secret)")
        #expect(try await visitor.post("/sign-in/link", [:]).status.code == 303)
        try await Self.age(stage)
        let asked = try await visitor.post("/settings/calendar", ["do": "new"])
        #expect(Self.isAsked(asked) && Self.text(asked).contains("Ask the operator"))
        var thief = visitor
        let ended = try await visitor.post("/settings/sessions", ["do": "everywhere"])
        #expect(ended.status.code == 303)
        #expect(try await thief.send("/my-books").status.code == 303)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `an operator signs a patron out everywhere with a button`(engine: Engine) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let ending = try await stage.carrel(
        "link", "overdrive", "--library", "city", "--credentials-stdin", "--as", "bert",
        input: "\(Mock.bruno)\n2222\n")
      #expect(ending.code == 0, "\(ending.error)")
      try await stage.json("admin", "operator", "add", "bert")
      let reader = try #require(
        try await stage.rows("SELECT id FROM patron WHERE name = 'reader'").first?.first)
      try await RunningGateway.serve(stage) { gateway in
        var stolen = Visitor(gateway)
        #expect(try await stolen.signIn(Mock.ada, "1111") == 303)
        var bert = Visitor(gateway, at: "203.0.113.9")
        #expect(try await bert.signIn(Mock.bruno, "2222") == 303)
        #expect(try await stolen.send("/my-books").status.code == 200)
        let ended = try await bert.post("/office/readers/\(reader)", ["do": "everywhere"])
        #expect(ended.status.code == 200)
        #expect(Self.text(ended).contains("1 browser was signed out."))
        #expect(try await stolen.send("/my-books").status.code == 303)
        #expect(try await bert.send("/my-books").status.code == 200)
        let by = try await stage.rows(
          """
          SELECT p.name FROM registry_audit r JOIN patron p ON p.id = r.who
          WHERE r.field = 'session' AND r.action = 'delete' AND r.account = 'session/\(reader)'
          """)
        #expect(by == [["bert"]])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a stolen device cookie is a stranger's after signing out everywhere`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        let cookie = try #require(ada.cookies.first { $0.key.hasSuffix("carrel_device") })
        #expect(try await ada.post("/settings/sessions", ["do": "everywhere"]).status.code == 303)
        // Strangers use up what they have.
        for guess in 0..<10 {
          var stranger = Visitor(gateway, at: "203.0.113.\(100 + guess)")
          #expect(try await stranger.signIn(Mock.ada, "90\(10 + guess)") == 401)
        }
        var thief = Visitor(gateway, at: "203.0.113.150")
        thief.cookies[cookie.key] = cookie.value
        #expect(try await thief.signIn(Mock.ada, "8000") == 429)
      }
    }
  }
}
