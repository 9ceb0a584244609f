import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

/// Readers whom nobody entered here: the card of a library that opens its door is enough.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A reader of a library that opens its door` {
  private struct Door: Sendable, CustomTestStringConvertible {
    let library: String
    /// Its name at the mock.
    let place: String
    /// What the mock calls whoever answers for it.
    let provider: String
    var testDescription: String { library }
  }

  private static let doors = [
    Door(library: "town", place: "bridgeport", provider: "library_desk"),
    Door(library: "mill", place: "symphony", provider: "sip2"),
  ]

  /// A town whose desk is a Koha, and a mill town with nothing but a line for machines.
  private func furnish(_ stage: Stage) throws {
    let told = stage.mock.ready["libraries"]?.array ?? []
    func endpoint(_ library: String, _ name: String) -> String {
      told.first { $0["id"]?.string == library }?["endpoints"]?[name]?.string ?? ""
    }
    func secret(_ name: String, _ text: String) throws -> String {
      let file = stage.key(name)
      try Data(text.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      return file
    }
    let koha = try secret("koha", endpoint("bridgeport", "koha_client_secret"))
    let line = try secret("line", endpoint("symphony", "sip2_password"))
    let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
    let libraries = """
        town:
          provider: library_desk
          name: Bridgeport Town Library
          members: true
          sign_in: koha
          titles: koha
          holds: koha
          koha_client_id: \(endpoint("bridgeport", "koha_client_id"))
          koha_client_secret_file: \(koha)
          endpoints:
            koha: \(endpoint("bridgeport", "koha"))
        mill:
          provider: library_desk
          name: Mill Town Library
          members: true
          sign_in: sip2
          holds: sip2
          sip2_maker: symphony
          sip2_login: \(endpoint("symphony", "sip2_login"))
          sip2_password_file: \(line)
          sip2_institution: MAIN
          sip2_answer_seconds: 2
          branches: "CPL = Central; MTH = Mott Haven"
          endpoints:
            sip2: \(endpoint("symphony", "sip2"))

      """
    try Data((settings + libraries).utf8).write(to: URL(filePath: stage.settings))
    // A database is there before readers come.
    #expect(!koha.isEmpty && endpoint("symphony", "sip2").hasPrefix("sip2://"))
  }

  private func enter(
    _ browser: inout PageBrowser, _ card: String, _ pin: String, at library: String,
    keeping: Bool = false
  ) async throws -> FeedApp.Answer {
    let door = try await browser.ask("/lib/sign-in")
    #expect(door.text.contains("Bridgeport Town Library") && door.text.contains("Mill Town"))
    var form: FormFields = [
      "card": card, "pin": pin, "library": library, "seal": try browser.field("seal", door),
    ]
    if keeping { form.add("keep", "yes") }
    return try await browser.ask("/lib/sign-in", form: form)
  }

  @Test(arguments: doors)
  private func `a member signs in on page and app, not with a wrong PIN or a silent library`(
    _ door: Door
  ) async throws {
    try await Stage.play { stage in
      try furnish(stage)
      try await RunningGateway.serve(stage) { gateway in
        var browser = PageBrowser(gateway: gateway)
        let wrong = try await enter(&browser, Mock.ada, "9999", at: door.library)
        #expect(wrong.status == 401 && wrong.text.contains("do not go together"))
        let inside = try await enter(&browser, Mock.ada, "1111", at: door.library, keeping: true)
        #expect(inside.status == 303, "\(inside.text.suffix(600))")
        #expect(try await browser.ask("/lib/my-books").status == 200)

        let app = gateway.app(name: "\(door.library)/\(Mock.ada)", word: "1111")
        #expect(try await app.ask(gateway.start).status == 200)
        let stranger = gateway.app(name: "\(door.library)/\(Mock.bruno)", word: "9999")
        #expect(try await stranger.ask(gateway.start).status == 401)

        // A library that is down says nothing of a card: apps would throw theirs away.
        try await stage.mock.add([
          "name": "down", "kind": "reset", "provider": .string(door.provider),
        ])
        let bruno = gateway.app(name: "\(door.library)/\(Mock.bruno)", word: "2222")
        let down = try await bruno.ask(gateway.start)
        #expect([502, 504].contains(down.status), "\(down.status)")
        #expect(down.headers["WWW-Authenticate"] == nil)
        var other = PageBrowser(gateway: gateway)
        let silent = try await enter(&other, Mock.bruno, "2222", at: door.library)
        #expect([502, 504].contains(silent.status), "\(silent.status)")
        #expect(silent.text.contains("as good as before"))
        try await stage.mock.removeFaults()
      }
    }
  }

  @Test(arguments: doors)
  private func `a member's new PIN ends what the old one opened, though neither is kept here`(
    _ door: Door
  ) async throws {
    try await Stage.play { stage in
      try furnish(stage)
      try await RunningGateway.serve(stage) { gateway in
        var stolen = PageBrowser(gateway: gateway)
        #expect(try await enter(&stolen, Mock.ada, "1111", at: door.library).status == 303)
        let app = gateway.app(name: "\(door.library)/\(Mock.ada)", word: "1111")
        #expect(try await app.ask(gateway.start).status == 200)
        let cards: JSONValue = [["card": .string(Mock.ada), "pin": "2468"]]
        try await stage.mock.admin(
          .put, "/state", ["libraries": [["id": .string(door.place), "cards": cards]]])
        #expect(try await stolen.ask("/lib/my-books").status == 200)
        var own = PageBrowser(gateway: gateway)
        #expect(try await enter(&own, Mock.ada, "2468", at: door.library).status == 303)
        #expect(try await stolen.ask("/lib/my-books").status == 303)
        #expect(try await app.ask(gateway.start).status == 401)
        #expect(try await own.ask("/lib/my-books").status == 200)
      }
    }
  }
}
