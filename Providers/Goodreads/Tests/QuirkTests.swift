import Circulation
import FoundationEssentials
import GoodreadsMock
import JSON
import MockKit
import Testing

@testable import Goodreads

/// What the service is known to do, by the numbers of the README.
@Suite(.serialized) struct `Goodreads' oddities` {
  private func entry(_ book: String, _ edit: (inout ListEntry) -> Void = { _ in }) -> ListEntry {
    var entry = ListEntry(item: ItemID(book), title: "x")
    edit(&entry)
    return entry
  }

  @Test
  func `Goodreads quirk 1: adding a book works when the reply is the shelf alone`() async throws {
    try await Played.run(quirks: ["old-add-answer"]) { played in
      let book = played.books(on: "to-read")[0]
      try await played.adapter().add(entry(book), to: ListID("favorites"), in: played.call)
      #expect(played.books(on: "favorites") == [book])
    }
  }

  @Test func `Goodreads quirk 2: an edit refused as PUT is sent again as POST`() async throws {
    try await Played.run(quirks: ["put-refused"]) { played in
      let book = played.books(on: "to-read")[0]
      try await played.adapter().rate(entry(book) { $0.rating = 4 }, in: played.call)
      #expect(played.room.entry(of: book, by: Played.card)?.rating == 4)
      #expect(played.operations == ["reviewByBook", "editReview", "editReview"])
    }
  }

  @Test
  func `Goodreads quirk 3: a date that the service dropped is reported as an error`() async throws {
    try await Played.run(quirks: ["dates-dropped"]) { played in
      let book = played.books(on: "to-read")[0]
      let wanted = entry(book) {
        $0.readings = [.init(finished: PartialDate(year: 2026, month: 3, day: 1))]
      }
      let error = try await reason {
        try await played.adapter().note([.readings], of: wanted, in: played.call)
      }
      #expect(error?.reason.code == "malformed_response")
      #expect(played.operations.last == "review")
    }
  }

  @Test(arguments: ["old-shelves", "doubled-shelves"])
  func `Goodreads quirk 4: shelves in older reply formats are read`(_ quirk: String) async throws {
    try await Played.run(quirks: [quirk]) { played in
      let page = try await played.adapter().items(
        of: ListID("to-read"), from: nil, in: played.call)
      #expect(!page.entries.isEmpty)
      for entry in page.entries {
        #expect(entry.state == .wanted && Set(entry.lists).count == entry.lists.count)
      }
    }
  }

  @Test func `Goodreads quirk 5: a shelf with a count too high is read to its end`() async throws {
    try await Played.run(quirks: ["counts-more"]) { played in
      let adapter = try played.adapter()
      let list = try await adapter.lists(in: played.call).first { $0.id.rawValue == "to-read" }
      let whole = try await adapter.wholeList(ListID("to-read"), in: played.call)
      #expect(whole.entries.count + 15 == list?.count)
    }
  }

  @Test func `Goodreads quirk 6: a cut review is marked as cut, and a rating does not change it`()
    async throws
  {
    try await Played.run(quirks: ["clipped"]) { played in
      let book = played.books(on: "read")[0]
      let text = "It went on and on, and then it went on some more."
      played.change { room, now in
        room.edit(book, by: Played.card, at: now) { $0.review = text }
      }
      let page = try await played.adapter().items(of: ListID("read"), from: nil, in: played.call)
      #expect(page.entries.first { $0.item.rawValue == book }?.isReviewCut == true)
      let whole = try await played.adapter().entry(of: ItemID(book), in: played.call)
      #expect(whole?.review == text && whole?.isReviewCut == false)
      try await played.adapter().rate(entry(book) { $0.rating = 2 }, in: played.call)
      #expect(played.room.entry(of: book, by: Played.card)?.review == text)
    }
  }

  @Test func `Goodreads quirk 7: author names have single spaces and leave out translators`()
    async throws
  {
    try await Played.run { played in
      let page = try await played.adapter().items(of: ListID("read"), from: nil, in: played.call)
      for author in page.entries.flatMap(\.authors) {
        #expect(!author.contains("  ") && author != "Ina Trell")
      }
    }
  }

  @Test(arguments: [
    ("rails-error", "title_gone"), ("friendly-error", "credentials_rejected"),
    ("no-payload", "malformed_response"), ("login-page", "credentials_rejected"),
  ])
  func `Goodreads quirk 8: errors in other formats are recognized`(_ quirk: String, code: String)
    async throws
  {
    try await Played.run(quirks: [quirk]) { played in
      let adapter = try played.adapter()
      let lists = try await reason { _ = try await adapter.lists(in: played.call) }
      #expect(lists?.reason.code == code)
      let items = try await reason {
        _ = try await adapter.items(of: ListID("read"), from: nil, in: played.call)
      }
      #expect(items?.reason.code == code && items?.operation == .list)
    }
  }

  // MARK: - What writing takes care of

  @Test func `Goodreads: adding another edition of a listed book moves the listed edition`()
    async throws
  {
    try await Played.run { played in
      // The first two books are editions of one work.
      #expect(Furnishing.workID(of: "17340") == Furnishing.workID(of: "17341"))
      played.change { room, now in
        room.forget("17340", by: Played.card, at: now)
        room.put("17341", on: "to-read", of: Played.card, at: now)
      }
      try await played.adapter().add(entry("17340"), to: ListID("read"), in: played.call)
      #expect(played.books(on: "read").contains("17341"))
      #expect(played.room.entry(of: "17340", by: Played.card) == nil)
    }
  }

  @Test
  func `Goodreads: adding to a misspelled shelf is an error and creates no shelf`() async throws {
    try await Played.run { played in
      let before = played.room.readers[Played.card]?.lists.map(\.id)
      let error = try await reason {
        try await played.adapter().add(entry("17345"), to: ListID("to-raed"), in: played.call)
      }
      #expect(error?.reason == .titleGone)
      #expect(played.room.readers[Played.card]?.lists.map(\.id) == before)
    }
  }

  @Test func `Goodreads: a deleted shelf is reported as gone, not as empty`() async throws {
    try await Played.run { played in
      let adapter = try played.adapter()
      _ = try await adapter.items(of: ListID("sci-fi"), from: nil, in: played.call)
      played.change { room, _ in room.close("sci-fi", of: Played.card) }
      let error = try await reason {
        _ = try await adapter.items(of: ListID("sci-fi"), from: nil, in: played.call)
      }
      #expect(error?.reason == .titleGone)
    }
  }

  @Test
  func `Goodreads: removing a book from a shelf it is not on keeps its rating`() async throws {
    try await Played.run { played in
      let book = try #require(
        played.room.entries(on: "read", of: Played.card).first { $0.rating > 0 })
      try await played.adapter().remove(entry(book.book), from: ListID("to-read"), in: played.call)
      #expect(played.room.entry(of: book.book, by: Played.card)?.rating == book.rating)
      #expect(played.operations == ["reviewByBook"])
    }
  }

  @Test
  func `Goodreads: removing a book from a custom shelf keeps its reading state`() async throws {
    try await Played.run { played in
      let book = played.books(on: "sci-fi")[0]
      try await played.adapter().remove(entry(book), from: ListID("sci-fi"), in: played.call)
      #expect(!played.books(on: "sci-fi").contains(book))
      #expect(played.room.entry(of: book, by: Played.card)?.since.count == 1)
    }
  }

  @Test
  func `Goodreads: a book is not moved from a reading state to a custom shelf`() async throws {
    try await Played.run { played in
      let book = played.books(on: "read")[0]
      let error = try await reason {
        try await played.adapter().move(
          entry(book), from: ListID("read"), to: ListID("favorites"), in: played.call)
      }
      #expect(error?.reason == .unsupported(.listWriting))
      #expect(played.books(on: "read").contains(book))
    }
  }

  @Test func `Goodreads: a book moves between two custom shelves`() async throws {
    try await Played.run { played in
      let book = played.books(on: "sci-fi")[0]
      try await played.adapter().move(
        entry(book), from: ListID("sci-fi"), to: ListID("favorites"), in: played.call)
      #expect(played.books(on: "favorites") == [book])
      #expect(!played.books(on: "sci-fi").contains(book))
      #expect(played.room.entry(of: book, by: Played.card)?.since.count == 2)
    }
  }

  @Test func `Goodreads: a reading date without a day is refused`() async throws {
    try await Played.run { played in
      let book = played.books(on: "read")[0]
      let wanted = entry(book) {
        $0.readings = [.init(finished: PartialDate(year: 2026, month: 3))]
      }
      let error = try await reason {
        try await played.adapter().note([.readings], of: wanted, in: played.call)
      }
      #expect(error?.reason == .unsupported(.remarks))
      #expect(played.operations.isEmpty)
    }
  }

  @Test func `Goodreads: values that are already set are not written again`() async throws {
    try await Played.run { played in
      let book = played.books(on: "read")[0]
      let adapter = try played.adapter()
      let rating = Double(played.room.entry(of: book, by: Played.card)?.rating ?? 0)
      try await adapter.add(entry(book), to: ListID("read"), in: played.call)
      try await adapter.rate(entry(book) { $0.rating = rating }, in: played.call)
      #expect(Set(played.operations) == ["reviewByBook"])
    }
  }

  @Test func `Goodreads: half a star is rounded up`() async throws {
    try await Played.run { played in
      let book = played.books(on: "to-read")[0]
      try await played.adapter().rate(entry(book) { $0.rating = 3.5 }, in: played.call)
      #expect(played.room.entry(of: book, by: Played.card)?.rating == 4)
    }
  }

  @Test func `Goodreads: a private user's shelves are refused to patrons who are not friends`()
    async throws
  {
    try await Played.run { played in
      let friend = "23000000000002"
      played.change { room, _ in
        room.change(friend) { ($0.isPrivate, $0.friends) = (true, []) }
      }
      let error = try await reason {
        _ = try await played.adapter().lists(
          of: ReadingFriend(id: Furnishing.userID(of: friend), name: "x"), in: played.call)
      }
      #expect(error?.reason == .credentialsRejected)
    }
  }

  @Test func `Goodreads: hundreds of books are read with 200 books per request`() async throws {
    try await Played.run(.avidReaders) { played in
      let adapter = try played.adapter()
      let whole = try await adapter.wholeList(ListID("to-read"), in: played.call)
      #expect(whole.entries.count == played.books(on: "to-read").count)
      #expect(played.operations.count == (whole.entries.count + 199) / 200)
      played.forget()
      let none = try await adapter.changes(since: .distantFuture, from: nil, in: played.call)
      #expect(none.entries.isEmpty && none.next == nil && played.operations.count == 1)
    }
  }
}
