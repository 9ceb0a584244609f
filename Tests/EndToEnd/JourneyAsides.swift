import Foundation
import JSON
import JourneySupport
import Testing

// Asides on the way: works decided on, a catalogue read from a file, a feed looked at.
extension `A reader` {
  /// Two books are said to be one: both offers stand on one work, told with the reason, until it is
  /// taken back.
  func decides(
    _ one: Mock.Truth.Title, _ two: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    let (first, second) = ("city:\(one.id)", "city:\(two.id)")
    #expect(try await stage.json("explain", first).item["editions"]?.array?.count == 1)
    let joined = try await stage.json("work", "join", first, second).item
    #expect(joined["kind"] == "join" && joined["one"] == [.string(first)])
    let told = try await stage.json("explain", second).item
    #expect(told["id"] == joined["work"])
    #expect(told["editions"]?.array?.map { $0["because"] } == ["first", "decision"])
    #expect(told["decisions"]?.array?.count == 1)
    let offers = try await stage.json("show", first).item["offers"]?.array ?? []
    #expect(Set(offers.compactMap { $0["item"]?.string }) == [one.id, two.id])
    #expect(told["offers"]?.array?.map { $0["rank"]?.integer } == Array(1...offers.count))
    try await stage.json("harvest", "--full")
    #expect(try await stage.json("explain", first).item["editions"]?.array?.count == 2)
    let again = try await stage.json("work", "join", first, second, exit: 6)
    #expect(again.failure["code"] == "nothing_to_decide")
    #expect(try await stage.json("work", "split", second).item["kind"] == "split")
    #expect(try await stage.json("explain", first).item["editions"]?.array?.count == 1)
    #expect(try await stage.json("work", "list").items.map { $0["kind"] } == ["join", "split"])
    #expect(try await stage.json("work", "undo", "2").item["kind"] == "split")
    #expect(try await stage.json("explain", first).item["editions"]?.array?.count == 2)
    try await stage.json("work", "undo")
    #expect(try await stage.json("explain", first).item["editions"]?.array?.count == 1)
    #expect(try await stage.json("work", "list").items == [])
  }

  /// What the schedule says, without a gateway: what was done by hand lately is not due.
  func doesWhatIsDue(_ stage: Stage) async throws {
    let first = try await stage.json("sync", "--due").items
    #expect(
      first.map { $0["kind"] } == [
        "expiry", "notices", "roster", "settling", "sweep", "watch",
      ])
    #expect(first.allSatisfy { $0["outcome"] == "done" && $0["subject"] == "house" })
    #expect(try await stage.json("sync", "--due").items == [])
    try await stage.rows("UPDATE schedule_job SET due_at = 0")
    let second = try await stage.json("sync", "--due").items
    #expect(
      second.map { $0["kind"] } == [
        "expiry", "harvest", "notices", "roster", "settling", "sweep", "sync", "watch",
      ])
    #expect(
      second.map { $0["subject"] } == [
        "house", "city", "house", "house", "house", "house", "reader", "house",
      ])
    #expect(second.allSatisfy { $0["outcome"] == "done" })
  }

  /// One at a time, none before its day, and as they come again.
  func paces(
    _ title: Mock.Truth.Title, _ other: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    let look = try await stage.json("hold", "pace", "--ready", "1", "--dry-run").items
    #expect(look.count == 2 && look.count { $0["step"] == "suspend" } == 1)
    #expect(look.allSatisfy { $0["result"] != "done" })
    let statuses = try await stage.json("hold", "list").items.map { $0["status"] }
    #expect(statuses == ["waiting", "waiting"])
    let done = try await stage.json("hold", "pace", "--ready", "1").items
    #expect(done.map { $0["reason"] } == look.map { $0["reason"] })
    #expect(done.count { $0["step"] == "suspend" && $0["result"] == "done" } == 1)
    #expect(try await stage.json("hold", "pace").items.allSatisfy { $0["result"] == "left" })
    // From now on it is on the schedule.
    try await stage.rows("UPDATE schedule_job SET due_at = 0")
    try await stage.json("sync", "--due")
    let paced = try await stage.rows(
      "SELECT outcome FROM schedule_job WHERE kind = 'pacing'")
    #expect(paced == [["done"]])
    let text = try await stage.carrel("hold", "pace", "--ready", "0").output
    #expect(text.contains("wake") && text.contains("there is room for it"))
    #expect(text.contains("0 holds put to rest, 1 woken."))
    let late = try await stage.json(
      "hold", "add", "city:\(other.id)", "--not-before", "2999-01-31")
    #expect(late.item["result"] == "suspended" && late.item["hold"]?["status"] == "suspended")
    let kept = try await stage.json("hold", "pace").items.first {
      $0["item"] == .string(other.id)
    }
    #expect(kept?["reason"] == "it rests until its day")
    #expect(
      try await stage.carrel("hold", "add", other.name, "--not-before", "2026-02-30").code == 2)
    try await stage.json("hold", "cancel", "city:\(other.id)")
  }

  /// Two offers that end, in a file of one's own and under an address.
  func keepsACalendar(_ stage: Stage) async throws {
    let made = try await stage.json("calendar", "new").item
    let address = try #require(made["address"]?.string)
    #expect(address.hasPrefix("http://127.0.0.1:8080/calendar/") && address.hasSuffix(".ics"))
    #expect(try await stage.json("calendar", "show").item["last_used"] == .null)
    let text = try await stage.carrel("calendar", "export").output
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
    #expect(text.components(separatedBy: "SUMMARY:Last chance to borrow: ").count == 3)
    #expect(try await stage.json("calendar", "revoke", "--yes").item["reader"] == "reader")
    #expect(try await stage.json("calendar", "revoke", "--yes").items == [])
    #expect(try await stage.json("calendar", "show").items == [])
  }

  /// One book of a library that nobody has to be linked to, read from a file.
  func readsACatalogue(_ stage: Stage) async throws {
    let record = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:dcterms="http://purl.org/dc/terms/"
        xmlns:pgterms="http://www.gutenberg.org/2009/pgterms/">
        <pgterms:ebook rdf:about="ebooks/4711"><dcterms:title>The Quillon Tides</dcterms:title>
          <dcterms:language>en</dcterms:language></pgterms:ebook></rdf:RDF>
      """
    let file = stage.home + "/pg4711.rdf"
    try Data(record.utf8).write(to: URL(fileURLWithPath: file))
    let read = try await stage.json("gutenberg", "import", file)
    #expect(read.item["changed"] == 1)
    #expect(read.item["editions"] == 1)
    let found = try await stage.json("search", "quillon tides")
    #expect(found.item["offers"]?[0]?["id"] == "gutenberg:4711")
    #expect(found.item["offers"]?[0]?["terms"]?["kind"] == "open_access")
    // What is free for everybody is taken and put back without asking anybody.
    let taken = try await stage.json("borrow", "gutenberg:4711")
    #expect(taken.item["loan"]?["state"] == "not_downloaded")
    #expect(taken.item["loan"]?["until"] == .null)
    #expect(try await stage.json("borrow", "gutenberg:4711").item["result"] == "already_borrowed")
    #expect(try await stage.json("sync").items.allSatisfy { $0["account"] != "gutenberg" })
    // Of an archive that is cut short it is told how much of it came in.
    let cut = stage.home + "/cut.tar"
    let bare = record.replacing("4711", with: "4712")
      .replacing("<dcterms:language>en</dcterms:language>", with: "")
    let member = Self.member("cache/epub/4712/pg4712.rdf", bare)
    try Data(member + member.prefix(700)).write(to: URL(fileURLWithPath: cut))
    let part = try await stage.json("gutenberg", "import", cut, exit: 3).item
    #expect(part["complete"] == false && part["changed"] == 1 && part["editions"] == 2)
    let page = try await stage.carrel("show", "gutenberg:4712").output
    #expect(page.hasPrefix("The Quillon Tides") && !page.contains("\n\n\n"), "\(page)")
    try await stage.json("return", "gutenberg:4711")
    try await stage.json("unlink", "gutenberg", "--yes")
    #expect(try await stage.json("gutenberg", "import", stage.home, exit: 13).items.isEmpty)
  }

  /// A file in a tar, as its format has it.
  private static func member(_ name: String, _ text: String) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func write(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    }
    func octal(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 8)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    let bytes = Array(text.utf8)
    write(name, at: 0)
    write(octal(0o644, 7), at: 100)
    write(octal(bytes.count, 11), at: 124)
    write("        0", at: 148)
    write("ustar", at: 257)
    write("00", at: 263)
    write(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
    return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
  }

  func looks(_ stage: Stage) async throws {
    let feed = """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>Village</title><entry><id>urn:x:1</id>
      <title>Emma</title><link rel="http://opds-spec.org/acquisition/open-access"
      href="https://books.example/1.epub" type="application/epub+zip"/></entry></feed>
      """
    // No browser is signed in.
    #expect(try await stage.json("session", "list").items == [])
    #expect(try await stage.json("session", "end", "--all").items == [])
    let found = try await stage.json("opds", "get", "-", input: feed).item
    #expect(found["kind"] == "acquisition")
    #expect(found["entries"]?[0]?["offers"]?[0]?["terms"]?["kind"] == "open_access")
  }

  /// Reads a book, marks places and words in it, and takes them along.
  func writes(in file: String, _ stage: Stage) async throws {
    #expect(try await stage.carrel("read", file).output.contains("It ebbs."))
    let mark = try await stage.json("bookmark", "add", file, "--at", "0%").item
    #expect(try await stage.json("bookmark", "ls", file).item["id"] == mark["id"])
    let note = try await stage.json("note", "add", file, "So", "it", "does", "--quote", "ebbs").item
    #expect(note["note"] == "So it does")
    #expect(try await stage.json("note", "ls", file).item["anchored"] == "exact")
    let sets = try await stage.carrel("note", "export", "--format", "w3c", file).output
    let known = try await stage.json("note", "import", "-", input: sets).item
    #expect(known["known"] == 2 && known["added"] == 0)
    for (noun, item) in [("bookmark", mark), ("note", note)] {
      let gone = try await stage.json(noun, "rm", item["id"]?.string ?? "").item
      #expect(gone["id"] == item["id"])
    }
    #expect(try await stage.json("note", "ls").items == [])
  }
}
