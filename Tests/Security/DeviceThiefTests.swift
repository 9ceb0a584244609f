import AppSupport
import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// What a patron has open at one gateway: on a device that may be stolen.
private struct OpenDevice {
  var browser: Visitor
  var part = ""

  init(_ gateway: RunningGateway) { browser = Visitor(gateway, at: "203.0.113.77") }

  mutating func open(_ item: String) async throws {
    let page = try await browser.send("/read/city/\(item)/0")
    let text = String(decoding: page.body, as: UTF8.self)
    part = String(try #require(text.firstMatch(of: /src="\/lib(\/book\/[^"#]*)/)?.1))
  }

  /// The statuses of a page and of a part of an open book: 200 while the session is open.
  mutating func statuses() async throws -> [Int] {
    [
      try await browser.send("/my-books").status.code,
      part.isEmpty ? 200 : try await browser.send(part).status.code,
    ]
  }

  mutating func isOpen() async throws -> Bool { try await statuses() == [200, 200] }
  mutating func isShut() async throws -> Bool {
    let now = try await statuses()
    return now[0] == 303 && (part.isEmpty || now[1] == 403)
  }
}

/// The event is played at the first gateway or by command; what is open, at the second.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A thief of a device` {
  private func play(
    _ engine: Engine, _ body: (Stage, RunningGateway, RunningGateway, String) async throws -> Void
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      let held = try await stage.rows("SELECT item FROM book_holder")
      let item = try #require(held.first?.first)
      try await RunningGateway.serve(stage) { first in
        // SQLite has one gateway; the command line is the second process.
        guard engine == .postgres else { return try await body(stage, first, first, item) }
        try await RunningGateway.serve(stage) { second in
          try await body(stage, first, second, item)
        }
      }
    }
  }

  private func device(
    _ gateway: RunningGateway, _ item: String?, word: String = "1111", name: String = Mock.ada
  ) async throws -> OpenDevice {
    var device = OpenDevice(gateway)
    let status = try await device.browser.signIn(name, word)
    #expect(status == 303)
    if let item { try await device.open(item) }
    #expect(try await device.isOpen())
    return device
  }

  @Test(arguments: Engine.allCases)
  func `signing out everywhere on the pages closes every session and book at every gateway`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, first, second, item in
      var stolen = try await device(second, item)
      // Titles would go to the device without a sign-in.
      let point = Base64.urlSafe.encode(try ES256.PrivateKey().publicKey().point, padded: false)
      let push = try await stolen.browser.post(
        "/settings/notices",
        [
          "do": "device", "endpoint": "https://push.example/one", "p256dh": point,
          "auth": "AAAAAAAAAAAAAAAAAAAAAA",
        ])
      #expect(push.status.code == 303)
      #expect(try await stage.rows("SELECT medium FROM notice_channel") == [["push"]])
      var own = Visitor(first)
      #expect(try await own.signIn(Mock.ada, "1111") == 303)
      let told = try await stage.json("admin", "sign-in-link", "reader")
      #expect(told.item["address"]?.string != nil)
      let page = String(
        decoding: try await own.send("/settings/sessions").body, as: UTF8.self)
      #expect(page.components(separatedBy: "name=\"id\"").count == 3)
      #expect(page.contains("this browser"))
      let end = try await own.post("/settings/sessions", ["do": "everywhere"])
      #expect(end.status.code == 303)
      #expect(try await stolen.isShut())
      #expect(try await own.send("/my-books").status.code == 303)
      #expect(try await stage.rows("SELECT count(*) FROM sign_in_link") == [["0"]])
      #expect(try await stage.rows("SELECT count(*) FROM notice_channel") == [["0"]])
      // Card and PIN are as good as before.
      #expect(try await own.signIn(Mock.ada, "1111") == 303)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session that is ended by command or in the list is closed, and others stay`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, first, second, item in
      var stolen = try await device(second, item)
      let listed = try await stage.json("session", "list").items
      let id = try #require(listed.first?["id"]?.string)
      #expect(listed.count == 1 && listed[0]["signed_in_with"] == "card")
      var own = Visitor(first)
      #expect(try await own.signIn(Mock.ada, "1111") == 303)
      let unknown = try await stage.json("session", "end", "000000000000", exit: 5)
      #expect(unknown.failure["code"] == "unknown_session")
      #expect(try await stage.carrel("session", "end").code == 2)
      #expect(try await stage.json("session", "end", id).items.count == 1)
      #expect(try await stolen.isShut())
      #expect(try await own.send("/my-books").status.code == 200)
      #expect(try await stage.json("session", "end", "--all", "--app-passwords").items.count == 1)
      #expect(try await own.send("/my-books").status.code == 303)
      #expect(try await stage.json("session", "list").items.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `another PIN and unlinking the card close sessions and books at every gateway`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, first, second, item in
      var stolen = try await device(second, item)
      #expect(try await stolen.browser.feed(as: Mock.ada, "1111") == 200)
      try await stage.mock.change(Mock.ada, ["pin": "2468"])
      let changed = try await stage.carrel(
        "account", "login", "city", "--credentials-stdin", input: "\(Mock.ada)\n2468\n")
      #expect(changed.code == 0, "\(changed.error)")
      #expect(try await stolen.isShut())
      #expect(try await stolen.browser.feed(as: Mock.ada, "1111") == 401)
      // A sync of the gateway's that began with the old PIN has ended by then.
      try await stage.json("account", "check", "city")
      var next = try await device(second, item, word: "2468")
      try await stage.json("unlink", "city", "--yes")
      #expect(try await next.isShut())
      #expect(try await next.browser.feed(as: Mock.ada, "2468") == 401)
      _ = first
    }
  }

  @Test(arguments: Engine.allCases)
  func `a lost device's app password closes its sessions, its feeds and its books when revoked`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, first, second, item in
      let told = try await stage.json("admin", "device", "add", "phone")
      let word = try #require(told.item["password"]?.string)
      var stolen = try await device(second, item, word: word, name: "reader")
      #expect(try await stolen.browser.feed(as: "reader", word) == 200)
      var own = Visitor(first)
      #expect(try await own.signIn(Mock.ada, "1111") == 303)
      let revoked = try await own.post(
        "/settings/devices", ["do": "revoke", "name": "phone"])
      #expect(revoked.status.code == 303)
      #expect(try await stolen.isShut())
      #expect(try await stolen.browser.feed(as: "reader", word) == 401)
      #expect(try await own.send("/my-books").status.code == 200)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a session that owes a code does not open when the lost authenticator is ended`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, first, second, item in
      var before = try await device(second, item)
      let begun = try await stage.carrel("admin", "codes", "add", "reader")
      let key = try #require(begun.output.firstMatch(of: /Key +([A-Z2-7 ]+)\n/)?.1)
      let code = Authenticator(key).code(at: Int64(Date.now.timeIntervalSince1970 * 1000))
      try await stage.json(
        "admin", "codes", "confirm", "reader", "--code-stdin", input: "\(code)\n")
      // Somebody with card and PIN, but without the app.
      var owing = Visitor(second, at: "203.0.113.78")
      #expect(try await owing.signIn(Mock.ada, "1111") == 303)
      #expect(try await owing.send("/my-books").status.code == 303)
      #expect(try await before.isShut())
      #expect(try await stage.json("admin", "codes", "rm", "reader").item["changed"] == true)
      #expect(try await owing.send("/my-books").status.code == 303)
      #expect(try await before.isShut())
      _ = first
    }
  }
}
