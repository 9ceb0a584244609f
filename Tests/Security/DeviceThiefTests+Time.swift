import AppSupport
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// The events are played at the first gateway or by command, what is open is open at the second. Each is
/// measured from the end of the request or command that made it until the last thing has closed.
@Suite(.serialized, .timeLimit(.minutes(15))) struct `How long a stolen device stays open` {
  @Test(arguments: Engine.allCases)
  func `within a second nothing stays open that one of the five events ends, from each surface`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      let title = try await stage.furnish()
      let linked = try await stage.carrel(
        "link", "overdrive", "--library", "city", "--name", "city", "--credentials-stdin",
        "--as", "bruno", input: "\(Mock.bruno)\n2222\n")
      #expect(linked.code == 0, "\(linked.error)")
      let item = try #require(try await stage.rows("SELECT item FROM book_holder").first?.first)
      try await RunningGateway.serve(stage) { first in
        // SQLite has one gateway; the command line is the second process.
        guard engine == .postgres else {
          return try await EventPlay(stage, first, first, title, item).all()
        }
        try await RunningGateway.serve(stage) { second in
          try await EventPlay(stage, first, second, title, item).all()
        }
      }
    }
  }
}

/// Plays the events one after the other on one stage.
private final class EventPlay {
  private let stage: Stage
  private let (first, second): (RunningGateway, RunningGateway)
  private let (title, item): (String, String)
  private var pin = "1111"
  private var phone = ""
  private var desk = ""
  private var took: [(event: String, last: OpenThings.Kind, time: Duration)] = []

  init(
    _ stage: Stage, _ first: RunningGateway, _ second: RunningGateway, _ title: String,
    _ item: String
  ) {
    (self.stage, self.first, self.second) = (stage, first, second)
    (self.title, self.item) = (title, item)
  }

  func all() async throws {
    desk = try await appPassword("desk")
    phone = try await appPassword("phone")
    try await lostDevice()
    try await everywhere()
    try await lostAuthenticator()
    try await changedPIN()
    try await unlinked()
    let longest = try #require(took.max { $0.time < $1.time })
    for one in took { print("\(stage.engine): \(one.event): \(one.time), last \(one.last)") }
    print("\(stage.engine): the longest of \(took.count): \(longest.time), \(longest.event)")
    #expect(longest.time <= .seconds(1), "\(longest)")
  }

  // MARK: - The events

  private func lostDevice() async throws {
    let closed: Set<OpenThings.Kind> = [.page, .part, .file, .app, .appFile]
    try await play("app password, page", closed, session: .init(name: "reader", word: phone)) {
      try await post("/settings/devices", ["do": "revoke", "name": "phone"])
    }
    phone = try await appPassword("phone")
    try await play("app password, command", closed, session: .init(name: "reader", word: phone)) {
      try await stage.json("admin", "device", "revoke", "phone", "--yes")
    }
    phone = try await appPassword("phone")
    try await play("one session, page", [.page, .part, .file]) {
      try await post("/settings/sessions", ["do": "end", "id": try await cardSession()])
    }
    try await play("one session, command", [.page, .part, .file]) {
      try await stage.json("session", "end", try await cardSession())
    }
  }

  private func everywhere() async throws {
    try await play("everywhere, page", [.page, .part, .file, .otherSession]) {
      try await post("/settings/sessions", ["do": "everywhere"])
    }
    try await play("everywhere, command", [.page, .part, .file, .otherSession]) {
      try await stage.json("session", "end", "--all")
    }
    let all = OpenThings.Kind.allCases.filter { ![.stranger, .card, .cardFile].contains($0) }
    try await play("everywhere with app passwords, command", Set(all)) {
      try await stage.json("session", "end", "--all", "--app-passwords")
    }
    desk = try await appPassword("desk")
    phone = try await appPassword("phone")
  }

  private func lostAuthenticator() async throws {
    var (app, spares) = try await authenticator()
    var own = Visitor(first)
    try await play(
      "recovery code at sign-in", [.page, .part, .file], session: .init(word: pin, code: app.now())
    ) {
      #expect(try await own.signIn(Mock.ada, pin) == 303)
      let proved = try await own.post("/sign-in/code", ["spare": spares[0]])
      #expect(proved.status.code == 303)
    }
    try await play(
      "end of codes, page", [.page, .part, .file], session: .init(word: pin, code: app.now(1))
    ) {
      let ended = try await own.post("/settings/codes", ["do": "end", "spare": spares[1]])
      #expect(ended.status.code == 303)
    }
    (app, spares) = try await authenticator()
    try await play(
      "end of codes, command", [.page, .part, .file], session: .init(word: pin, code: app.now())
    ) {
      try await stage.json("admin", "codes", "rm", "reader")
    }
  }

  private func changedPIN() async throws {
    let closed: Set<OpenThings.Kind> = [.page, .part, .file, .card, .cardFile]
    try await play("PIN, command", closed, next: "2468") { try await logIn("2468") }
    let path = try await accountPath()
    try await play("PIN, page", closed, next: "1357") {
      try await stage.mock.change(Mock.ada, ["pin": "1357"])
      let fields: FormFields = ["do": "renew", "with-card": Mock.ada, "with-pin": "1357"]
      try await post(path, fields)
    }
    try await play("PIN, found wrong by the library", closed, next: "8642") {
      try await stage.mock.change(Mock.ada, ["pin": "8642"])
      #expect(try await stage.carrel("account", "check", "city").code != 0)
    }
    try await logIn(pin)
  }

  private func unlinked() async throws {
    let closed: Set<OpenThings.Kind> = [.page, .part, .file, .card, .cardFile, .appFile]
    try await play("account unlinked, command", closed) {
      try await stage.json("unlink", "city", "--yes")
    }
    try await linkAgain()
    let path = try await accountPath()
    try await play("account unlinked, page", closed) {
      try await post("\(path)/unlink", ["sure": "yes"])
    }
    try await linkAgain()
    // It cannot be played twice: there is one patron to remove.
    let all = closed.union([.app, .otherSession])
    guard stage.engine == .postgres else {
      return try await play("patron removed, command", all) {
        try await stage.json("admin", "purge", "reader", "--confirm=reader")
      }
    }
    try await stage.json("admin", "operator", "add", "bruno")
    let id = try await stage.rows("SELECT id FROM patron WHERE name = 'reader'")
    let page = "/office/readers/\(try #require(id.first?.first))"
    var operating = Visitor(first, at: "203.0.113.90")
    #expect(try await operating.signIn(Mock.bruno, "2222") == 303)
    try await play("patron removed, operator's page", all) {
      let removed = try await operating.post(page, ["do": "purge", "confirm": "reader"])
      #expect(removed.status.code == 200)
    }
  }

  // MARK: - Playing one

  /// Opens everything, has the event made, and waits for the end of what the event closes. The rest stays,
  /// and its files can be read to their end.
  private func play(
    _ event: String, _ closed: Set<OpenThings.Kind>, session: OpenThings.SignIn? = nil,
    next: String? = nil, _ make: () async throws -> Void
  ) async throws {
    var device = try await OpenThings(
      second, item, session: session ?? .init(word: pin), pin: pin, phone: phone, desk: desk)
    try await make()
    let start = ContinuousClock.now
    var left = closed.intersection(device.kinds)
    var last = OpenThings.Kind.page
    while !left.isEmpty, .now - start < .seconds(5) {
      for kind in left where try await !device.isOpen(kind) {
        left.remove(kind)
        last = kind
      }
    }
    took.append((event, last, .now - start))
    #expect(left.isEmpty, "\(event)")
    for kind in device.kinds.subtracting(closed) {
      #expect(try await device.isOpen(kind), "\(kind) stays after \(event)")
      #expect(await device.finishes(kind), "\(kind) is whole after \(event)")
    }
    if let next { pin = next }
  }

  // MARK: - What the patron does

  /// At the first gateway, in another browser, which signed in with an app password of its own.
  private func post(_ path: String, _ fields: FormFields) async throws {
    var own = Visitor(first)
    #expect(try await own.signIn("reader", desk) == 303)
    let done = try await own.post(path, fields)
    #expect(done.status.code == 303, "\(String(decoding: done.body, as: UTF8.self))")
  }

  private func logIn(_ word: String) async throws {
    try await stage.mock.change(Mock.ada, ["pin": .string(word)])
    let done = try await stage.carrel(
      "account", "login", "city", "--credentials-stdin", input: "\(Mock.ada)\n\(word)\n")
    #expect(done.code == 0, "\(done.error)")
  }

  private func linkAgain() async throws {
    try await stage.link(Mock.ada, pin, as: "city")
    try await stage.json("sync")
    try await stage.json("get", title)
  }

  private func appPassword(_ name: String) async throws -> String {
    let told = try await stage.json("admin", "device", "add", name)
    return try #require(told.item["password"]?.string)
  }

  /// The id of the newest session that began with the card.
  private func cardSession() async throws -> String {
    let sessions = try await stage.json("session", "list").items
    let newest = sessions.filter { $0["signed_in_with"] == "card" }
      .max { ($0["made_at"]?.string ?? "") < ($1["made_at"]?.string ?? "") }
    return try #require(newest?["id"]?.string)
  }

  private func accountPath() async throws -> String {
    let id = try await stage.rows(
      "SELECT id FROM account WHERE name = 'city' AND patron = "
        + "(SELECT id FROM patron WHERE name = 'reader')")
    return "/accounts/of/\(try #require(id.first?.first))"
  }

  /// Codes at sign-in, with the recovery codes.
  private func authenticator() async throws -> (Authenticator, [String]) {
    let begun = try await stage.carrel("admin", "codes", "add", "reader")
    let app = Authenticator(try #require(begun.output.firstMatch(of: /Key +([A-Z2-7 ]+)\n/)?.1))
    let done = try await stage.carrel(
      "admin", "codes", "confirm", "reader", "--code-stdin", input: "\(app.now(-1))\n")
    let spares = done.output.split(separator: "\n").map(String.init)
      .filter { $0.wholeMatch(of: /[0-9a-z-]{29}/) != nil }
    #expect(spares.count == 10)
    return (app, spares)
  }
}

extension Authenticator {
  fileprivate func now(_ steps: Int64 = 0) -> String {
    code(at: Int64(Date.now.timeIntervalSince1970 * 1000), steps: steps)
  }
}
