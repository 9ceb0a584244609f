import Foundation
import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// Everything that a patron has open at one gateway: a browser with a book, an app with an app password and one
/// with card and PIN, each with a file under way.
struct OpenThings {
  enum Kind: CaseIterable {
    case page, part, file
    case card, cardFile
    case app, appFile
    /// A session that began with another app password.
    case otherSession
    /// Another patron.
    case stranger
  }

  private var browser: Visitor
  private var other: Visitor?
  private var stranger: Visitor
  private let apps: Visitor
  private let part: String
  private let (card, app): (String, String)
  private let (file, cardFile, appFile): (SlowReader, SlowReader?, SlowReader)

  struct SignIn {
    var name = Mock.ada
    var word: String
    /// With codes at sign-in, card and PIN open no app and a session owes one.
    var code: String?
  }

  /// `phone` and `desk` are app passwords.
  init(
    _ gateway: RunningGateway, _ item: String, session: SignIn, pin: String, phone: String,
    desk: String
  ) async throws {
    (card, app) = ("\(Mock.ada):\(pin)", "reader:\(phone)")
    apps = Visitor(gateway, at: "203.0.113.80")
    browser = Visitor(gateway, at: "203.0.113.77")
    #expect(try await browser.signIn(session.name, session.word) == 303)
    if let code = session.code {
      #expect(try await browser.post("/sign-in/code", ["code": code]).status.code == 303)
    } else {
      var signing = Visitor(gateway, at: "203.0.113.78")
      #expect(try await signing.signIn("reader", desk) == 303)
      other = signing
    }
    stranger = Visitor(gateway, at: "203.0.113.79")
    #expect(try await stranger.signIn(Mock.bruno, "2222") == 303)
    var (reading, found) = (browser, "")
    // A gateway may know for a second the shelf of before.
    try await eventually("the book") {
      let page = String(
        decoding: try await reading.send("/read/city/\(item)/0").body, as: UTF8.self)
      found = String(page.firstMatch(of: /src="\/lib(\/book\/[^"#]*)/)?.1 ?? "")
      return !found.isEmpty
    }
    part = found
    var asking = apps
    let shelf = try await asking.send(
      "/opds/shelf", .get, ["Authorization": "Basic \(Self.encoded(app))"])
    let address = String(decoding: shelf.body, as: UTF8.self)
      .firstMatch(of: /\/lib(\/opds\/[^"]*\/files\/[^"]*)/)
    let path = String(try #require(address?.1))
    file = try await SlowReader(browser, "/files/city/\(item)")
    appFile = try await SlowReader(apps, path, basic: app)
    cardFile = session.code == nil ? try await SlowReader(apps, path, basic: card) : nil
    for kind in kinds { #expect(try await isOpen(kind), "\(kind) before") }
  }

  /// Those that there are.
  var kinds: Set<Kind> {
    var kinds = Set(Kind.allCases)
    if cardFile == nil { kinds.subtract([.card, .cardFile, .otherSession]) }
    return kinds
  }

  mutating func isOpen(_ kind: Kind) async throws -> Bool {
    switch kind {
    case .page: try await browser.send("/my-books").status == .ok
    case .part: try await browser.send(part).status == .ok
    case .otherSession: try await other?.send("/my-books").status == .ok
    case .stranger: try await stranger.send("/my-books").status == .ok
    case .card: try await feed(card)
    case .app: try await feed(app)
    case .file: !file.isBroken
    case .cardFile: cardFile?.isBroken == false
    case .appFile: !appFile.isBroken
    }
  }

  /// Reads a file to its end.
  func finishes(_ kind: Kind) async -> Bool {
    switch kind {
    case .file: await file.finishes()
    case .cardFile: await cardFile?.finishes() == true
    case .appFile: await appFile.finishes()
    case .page, .part, .card, .app, .otherSession, .stranger: true
    }
  }

  private func feed(_ pair: String) async throws -> Bool {
    var asking = apps
    return try await asking.send(
      "/opds/shelf", .get, ["Authorization": "Basic \(Self.encoded(pair))"]
    ).status == .ok
  }

  private static func encoded(_ pair: String) -> String { Data(pair.utf8).base64EncodedString() }
}
