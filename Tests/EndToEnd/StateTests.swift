import Circulation
import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// Every move of the table of states, reached by commands, by the library and by its clock. What
/// really moved is written down by the database itself.
@Suite(.timeLimit(.minutes(5))) struct `The twelve states` {
  @Test func `The twelve states are all lived, by every move there is`() async throws {
    try await Stage.playOnEach { stage in
      try stage.addSettings("downloads:\n  at_once: 1\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let moves = try await Moves(stage, stage.engine)
      let titles = try await stage.mock.truth().titles
      let (books, wanted) = (try await Self.plain(stage), "city:\(titles[5].id)")
      try #require(books.count >= 2)

      try await saves(books[0], wanted, stage)
      try await waits(wanted, titles[6].id, stage)
      try await fetches(books[0], books[1], stage)
      try await fails(books[0], books[1], stage)
      try await ends(books[0], stage)

      let table = BookState.allCases.flatMap { from in
        from.possibleEvents.compactMap { from.after($0) }.map { "\(from.rawValue) \($0.rawValue)" }
      }
      let seen = try await moves.seen()
      #expect(Set(table).subtracting(seen) == [], "never reached")
      // A way of several moves may be written down at once: what it passed by is not seen.
      let shortcuts: Set = [
        "none loan_offered", "waiting_for_loan not_downloaded", "loan_expired not_downloaded",
        "waiting_for_loan loan_offer_expired", "download_queued loan_expired",
        "downloading loan_expired", "downloading none", "download_queued none",
      ]
      #expect(seen.subtracting(table).subtracting(shortcuts) == [], "no move of the table")
    }
  }

  private func saves(_ book: String, _ wanted: String, _ stage: Stage) async throws {
    try await stage.json("save", book)
    try await stage.json("unsave", book)
    try await stage.json("save", book)
    try await stage.json("borrow", book)
    try await stage.json("return", book)
    try await stage.json("save", wanted)
    try await stage.json("hold", "add", wanted)
    #expect(try await state(of: wanted, stage) == "waiting_for_loan")
    try await stage.json("hold", "cancel", wanted)
    #expect(try await state(of: wanted, stage) == "none")
  }

  /// The crowd's loans end, and a copy comes for each of three readers: taken, turned down, missed.
  private func waits(_ wanted: String, _ ready: String, _ stage: Stage) async throws {
    let bruno = "bruno:\(wanted.dropFirst("city:".count))"
    let chinua = "chinua:\(ready)"
    for (name, card, pin) in [("bruno", Mock.bruno, "2222"), ("chinua", Mock.chinua, "3333")] {
      try await stage.json(
        "link", "overdrive", "--library", "city", "--name", name, "--as", name,
        "--credentials-stdin", input: "\(card)\n\(pin)\n")
      try await stage.json("sync", "--as", name)
    }
    try await stage.json("hold", "add", wanted)
    #expect(try await state(of: wanted, stage) == "waiting_for_loan")
    #expect(try await state(of: bruno, as: "bruno", stage) == "waiting_for_loan")
    #expect(try await state(of: chinua, as: "chinua", stage) == "loan_offered")
    try await stage.mock.advance("22d")
    for name in ["bruno", "chinua"] { try await stage.json("sync", "--as", name) }
    try await stage.json("sync")
    #expect(try await state(of: wanted, stage) == "loan_offered")
    #expect(try await state(of: bruno, as: "bruno", stage) == "loan_offered")
    #expect(try await state(of: chinua, as: "chinua", stage) == "loan_offer_expired")
    try await stage.json("hold", "accept", wanted)
    #expect(try await state(of: wanted, stage) == "not_downloaded")
    try await stage.json("hold", "decline", bruno, "--as", "bruno")
    #expect(try await state(of: bruno, as: "bruno", stage) == "none")
    try await stage.json("dismiss", chinua, "--as", "chinua")
    // This library puts whoever misses an offer back into the queue.
    #expect(try await state(of: chinua, as: "chinua", stage) == "waiting_for_loan")
    try await stage.mock.advance("22d")
    try await stage.json("sync")
    #expect(try await state(of: wanted, stage) == "loan_expired")
    try await stage.json("dismiss", wanted)
    #expect(try await state(of: wanted, stage) == "none")
  }

  private func fetches(_ one: String, _ two: String, _ stage: Stage) async throws {
    for book in [one, two] { try await stage.json("borrow", book) }
    let got = try await stage.json("get", one, two, "--format", "epub")
    #expect(got.items.map { $0["state"] } == ["done", "done"])
    for item in got.items {
      let file = URL(filePath: item["path"]?.string ?? "")
      #expect(try Data(contentsOf: file).count == item["received"]?.integer)
    }
    #expect(try await state(of: one, stage) == "download_completed")
    #expect(try await stage.json("get", one).item["state"] == "done")
    let read = try await stage.carrel("read", one, "--linear")
    #expect(read.code == 0 && read.output.contains("The end of the book."))
    #expect(try await state(of: one, stage) == "opened")
    #expect(try await stage.carrel("read", "--linear").output == read.output)
    // The files go with the loans.
    for (book, item) in zip([one, two], got.items) {
      try await stage.json("return", book)
      #expect(try await state(of: book, stage) == "none")
      #expect(!FileManager.default.fileExists(atPath: item["path"]?.string ?? ""))
    }
  }

  private func fails(_ one: String, _ two: String, _ stage: Stage) async throws {
    for book in [one, two] { try await stage.json("borrow", book) }
    // The line is slow, and the second waits for the first.
    try await stage.mock.add([
      "name": "slow", "kind": "latency", "milliseconds": 600000, "operation": "content",
    ])
    let running = try stage.start(["get", one, two, "--format", "epub", "--json"])
    try await eventually("one under way and one in the line") {
      let (first, second) = (try await state(of: one, stage), try await state(of: two, stage))
      return first == "downloading" && second == "download_queued"
    }
    #expect(try await stage.json("queue").items.map { $0["state"] } == ["running", "queued"])
    try await stage.json("queue", "pause", two)
    try await stage.json("queue", "resume", two)
    try await stage.json("queue", "cancel", two)
    #expect(try await state(of: two, stage) == "not_downloaded")
    try await stage.json("queue", "cancel", one)
    #expect(try await state(of: one, stage) == "not_downloaded")
    _ = try await running.waitForEnd()
    try await stage.mock.removeFaults()

    // The card is refused for the first, and so for all that wait with it.
    try await stage.mock.add([
      "name": "refused", "kind": "status", "status": 401, "operation": "downloadLink",
    ])
    let refused = try await stage.json("get", one, two, "--format", "epub", exit: 4)
    #expect(refused.items.map { $0["state"] } == ["failed", "failed"])
    #expect(try await state(of: two, stage) == "download_failed")
    try await stage.json("get", one, two, "--format", "epub", exit: 4)
    try await stage.json("return", one)
    #expect(try await state(of: one, stage) == "none")
    // The other one's loan ends.
    try await stage.mock.removeFaults()
    try await stage.mock.advance("22d")
    try await stage.json("sync")
    #expect(try await state(of: two, stage) == "loan_expired")
    try await stage.json("dismiss", two)
  }

  /// Loans end by the library's clock, whatever was done with them.
  private func ends(_ book: String, _ stage: Stage) async throws {
    for isOpened in [false, true] {
      try await stage.json("borrow", book)
      try await stage.json("get", book, "--format", "epub")
      if isOpened { _ = try await stage.carrel("read", book, "--linear") }
      try await stage.mock.advance("22d")
      try await stage.json("sync")
      #expect(try await state(of: book, stage) == "loan_expired")
      // Once it helps, it is borrowed again by one command.
      if !isOpened { continue }
      try await stage.json("borrow", book)
      #expect(try await state(of: book, stage) == "not_downloaded")
    }
  }

  /// Books of which copies are in, as plain files.
  private static func plain(_ stage: Stage) async throws -> [String] {
    let lane = try await stage.json("lane", "show", "available", "--limit", "200")
    return lane.items.compactMap { work in
      guard let offer = work["offers"]?[0], offer["availability"]?["status"] == "available",
        let formats = offer["formats"]?.array,
        formats.contains(where: { $0["format"] == "epub" && $0["drm"] == "none" })
      else { return nil }
      return offer["id"]?.string
    }
  }

  private func state(
    of book: String, as reader: String = "reader", _ stage: Stage
  ) async throws -> String {
    try await stage.json("books", "--as", reader).items.first { $0["id"]?.string == book }?[
      "state"]?.string
      ?? "none"
  }
}

/// What the table of states really did, told by triggers in the database.
private struct Moves {
  let stage: Stage

  init(_ stage: Stage, _ engine: Engine) async throws {
    self.stage = stage
    try await stage.rows("CREATE TABLE seen_move (one TEXT, two TEXT)")
    let tellings = [
      ("INSERT", "'none', NEW.state", "NEW.state <> 'none'"),
      ("UPDATE", "OLD.state, NEW.state", "OLD.state <> NEW.state"),
      ("DELETE", "OLD.state, 'none'", "OLD.state <> 'none'"),
    ]
    for (event, values, condition) in tellings {
      switch engine {
      case .sqlite:
        try await stage.rows(
          """
          CREATE TRIGGER seen_\(event) AFTER \(event) ON book WHEN \(condition)
          BEGIN INSERT INTO seen_move VALUES (\(values)); END
          """)
      case .postgres:
        try await stage.rows(
          """
          CREATE FUNCTION seen_\(event)() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN INSERT INTO seen_move VALUES (\(values)); RETURN NULL; END $$;
          CREATE TRIGGER seen_\(event) AFTER \(event) ON book FOR EACH ROW WHEN (\(condition))
          EXECUTE FUNCTION seen_\(event)()
          """)
      }
    }
  }

  func seen() async throws -> Set<String> {
    Set(
      try await stage.rows("SELECT DISTINCT one, two FROM seen_move").map {
        $0.joined(separator: " ")
      })
  }
}
