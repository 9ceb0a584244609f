import Circulation
import FoundationEssentials
import ReadingLists
import TestSupport
import Testing

@testable import Mirrors

@Suite struct `Lists at another service` {
  @Test(arguments: Engine.allCases)
  func `Lists at another service stand here as the reader left them there`(_ engine: Engine)
    async throws
  {
    try await Reader.play(engine) { reader in
      reader.room.put("1", "Emma", on: ["read", "sea"])
      reader.room.alter("1") { entry in
        entry.rating = 4
        entry.readings = [.init(finished: PartialDate(year: 2019, month: 3))]
      }
      for number in 2...8 { reader.room.put("\(number)", "Book \(number)", on: ["to-read"]) }
      let outcome = try await reader.sync()
      #expect(outcome.arrived.count == 9 && outcome.books == 8 && outcome.writes.isEmpty)
      #expect(try await reader.titles(on: "read") == ["Emma"])
      #expect(try await reader.titles(on: "sea") == ["Emma"])
      #expect(try await reader.titles(on: "to-read").count == 7)
      let kept = try #require(try await reader.member("Emma", on: "read")?.book.entry)
      #expect(kept.entry.rating == 4 && kept.shelves == ["read", "sea"])
      #expect(kept.entry.readings.map { $0.finished?.description } == ["2019-03"])
      let again = try await reader.sync()
      #expect(again.arrived.isEmpty && again.changed == 0 && again.left.isEmpty)
      #expect(reader.room.written.isEmpty)
    }
  }

  @Test func `Lists at another service keep authors whom a service could not name this time`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["read"])
      try await reader.sync()
      reader.room.alter("1") { ($0.authors, $0.title) = ([], "Emma Woodhouse") }
      try await reader.sync()
      let member = try #require(try await reader.member("Emma Woodhouse", on: "read"))
      #expect(member.book.authors == ["Ann Author"])
    }
  }

  @Test func `Lists at another service follow a book that was moved there`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      reader.room.alter("1") { $0.lists = [ListID("read")] }
      for isWhole in [true, false] {
        try await reader.sync(whole: isWhole)
        #expect(try await reader.titles(on: "to-read").isEmpty)
        #expect(try await reader.titles(on: "read") == ["Emma"])
      }
      #expect(reader.room.written.isEmpty)
    }
  }

  @Test func `Lists at another service lose a book only when two full reads lack it`() async throws
  {
    for terms in [ListTerms.strict, .loose] {
      try await Reader.play(.sqlite, terms) { reader in
        for number in 1...4 { reader.room.put("\(number)", "Book \(number)", on: ["to-read"]) }
        try await reader.sync()
        reader.room.change { $0.hidden = [ItemID("2")] }
        let first = try await reader.sync()
        #expect(first.missed == 1 && first.left.isEmpty)
        reader.room.change { $0.hidden = [] }
        try await reader.sync()
        reader.room.change { $0.hidden = [ItemID("2")] }
        #expect(try await reader.sync().left.isEmpty, "one read that had it begins the count anew")
        let second = try await reader.sync()
        #expect(second.left.count == 1)
        #expect(try await reader.titles(on: "to-read") == ["Book 1", "Book 3", "Book 4"])
        #expect(reader.room.written.isEmpty)
      }
    }
  }

  @Test func `a book on two exclusive lists of a service is mirrored on one of them`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read", "reading", "sea"])
      reader.room.put("2", "Tides", on: ["read", "to-read"])
      reader.room.put("3", "Salt", on: ["read", "to-read"])
      // Of the third the service says what it means.
      reader.room.change { state in
        for item in ["1", "2"] { state.books[ItemID(item)]?.state = nil }
        state.books[ItemID("3")]?.state = .wanted
      }
      try await reader.sync()
      #expect(try await reader.titles(on: "reading") == ["Emma"])
      #expect(try await reader.titles(on: "read") == ["Tides"])
      #expect(try await reader.titles(on: "sea") == ["Emma"])
      #expect(try await reader.titles(on: "to-read") == ["Salt"])
      #expect(try await reader.sync().arrived.isEmpty && reader.room.written.isEmpty)
    }
  }

  @Test func `Lists at another service keep a review of ten thousand letters that lists cut`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      let review = String(repeating: "Wie schön! ", count: 1_000)
      reader.room.put("1", "Emma", on: ["read"])
      reader.room.alter("1") { $0.review = review }
      reader.room.change { $0.cutsAt = 300 }
      for _ in 1...2 {
        try await reader.sync()
        let kept = try await reader.member("Emma", on: "read")?.book.entry?.entry
        #expect(kept?.review == review && kept?.isReviewCut == false)
      }
      let questions = reader.room.questions
      #expect(try await reader.sync().changed == 0)
      #expect(reader.room.questions - questions == 4, "it is not asked for again")
    }
  }

  @Test func `Lists at another service keep what a service hides that proves nothing`() async throws
  {
    var terms = ListTerms.loose
    terms.absenceIsProof = false
    try await Reader.play(.sqlite, terms) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      reader.room.change { $0.hidden = [ItemID("1")] }
      for _ in 0..<4 { #expect(try await reader.sync().missed == 1) }
      #expect(try await reader.titles(on: "to-read") == ["Emma"])
    }
  }

  @Test func `Lists at another service believe no list that moved while it was read`() async throws
  {
    try await Reader.play(.sqlite) { reader in
      for number in 1...7 { reader.room.put("\(number)", "Book \(number)", on: ["to-read"]) }
      try await reader.sync()
      reader.room.change { state in
        state.shifts = true
        state.hidden = [ItemID("1")]
      }
      for _ in 0..<3 { #expect(try await reader.sync().left.isEmpty) }
      #expect(try await reader.titles(on: "to-read").count == 7)
    }
  }

  @Test func `Lists at another service that are gone there are the reader's own here`() async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read", "sea"])
      try await reader.sync()
      reader.room.change { state in state.lists.removeAll { $0.id.rawValue == "sea" } }
      reader.room.alter("1") { $0.lists = [ListID("to-read")] }
      #expect(try await reader.sync().released.isEmpty)
      #expect(try await reader.sync().released == ["sea"])
      #expect(try await reader.mirrors.mirrored(try await reader.list("sea").id) == nil)
    }
  }

  @Test func `Lists at another service of one name each get a name of their own`() async throws {
    try await Reader.play(.sqlite) { reader in
      _ = try await reader.lists.create(named: "room/read", for: reader.patron)
      try await reader.sync()
      #expect(
        try await reader.lists.lists(of: reader.patron).map(\.name) == [
          "room/read", "room/read (2)", "room/reading", "room/sea", "room/to-read",
        ])
    }
  }

  @Test func `Lists at another service change nothing when the service refuses`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      reader.room.change { $0.failure = .credentialsRejected }
      let error = await #expect(throws: MirrorError.self) { try await reader.sync() }
      guard case .service(let reason) = error else { throw try #require(error) }
      #expect(reason.reason == .credentialsRejected)
      #expect(try await reader.titles(on: "to-read") == ["Emma"])
      #expect(
        try await reader.mirrors.standing(of: reader.account).trouble == "credentials_rejected")
      reader.room.change { $0.failure = nil }
      try await reader.sync()
      #expect(try await reader.mirrors.standing(of: reader.account).trouble == nil)
    }
  }

  @Test func `Lists at another service ask little where the service tells what changed`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      for number in 1...60 { reader.room.put("\(number)", "Book \(number)", on: ["to-read"]) }
      let whole = try await reader.sync()
      reader.clock.pass(3_600_000)
      reader.room.change { $0.clock = 3_000_000 }
      for number in 1...10 { reader.room.alter("\(number)") { $0.rating = 5 } }
      let news = try await reader.sync(whole: false)
      #expect(!news.wasWhole && news.changed == 10)
      #expect(news.requests * 10 <= whole.requests, "\(news.requests) of \(whole.requests)")
      reader.clock.pass(86_400_000)
      #expect(try await reader.sync(whole: false).wasWhole, "a day later all is read again")
    }
  }

  @Test(arguments: Engine.allCases)
  func `Lists at another service are forgotten with the account`(_ engine: Engine) async throws {
    try await Reader.play(engine) { reader in
      reader.room.put("1", "Emma", on: ["to-read", "sea"])
      try await reader.sync()
      try await reader.unlink()
      #expect(try await reader.lists.lists(of: reader.patron).isEmpty)
      try await reader.sync()
      #expect(try await reader.titles(on: "to-read") == ["Emma"])
    }
  }
}
