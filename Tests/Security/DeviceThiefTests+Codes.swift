import AppSupport
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// Has learned a patron's card and PIN. Codes at sign-in are what is left between them and the patron.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `One who knows card and PIN` {
  private func play(
    _ engine: Engine, _ body: (Stage, RunningGateway) async throws -> Void
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in try await body(stage, gateway) }
    }
  }

  private struct Codes {
    let app: Authenticator
    let spares: [String]

    /// The code of the step before the present one is used up by this.
    init(_ stage: Stage) async throws {
      let begun = try await stage.carrel("admin", "codes", "add", "reader")
      app = Authenticator(try #require(begun.output.firstMatch(of: /Key +([A-Z2-7 ]+)\n/)?.1))
      let done = try await stage.carrel(
        "admin", "codes", "confirm", "reader", "--code-stdin", input: "\(app.now(-1))\n")
      spares = done.output.split(separator: "\n").map(String.init)
        .filter { $0.wholeMatch(of: /[0-9a-z-]{29}/) != nil }
      #expect(spares.count == 10)
    }
  }

  /// The status of the code: 303 is inside.
  private func signIn(
    _ browser: inout Visitor, _ field: String, _ code: String
  ) async throws -> Int {
    #expect(try await browser.signIn(Mock.ada, "1111") == 303)
    return try await browser.post("/sign-in/code", [field: code]).status.code
  }

  private static func hasDeviceCookie(_ browser: Visitor) -> Bool {
    browser.cookies.keys.contains { $0.hasSuffix("carrel_device") }
  }

  /// How many wrong codes were heard, from three addresses, until strangers have to wait.
  private func guess(_ gateway: RunningGateway) async throws -> Int {
    var heard = 0
    for address in 0..<3 {
      var thief = Visitor(gateway, at: "203.0.113.\(100 + address)")
      #expect(try await thief.signIn(Mock.ada, "1111") == 303)
      #expect(!Self.hasDeviceCookie(thief), "a browser that owes a code is not known")
      for guess in 0..<10 {
        let answer = try await thief.post("/sign-in/code", ["code": "00\(address)00\(guess)"])
        #expect([401, 429].contains(answer.status.code))
        if answer.status.code == 401 { heard += 1 }
      }
    }
    return heard
  }

  @Test(arguments: Engine.allCases)
  func `wrong codes lock out strangers, and not the owner's browser, session or recovery codes`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, gateway in
      let codes = try await Codes(stage)
      var open = Visitor(gateway, at: "198.51.100.2")
      #expect(try await signIn(&open, "spare", codes.spares[0]) == 303)
      var browser = Visitor(gateway, at: "198.51.100.1")
      #expect(try await signIn(&browser, "code", codes.app.now()) == 303)
      #expect(Self.hasDeviceCookie(browser))
      _ = try await browser.post("/sign-out", [:])
      #expect(try await guess(gateway) == 10)
      // From wherever the browser is now.
      var moved = Visitor(gateway, at: "198.51.100.99")
      moved.cookies = browser.cookies
      #expect(try await signIn(&moved, "code", codes.app.now(1)) == 303)
      #expect(try await moved.send("/my-books").status.code == 200)
      // The session that was open all along proves that it is still in its patron's hands.
      try await `A thief of a session`.age(stage)
      var form: FormFields = ["do": "add", "name": "phone", "scope": "read"]
      #expect(try await open.post("/settings/devices", form).status.code == 403)
      form.add("proof", "1111")
      form.add("proof-code", codes.spares[1])
      #expect(try await open.post("/settings/devices", form).status.code == 200)
      var new = Visitor(gateway, at: "198.51.100.3")
      #expect(try await signIn(&new, "code", codes.app.now(1)) == 429, "as a stranger is")
      for guess in 0..<12 {
        let code = "aaaa-bbbb-cccc-dddd-eeee-20\(10 + guess)"
        var thief = Visitor(gateway, at: "203.0.113.\(150 + guess)")
        #expect([401, 429].contains(try await signIn(&thief, "spare", code)))
      }
      #expect(try await new.post("/sign-in/code", ["spare": codes.spares[2]]).status.code == 303)
      #expect(try await new.send("/my-books").status.code == 200)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a lock by wrong codes ends with new codes and with signing out everywhere`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, gateway in
      var codes = try await Codes(stage)
      #expect(try await guess(gateway) == 10)
      try await stage.json("session", "end", "--all")
      var browser = Visitor(gateway, at: "198.51.100.1")
      #expect(try await signIn(&browser, "code", codes.app.now()) == 303)
      #expect(try await guess(gateway) == 10)
      #expect(try await stage.json("admin", "codes", "rm", "reader").item["changed"] == true)
      codes = try await Codes(stage)
      browser = Visitor(gateway, at: "198.51.100.1")
      #expect(try await signIn(&browser, "code", codes.app.now()) == 303)
      #expect(try await browser.send("/my-books").status.code == 200)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a stolen session gets ten codes heard, and keeps the owner's from no proof`(
    engine: Engine
  ) async throws {
    try await play(engine) { stage, gateway in
      let codes = try await Codes(stage)
      var own = Visitor(gateway, at: "198.51.100.1")
      #expect(try await signIn(&own, "code", codes.app.now()) == 303)
      var thief = Visitor(gateway, at: "203.0.113.9")
      #expect(try await signIn(&thief, "code", codes.app.now(1)) == 303)
      try await `A thief of a session`.age(stage)
      let form: FormFields = [
        "do": "add", "name": "phone", "scope": "read", "proof": "1111",
      ]
      var statuses: [Int] = []
      for guess in 0..<12 {
        var wrong = form
        wrong.add("proof-code", "0000\(10 + guess)")
        statuses.append(try await thief.post("/settings/devices", wrong).status.code)
      }
      #expect(statuses == Array(repeating: 403, count: 10) + [429, 429])
      var right = form
      right.add("proof-code", codes.spares[0])
      #expect(try await own.post("/settings/devices", right).status.code == 200)
    }
  }
}

extension Authenticator {
  fileprivate func now(_ steps: Int64 = 0) -> String {
    code(at: Int64(Date.now.timeIntervalSince1970 * 1000), steps: steps)
  }
}
