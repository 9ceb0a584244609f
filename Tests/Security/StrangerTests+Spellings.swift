import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// A stranger who types the number of one card in ever new ways, at a library whose database takes them
/// for the same number, as MySQL does by utf8mb4_unicode_ci; and patrons who type as they do.
@Suite struct `A stranger with many spellings` {
  /// The same card to such a library, each written in another way.
  private static let spellings: [String] =
    [0xFF10, 0x660, 0x6F0, 0x966, 0xE50, 0x1D7CE, 0x1D7F6].map { digits(from: $0) }
    + [0xFF10, 0x660].flatMap { zero in (1..<8).map { digits(from: zero, upTo: $0) } }
    + ["\u{200B}", "\u{FEFF}", "\u{AD}", "\u{2060}", "\u{FE0F}", "\u{E0100}", "\u{34F}", "\u{301}"]
    .flatMap { sign in
      [Mock.ada + sign, String(Mock.ada.prefix(3)) + sign + Mock.ada.dropFirst(3)]
    }
    + ["②", "²", "₂", "❷", "⓶", "㊁"].map { $0 + Mock.ada.dropFirst() }

  /// Those of a card with a letter in it.
  private static let names = ["ada-lœwe", "Ada-LŒWE", "ada-loewe", "àda-löwe", "ådä-lôewé"]

  private static func digits(from zero: UInt32, upTo end: Int = .max) -> String {
    var text = String.UnicodeScalarView()
    for (place, digit) in Mock.ada.unicodeScalars.enumerated() {
      text.append(place < end ? Unicode.Scalar(zero + digit.value - 48) ?? digit : digit)
    }
    return String(text)
  }

  /// A town whose patrons need no account here, with a Koha behind.
  private static func furnish(_ stage: Stage, isLenient: Bool = true) async throws {
    let told = stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == "bridgeport" }
    let endpoints = try #require(told?["endpoints"])
    try stage.writeKey(endpoints["koha_client_secret"]?.string ?? "", to: "koha")
    let town = """
        town:
          provider: library_desk
          name: Bridgeport Town Library
          members: true
          sign_in: koha
          titles: koha
          holds: koha
          koha_client_id: \(endpoints["koha_client_id"]?.string ?? "")
          koha_client_secret_file: \(stage.key("koha"))
          endpoints:
            koha: \(endpoints["koha"]?.string ?? "")

      """
    let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
    try (settings + town).write(toFile: stage.settings, atomically: true, encoding: .utf8)
    try await stage.mock.admin(
      .put, "/state",
      [
        "libraries": [
          [
            "id": "bridgeport", "settings": ["lenient_collation": .bool(isLenient)],
            "cards": [
              ["card": "ada-loewe", "pin": "1111"], ["card": "jürgen.müller", "pin": "3333"],
              ["card": "さくら", "pin": "4444"], ["card": "สมชาย", "pin": "4444"],
              ["card": "कमल", "pin": "4444"],
            ],
          ]
        ]
      ])
  }

  @Test(arguments: Engine.allCases)
  func `of a card in fifty spellings ten PINs are heard, on the page, in apps and in the link form`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await Self.furnish(stage)
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway, at: "198.51.100.1")
        #expect(try await patron.signIn(Mock.bruno, "2222", library: "town") == 303)
        var heard = 0
        for (guess, card) in Self.spellings.enumerated() {
          let pin = "9\(100 + guess)"
          var stranger = Visitor(gateway, at: "203.0.\(guess).1")
          let status: Int
          switch guess % 3 {
          case 0: status = try await stranger.signIn(card, pin, library: "town")
          case 1: status = try await stranger.feed(as: "ＴＯＷＮ／\(card)", pin)
          default:
            stranger.cookies = patron.cookies
            let form: FormFields = ["at": "town", "with-card": card, "with-pin": pin]
            status = try await stranger.post("/accounts/new?at=town", form).status.code
          }
          if status != 429 { heard += 1 }
        }
        #expect(heard == 10)
        var last = Visitor(gateway, at: "203.0.113.250")
        let right = Self.digits(from: 0xFF10)
        #expect(try await last.signIn(right, "1111", library: "town") == 429)
        #expect(try await last.feed(as: "town/\(right)", "1111") == 429)
        #expect(try await last.signIn(Mock.ada, "1111", library: "town") == 429)

        heard = 0
        for guess in 0..<20 {
          var stranger = Visitor(gateway, at: "203.0.\(100 + guess).1")
          let card = Self.names[guess % Self.names.count]
          if try await stranger.signIn(card, "8\(100 + guess)", library: "town") != 429 {
            heard += 1
          }
        }
        #expect(heard == 10)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron who types full-width digits is the same patron, and stays signed in elsewhere`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await Self.furnish(stage, isLenient: false)
      try await RunningGateway.serve(stage) { gateway in
        var phone = Visitor(gateway, at: "198.51.100.1")
        let typed = Self.digits(from: 0xFF10)
        #expect(try await phone.signIn(typed, "1111", library: "town") == 303)
        var desktop = Visitor(gateway, at: "198.51.100.2")
        #expect(try await desktop.signIn(Mock.ada, "1111", library: "town") == 303)
        #expect(try await desktop.feed(as: "town/\(Mock.ada)", "1111") == 200)
        for var browser in [phone, desktop] {
          let page = try await browser.send("/my-books")
          #expect(page.status == .ok)
        }
        #expect(try await stage.rows("SELECT card_ending FROM account") == [["0001"]])
        #expect(try await stage.rows("SELECT count(*) FROM sign_in_way") == [["1"]])
      }
      let linked = try await stage.carrel(
        "link", "library_desk", "--library", "town", "--name", "other", "--credentials-stdin",
        input: "\(Self.digits(from: 0x660))\n1111\n")
      #expect(linked.code == 0, "\(linked.error)")
      let endings = try await stage.rows("SELECT card_ending FROM account")
      #expect(endings == [["0001"], ["0001"]])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a user name with umlauts signs in, and one without them is another's`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await Self.furnish(stage, isLenient: false)
      try await RunningGateway.serve(stage) { gateway in
        for (place, typed) in ["jürgen.müller", "ju\u{308}rgen.mu\u{308}ller"].enumerated() {
          var patron = Visitor(gateway, at: "198.51.100.\(place)")
          #expect(try await patron.signIn(typed, "3333", library: "town") == 303)
          #expect(try await patron.feed(as: "town/\(typed)", "3333") == 200)
        }
        var stranger = Visitor(gateway, at: "203.0.113.1")
        let status = try await stranger.signIn("jurgen.muller", "3333", library: "town")
        #expect(status == 401)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a user name in kana, Thai or Devanagari signs in, and of its spellings ten PINs are heard`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await Self.furnish(stage, isLenient: false)
      try await RunningGateway.serve(stage) { gateway in
        for (place, typed) in ["さくら", "สมชาย", "कमल"].enumerated() {
          var patron = Visitor(gateway, at: "198.51.100.\(place)")
          #expect(try await patron.signIn(typed, "4444", library: "town") == 303)
          #expect(try await patron.feed(as: "town/\(typed)", "4444") == 200)
        }
        let spellings = ["さくら", "サクラ", "ｻｸﾗ", "ざくら", "さぐら", "さくらー", "サクラア"]
        var heard = 0
        for guess in 0..<14 {
          var stranger = Visitor(gateway, at: "203.0.\(guess).1")
          let name = spellings[guess % spellings.count]
          if try await stranger.signIn(name, "9\(100 + guess)", library: "town") != 429 {
            heard += 1
          }
        }
        #expect(heard == 10)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a number with control characters or signs that no number has is a wrong number`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await Self.furnish(stage)
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway, at: "198.51.100.1")
        #expect(try await patron.signIn(Mock.bruno, "2222", library: "town") == 303)
        let signs = ["\u{1}", "\u{7F}", "\u{9F}", "🅰", "ꝺ", "\u{363}"]
        for (place, sign) in (signs + signs).enumerated() {
          var stranger = Visitor(gateway, at: "203.0.113.\(place)")
          let card = Mock.ada + sign
          #expect(try await stranger.signIn(card, "1111", library: "town") == 401, "\(place)")
          if place < 3 { #expect(try await stranger.feed(as: "town/\(card)", "1111") == 401) }
        }
        // All that is no number has one count for each client.
        let form: FormFields = [
          "at": "town", "with-card": "\(Mock.ada)\u{1}", "with-pin": "1111",
        ]
        for guess in 1...11 {
          let answer = try await patron.post("/accounts/new?at=town", form)
          #expect(answer.status.code == (guess > 10 ? 429 : 401))
        }
      }
    }
  }
}
