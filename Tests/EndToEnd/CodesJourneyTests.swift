import AppSupport
import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Codes of a reader` {
  @Test(arguments: Engine.allCases)
  func `two-factor codes are set up and removed by command, and no secret is stored in clear`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let unknown = try await stage.json("admin", "codes", "add", "nobody", exit: 5)
      #expect(unknown.failure["code"] == "unknown_reader")
      #expect(try await stage.carrel("admin", "codes", "ls").output.hasPrefix("Nobody"))
      _ = try await stage.json("admin", "codes", "add", "reader")
      let told = try await stage.json("admin", "codes", "add", "reader")
      #expect(told.item["since"] == .null && told.item["changed"] == true)
      let begun = try await stage.carrel("admin", "codes", "add", "reader")
      let key = try #require(begun.output.firstMatch(of: /Key +([A-Z2-7 ]+)\n/)?.1)
      #expect(begun.output.contains("otpauth://totp/"))
      #expect(try await stage.json("admin", "codes", "ls").items.isEmpty)

      let app = Authenticator(key)
      func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
      let far = app.code(at: now(), steps: 9)
      let wrong = try await stage.json(
        "admin", "codes", "confirm", "reader", "--code-stdin", input: "\(far)\n", exit: 6)
      #expect(wrong.failure["code"] == "code_wrong")
      let mute = try await stage.json("admin", "codes", "confirm", "reader", exit: 2)
      #expect(mute.error.contains("--code-stdin"))
      let right = app.code(at: now())
      let done = try await stage.carrel(
        "admin", "codes", "confirm", "reader", "--code-stdin", input: "\(right)\n")
      #expect(done.code == 0 && done.error.isEmpty)
      let spares = done.output.split(separator: "\n").map(String.init)
        .filter { $0.wholeMatch(of: /[0-9a-z-]{29}/) != nil }
      #expect(spares.count == 10)
      let listed = try await stage.json("admin", "codes", "ls").items
      #expect(listed.first?["recovery_codes"] == 10 && listed.first?["since"]?.string != nil)
      let again = try await stage.json("admin", "codes", "add", "reader", exit: 6)
      #expect(again.failure["code"] == "codes_exist")
      #expect(try await stage.carrel("admin", "codes", "ls").output.contains("10 recovery codes"))

      // In no table, no file, and no document.
      let secrets = spares + [String(key), key.filter { $0 != " " }]
      for table in try await stage.tables() {
        let rows = try await stage.rows("SELECT * FROM \(table)").joined().joined(separator: "\n")
        #expect(!secrets.contains { rows.contains($0) }, "\(table)")
      }
      let documents = stage.endings.map(\.output).filter { $0.hasPrefix("{") }
      #expect(documents.count > 3)
      #expect(!documents.contains { text in secrets.contains { text.contains($0) } })
      #expect(!stage.endings.contains { ending in secrets.contains { ending.error.contains($0) } })

      #expect(try await stage.json("admin", "codes", "rm", "reader").item["changed"] == true)
      #expect(try await stage.json("admin", "codes", "rm", "reader").item["changed"] == false)
      #expect(try await stage.json("admin", "codes", "ls").items.isEmpty)
    }
  }

  @Test func `a running gateway asks for codes on its pages and refuses card and PIN in feeds`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("admin", "operator", "add", "reader")
      try stage.addSettings("office:\n  codes: demanded\n")
      try await RunningGateway.serve(stage) { gateway in
        var browser = PageBrowser(gateway: gateway)
        try await browser.signIn(Mock.ada, "1111")
        let sent = try await browser.ask("/lib/office")
        #expect(sent.status == 303 && sent.headers["Location"]?.contains("/settings/codes") == true)
        let begun = try await stage.carrel("admin", "codes", "add", "reader")
        let key = try #require(begun.output.firstMatch(of: /Key +([A-Z2-7 ]+)\n/)?.1)
        let app = Authenticator(key)
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        try await stage.json(
          "admin", "codes", "confirm", "reader", "--code-stdin",
          input: "\(app.code(at: before, steps: -1))\n")
        // The browser that was in owes a code at once.
        #expect(try await browser.ask("/lib/my-books").status == 303)
        #expect(try await gateway.app().ask(gateway.site + "/opds").status == 401)
        let code = app.code(at: Int64(Date().timeIntervalSince1970 * 1000))
        #expect(try await browser.post("/lib/sign-in/code", ["code": code]).status == 303)
        #expect(try await browser.ask("/lib/office").status == 200)
        let log = try await browser.ask("/lib/office/log")
        #expect(log.text.contains("Set up codes at sign-in for a reader"))
      }
    }
  }
}
