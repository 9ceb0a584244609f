import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// What a patron who is signed in can do against other patrons. Mallory knows Ada's card number and not
/// her PIN.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A patron who attacks other patrons` {
  /// A catalog of the attacker's own: it has a shelf for every card and PIN.
  private static func catalog() throws -> RawServer {
    try RawServer { connection in
      guard let request = connection.request() else { return }
      let feed = """
        <?xml version="1.0" encoding="UTF-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x</id><title>Mine</title>
        <updated>2026-01-01T00:00:00Z</updated>
        <link rel="http://opds-spec.org/shelf" href="\(request.target)" \
        type="application/atom+xml;profile=opds-catalog;kind=acquisition"/></feed>
        """
      connection.answer(
        "200 OK", ["Content-Type: application/atom+xml;profile=opds-catalog", "Connection: close"],
        feed)
    }
  }

  private static func link(
    _ stage: Stage, _ reader: String, _ pin: String, at library: String,
    of provider: String = "overdrive"
  ) async throws {
    let ending = try await stage.carrel(
      "link", provider, "--library", library, "--credentials-stdin", "--as", reader,
      input: "\(Mock.ada)\n\(pin)\n")
    guard ending.code == 0 else { throw TestSupportError(ending.error) }
  }

  /// Whose pages a browser shows.
  private static func owner(_ visitor: inout Visitor) async throws -> String? {
    let home = String(decoding: try await visitor.send("/").body, as: UTF8.self)
    return home.firstMatch(of: /The library of (\w+)/).map { String($0.output.1) }
  }

  @Test func `a catalog that accepts every PIN finds out no PIN of another patron's card`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let catalog = try Self.catalog()
      defer { catalog.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      try await Self.link(stage, "ada", "1111", at: "city")
      let guesses = (0..<12).map { "00\(10 + $0)" }
      // More than one patron may link, so there are two of them.
      for (number, guess) in (guesses + ["1111"]).enumerated() {
        try await Self.link(
          stage, number < 8 ? "mallory" : "mallet", guess, at: catalog.url("/\(guess)"),
          of: "opdslibrary")
      }
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway, at: "203.0.113.200")
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        #expect(try await Self.owner(&ada) == "ada")
        // A guess that Mallory linked is as wrong as any other, and counts as any other.
        var answers: [Int] = []
        for (number, guess) in guesses.enumerated() {
          var mallory = Visitor(gateway, at: "203.0.113.\(number)")
          answers.append(
            number % 2 == 0
              ? try await mallory.signIn(Mock.ada, guess)
              : try await mallory.feed(as: Mock.ada, guess))
        }
        #expect(answers == Array(repeating: 401, count: 10) + [429, 429])
        // Nor does the address of the catalog name it at the door.
        var mallory = Visitor(gateway, at: "203.0.113.201")
        let named = try await mallory.signIn(
          Mock.ada, "0010", library: catalog.url("/0010"))
        #expect(named == 429)
        let typed = try await mallory.feed(as: "\(catalog.url("/0010"))/\(Mock.ada)", "0010")
        #expect(typed == 401)
      }
    }
  }

  @Test func `a configured catalog that asks nobody for a PIN signs nobody in`() async throws {
    try await Stage.playOnEach { stage in
      let catalog = try Self.catalog()
      defer { catalog.stop() }
      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
      let library = """
          open:
            provider: opdslibrary
            name: Open
            members: true
            endpoints:
              catalog: \(catalog.url("/open"))

        """
      try Data((settings + library).utf8).write(to: URL(filePath: stage.settings))
      try await Self.link(stage, "ada", "1111", at: "city")
      try await Self.link(stage, "mallory", "0000", at: "open", of: "opdslibrary")
      try await RunningGateway.serve(stage) { gateway in
        var mallory = Visitor(gateway)
        #expect(try await mallory.signIn(Mock.ada, "0000") == 401)
        #expect(try await mallory.signIn(Mock.ada, "0000", library: "open") == 401)
        #expect(try await mallory.feed(as: "open/\(Mock.ada)", "0000") == 401)
        // Nor is a stranger admitted as a member there.
        let member = try await mallory.signIn("99900001", "0000", library: "open")
        #expect(member == 401)
        #expect(try await stage.rows("SELECT authority FROM sign_in_way") == [["city"]])
      }
    }
  }

  @Test func `two patrons with the same number and PIN at two libraries never meet`()
    async throws
  {
    try await Stage.playOnEach { stage in
      // The mock's second library gives out no PINs unless it is asked for them.
      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
        .replacing("pin_required: false", with: "pin_required: true")
      try Data(settings.utf8).write(to: URL(filePath: stage.settings))
      try await Self.link(stage, "ada", "1111", at: "city")
      try await Self.link(stage, "bob", "1111", at: "lantern")
      let device = try await stage.json("admin", "device", "add", "phone", "--as", "bob")
      let password = try #require(device.item["password"]?.string)
      try await RunningGateway.serve(stage) { gateway in
        var visitor = Visitor(gateway)
        #expect(try await visitor.signIn(Mock.ada, "1111") == 422)
        #expect(try await Self.owner(&visitor) == nil)
        let page = String(decoding: try await visitor.send("/sign-in").body, as: UTF8.self)
        #expect(page.contains("value=\"city\"") && page.contains("value=\"lantern\""))
        for (library, owner) in [("city", "ada"), ("lantern", "bob")] {
          var browser = Visitor(gateway)
          #expect(try await browser.signIn(Mock.ada, "1111", library: library) == 303)
          #expect(try await Self.owner(&browser) == owner)
          // The choice is remembered where it was made.
          #expect(
            browser.cookies.contains { $0.key.hasSuffix("carrel_library") && $0.value == library })
          var typed = Visitor(gateway)
          #expect(try await typed.signIn("\(library)/\(Mock.ada)", "1111") == 303)
          #expect(try await Self.owner(&typed) == owner)
          #expect(try await typed.feed(as: "\(library)/\(Mock.ada)", "1111") == 200)
        }
        // An app learns how to name the library, and not which ones the pair fits.
        let pair = Data("\(Mock.ada):1111".utf8).base64EncodedString()
        let asked = try await visitor.send("/opds/shelf", .get, ["Authorization": "Basic \(pair)"])
        let document = String(decoding: asked.body, as: UTF8.self)
        #expect(asked.status.code == 401 && document.contains("LIBRARY/number"))
        // The sync of KOReader knows no PIN; the number may stand with its library.
        let sync = try await visitor.send(
          "/opds/kosync/users/auth", .get,
          [
            "x-auth-user": "lantern/\(Mock.ada)",
            "x-auth-key": Hex.encode(Digest.md5.hash(password)),
          ])
        #expect(sync.status.code == 200)
      }
    }
  }

  @Test func `cards of a database of before sign in by their own library, and no other`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let catalog = try Self.catalog()
      defer { catalog.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      try await Self.link(stage, "ada", "1111", at: "city")
      try await Self.link(stage, "mallory", "0000", at: catalog.url("/0000"), of: "opdslibrary")
      try await stage.rows("UPDATE account SET pin_verified = NULL")
      try await stage.rows("DELETE FROM sign_in_way")
      try await RunningGateway.serve(stage) { gateway in
        var mallory = Visitor(gateway, at: "203.0.113.2")
        #expect(try await mallory.signIn(Mock.ada, "0000") == 401)
        let named = try await mallory.signIn(
          Mock.ada, "0000", library: catalog.url("/0000"))
        #expect(named == 401)
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111", library: "city") == 303)
        #expect(try await Self.owner(&ada) == "ada")
        try await eventually("the job decides") {
          try await stage.rows("SELECT id FROM account WHERE pin_verified IS NULL").isEmpty
        }
        var again = Visitor(gateway)
        #expect(try await again.signIn(Mock.ada, "1111") == 303)
        #expect(try await stage.rows("SELECT authority FROM sign_in_way") == [["city"]])
      }
    }
  }
}
