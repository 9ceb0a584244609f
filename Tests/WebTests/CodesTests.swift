import AppSupport
import BrowserSupport
import Circulation
import Database
import FoundationEssentials
import HTTP
import HTTPServer
import JSON
import Registry
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `Codes at sign-in` {
  private static let now = Int64(LobbyRoom.day.timeIntervalSince1970 * 1000)

  /// Signs in and sets up an app at the pages; the code of the step before this one is used up by it.
  private static func enrol(_ room: LobbyRoom) async throws -> (Authenticator, spares: [String]) {
    try await room.signIn()
    let begun = try await room.send(["do": "begin"], to: "/settings/codes")
    let key = try #require(begun.text.firstMatch(of: /class="number">([A-Z2-7 ]+)</)?.1)
    let app = Authenticator(key)
    let seal = try #require(begun.value("seal"))
    let code = app.code(at: now, steps: -1)
    let done = try await room.ask(
      "/settings/codes", form: ["do": "confirm", "code": code, "seal": seal])
    let spares = done.text.matches(of: /<code>([0-9a-z-]{29})<\/code>/).map { String($0.1) }
    #expect(done.status == 200 && spares.count == 10)
    #expect(done.head["Cache-Control"] == "no-store")
    return (app, spares)
  }

  @discardableResult
  private static func give(
    _ field: String, _ code: String, _ room: LobbyRoom, then: String? = nil
  ) async throws -> LobbyRoom.Answer {
    let page = try await room.ask("/sign-in/code")
    var form: FormFields = ["seal": page.value("seal") ?? ""]
    form.add(field, code)
    if let then { form.add("then", `then`) }
    return try await room.ask("/sign-in/code", form: form)
  }

  @Test(arguments: Engine.allCases)
  func `codes at sign-in are set up with a key shown once, and asked for from then on`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      let (app, _) = try await Self.enrol(room)
      // The browser it was done in stays in, and the key is told no second time.
      let page = try await room.ask("/settings/codes")
      #expect(page.status == 200 && page.text.contains("10 recovery codes are left."))
      #expect(!page.text.contains("<svg") && !page.text.contains("otpauth:"))
      let first = room.cookie("carrel_pass")
      room.keep("carrel_pass", nil)

      let half = try await room.signIn(then: "/my-books", stay: true)
      #expect(half.location == "/sign-in/code?then=/my-books&stay=month")
      let owing = try #require(room.cookie("carrel_pass"))
      // It opens nothing, and leads to the code.
      for path in ["/my-books", "/settings", "/settings/codes", "/downloads", "/profile"] {
        let shut = try await room.ask(path)
        #expect(shut.status == 303 && shut.location?.hasPrefix("/sign-in") == true, "\(path)")
      }
      #expect(
        try await room.ask("/sign-in?then=/my-books").location?.hasPrefix("/sign-in/code") == true)
      let asked = try await room.ask("/sign-in/code?then=/my-books&stay=month")
      #expect(asked.text.contains(#"autocomplete="one-time-code""#))
      #expect(asked.text.contains(#"inputmode="numeric""#))
      #expect(asked.value("then") == "/my-books" && asked.value("stay") == "month")

      #expect(try await Self.give("code", app.code(at: Self.now, steps: 5), room).status == 401)
      // The code that set it up is used.
      #expect(try await Self.give("code", app.code(at: Self.now, steps: -1), room).status == 401)
      #expect(try await Self.give("code", "", room).status == 401)
      let inside = try await Self.give("code", app.code(at: Self.now), room, then: "/my-books")
      #expect(inside.status == 303 && inside.location == "/my-books")
      #expect(try await room.ask("/my-books").status == 200)
      let whole = try #require(room.cookie("carrel_pass"))
      #expect(whole != owing && whole != first)
      #expect(try await room.ask("/sign-in/code").location == "/")
      // What was worth little before is worth nothing now.
      room.keep("carrel_pass", owing)
      #expect(try await room.ask("/my-books").status == 303)
      #expect(try await Self.give("code", app.code(at: Self.now, steps: 1), room).status == 303)
      #expect(try await room.ask("/my-books").status == 303)
    }
  }

  @Test func `a sign-in code needs its browser's form token and leads to Carrel's own pages only`()
    async throws
  {
    try await LobbyRoom.open { room in
      let (app, _) = try await Self.enrol(room)
      room.keep("carrel_pass", nil)
      try await room.signIn()
      let code = app.code(at: Self.now)
      let unsealed = try await room.ask("/sign-in/code", form: ["code": code, "seal": "x"])
      #expect(unsealed.status == 403)
      let away = try await Self.give("code", code, room, then: "//evil.example")
      #expect(away.location == "/")
      room.keep("carrel_pass", nil)
      #expect(try await room.ask("/sign-in/code", form: ["code": code]).location == "/sign-in")
      // Somebody without an app has nothing to do there.
      #expect(try await room.ask("/sign-in/code").location == "/sign-in")
    }
  }

  @Test func `Codes at sign-in let in by a recovery code once, and then tell how to go on`()
    async throws
  {
    try await LobbyRoom.open { room in
      let (_, spares) = try await Self.enrol(room)
      room.keep("carrel_pass", nil)
      try await room.signIn()
      let wrong = try await Self.give("spare", String(repeating: "2", count: 24), room)
      #expect(wrong.status == 401 && wrong.text.contains("<details class=\"more-ways\" open"))
      let inside = try await Self.give("spare", spares[0], room)
      #expect(inside.location == "/settings/codes?did=spared")
      let page = try await room.ask("/settings/codes?did=spared")
      #expect(page.text.contains("9 recovery codes are left."))
      // Ten minutes later nothing is changed without another proof, of both.
      try await room.age()
      let path = "/settings/codes"
      let bare = try await room.send(["do": "end"], to: path)
      #expect(bare.status == 403 && bare.value("proof-code") == nil)
      #expect(bare.text.contains("name=\"proof\"") && bare.text.contains("name=\"proof-code\""))
      #expect(!bare.text.contains("1234"))
      for (word, code) in [("1234", spares[0]), ("0000", spares[1]), ("1234", ""), ("", spares[1])]
      {
        let form: FormFields = ["do": "end", "proof": word, "proof-code": code]
        #expect(try await room.send(form, to: path).status == 403)
      }
      #expect(try await room.registry.secondFactor(of: room.ada.patron)?.spares == 9)
      let old = room.cookie("carrel_pass")
      let form: FormFields = ["do": "renew", "proof": "1234", "proof-code": spares[1]]
      let fresh = try await room.send(form, to: path)
      let codes = fresh.text.matches(of: /<code>([0-9a-z-]{29})<\/code>/).map { String($0.1) }
      #expect(codes.count == 10 && Set(codes).isDisjoint(with: spares))
      #expect(room.cookie("carrel_pass") != old)
      let ended = try await room.send(["do": "end"], to: path)
      #expect(ended.location == "/settings/codes?did=uncoded")
      #expect(try await room.registry.secondFactor(of: room.ada.patron) == nil)
      room.keep("carrel_pass", nil)
      #expect(try await room.signIn().location == "/")
    }
  }

  @Test func `codes at sign-in are slowed when guessed at, and not where they were set up`()
    async throws
  {
    try await LobbyRoom.open { room in
      let (app, _) = try await Self.enrol(room)
      let device = try #require(room.cookie("carrel_device"))
      room.keep("carrel_pass", nil)
      room.keep("carrel_device", nil)
      try await room.signIn()
      let right = app.code(at: Self.now)
      for _ in 0..<10 {
        #expect(try await Self.give("code", right == "000000" ? "1" : "000000", room).status == 401)
      }
      let slowed = try await Self.give("code", right, room)
      #expect(slowed.status == 429 && slowed.head["Retry-After"] == "900")
      room.keep("carrel_device", device)
      #expect(try await Self.give("code", right, room).status == 303)
    }
  }

  @Test func `codes at sign-in are set up with a proof that is not older than ten minutes`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      try await room.age()
      let asked = try await room.send(["do": "begin"], to: "/settings/codes")
      #expect(asked.status == 403 && asked.text.contains("Confirm that it is you"))
      #expect(asked.value("do") == "begin" && asked.head["Cache-Control"] == "no-store")
      let begun = try await room.send(["do": "begin", "proof": "1234"], to: "/settings/codes")
      #expect(begun.status == 200 && begun.text.contains("otpauth:"))
      // The form that was shown with it belongs to the session as it is now.
      let seal = try #require(begun.value("seal"))
      let wrong = try await room.ask(
        "/settings/codes", form: ["do": "confirm", "code": "1", "seal": seal])
      #expect(wrong.status == 422)
    }
  }

  @Test func `operators must set up codes before the office opens, where settings require it`()
    async throws
  {
    try await LobbyRoom.open(wantsCodes: true) { room in
      try await room.registry.makeOperator(room.ada.patron, by: "test", request: "r")
      try await room.signIn()
      for path in ["/office", "/office/readers"] {
        #expect(try await room.ask(path).location == "/settings/codes?for=office")
      }
      let sent = try await room.send(["do": "run"], to: "/office/jobs", from: "/settings")
      #expect(sent.location == "/settings/codes?for=office")
      #expect(try await room.ask("/settings/codes?for=office").text.contains("The office opens"))
      let (app, _) = try await Self.enrol(room)
      #expect(try await room.ask("/office").status == 200)
      room.keep("carrel_pass", nil)
      try await room.signIn()
      #expect(try await room.ask("/office", ["Accept": "text/html"]).status == 404)
      try await Self.give("code", app.code(at: Self.now), room)
      #expect(try await room.ask("/office").status == 200)
    }
  }

  @Test func `codes at sign-in can be set up by keyboard alone and meet WCAG AA on any screen`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      try await room.show("/settings/codes", on: Screen.all) { page in
        try await page.breaksNoRule()
        try await page.tab(to: "main form button")
        try await page.following { try await page.press("Enter") }
        try await page.holds("document.querySelector('svg.square path')")
        try await page.breaksNoRule()
        #expect(try await page.overflow() <= 0)
        let key = try await page.evaluate("document.querySelector('.once .number').textContent")
        try await page.tab(to: "#code")
        try await page.type(Authenticator(try #require(key.string)).code(at: Self.now))
        try await page.following { try await page.press("Enter") }
        try await page.holds("document.querySelectorAll('ol.codes li').length == 10")
        try await page.breaksNoRule()
        #expect(try await page.overflow() <= 0)
        let pass = Secret(try #require(room.cookie("carrel_pass")))
        try await room.registry.endFactor(
          of: room.ada.patron, keeping: try await room.registry.pass(with: pass)?.reference,
          by: "test", request: "r")
      }
    }
  }
}
