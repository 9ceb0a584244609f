import Circulation
import FoundationEssentials
import HTTP
import JSON
import MockKit
import MockSupport
import ProviderKit
import Testing

@testable import OpenLibrary

@Suite(.serialized) struct `Open Library's oddities` {
  private func bare(_ work: String) -> ListEntry { ListEntry(item: ItemID(work), title: "x") }

  @Test func `Open Library's oddities are shelves that take a book off when it is put there again`()
    async throws
  {
    try await Played.run { played in
      let book = played.books(on: "want-to-read")[0]
      for _ in 0..<3 { try await played.adapter().add(bare(book), to: .wanted, in: played.call) }
      #expect(played.books(on: "want-to-read").contains(book))
      let sent = played.requests.filter { $0.path.last == "bookshelves.json" }
      #expect(sent.count == 3 && sent.allSatisfy { $0.form["dont_remove"] == "true" })
      let (adapter, work) = (try played.adapter(), try #require(Key(book, .work)))
      var careless = adapter.settings.put(work, on: .wanted, edition: nil)
      careless.body = Array("bookshelf_id=1".utf8)
      let request = careless
      _ = try await adapter.ask(.list, in: played.call) { _ in request }
      #expect(!played.books(on: "want-to-read").contains(book))
    }
  }

  @Test func `Open Library's oddities are moves that forget the edition, unless it is told again`()
    async throws
  {
    try await Played.run { played in
      let book = played.books(on: "want-to-read")[1]
      played.inLists { room, now in
        room.edit(book, by: Played.card, at: now) { $0.edition = "OL77M" }
      }
      let adapter = try played.adapter()
      try await adapter.move(bare(book), from: .wanted, to: .reading, in: played.call)
      #expect(played.listed(book)?.edition == "OL77M")
      let known = try #require(
        try await adapter.wholeList(.reading, in: played.call).entries.first {
          $0.item.rawValue == book
        })
      #expect(known.identifiers.map(\.value) == [book, "OL77M"])
      try await adapter.move(known, from: .reading, to: .read, in: played.call)
      #expect(played.listed(book)?.edition == "OL77M")
      #expect(played.books(on: "already-read").contains(book))
    }
  }

  @Test func `Open Library's oddities are ratings that carry a book to those that were read`()
    async throws
  {
    try await Played.run { played in
      let book = played.books(on: "want-to-read")[0]
      var entry = bare(book)
      entry.rating = 3.6
      try await played.adapter().rate(entry, in: played.call)
      #expect(played.listed(book)?.rating == 4)
      #expect(played.requests.suffix(2).map(\.path.last) == ["ratings.json", "bookshelves.json"])
      #expect(played.books(on: "want-to-read").contains(book))
      #expect(!played.books(on: "already-read").contains(book))
    }
  }

  @Test(arguments: [true, false])
  func `Open Library: a merged work keeps its list entries under the old key`(_ isByHTTP: Bool)
    async throws
  {
    try await Played.run { played in
      played.set("merged_by_http", .bool(isByHTTP))
      let (old, new) = (played.books(on: "want-to-read")[0], "OL10020W")
      played.set("merged", [old: .string(new)])
      let adapter = try played.adapter()
      let entries = try await adapter.wholeList(.wanted, in: played.call).entries
      let entry = try #require(entries.first { $0.record == old })
      #expect(entry.item.rawValue == new && entry.title != old && !entry.title.isEmpty)
      try await adapter.move(entry, from: .wanted, to: .read, in: played.call)
      #expect(played.books(on: "already-read").contains(old) && played.listed(new) == nil)
      try await adapter.remove(entry, from: .read, in: played.call)
      #expect(played.listed(old) == nil)
      // What comes anew goes under the new one.
      try await adapter.add(bare(old), to: .read, in: played.call)
      #expect(played.books(on: "already-read").contains(new))
    }
  }

  @Test func `Open Library's oddities are mergers that lead in a circle`() async throws {
    try await Played.run { played in
      played.set("merged", ["OL1W": "OL2W", "OL2W": "OL1W"])
      let refused = try await reason {
        try await played.adapter().add(bare("OL1W"), to: .wanted, in: played.call)
      }
      #expect(refused?.code == "malformed_response" && played.requests.count <= 6)
    }
  }

  @Test func `Open Library's oddities are works that were deleted, and still stand on their shelf`()
    async throws
  {
    try await Played.run { played in
      let book = played.books(on: "want-to-read")[0]
      played.set("deleted", [.string(book)])
      let adapter = try played.adapter()
      let whole = try await adapter.wholeList(.wanted, in: played.call)
      #expect(whole.entries.count == played.books(on: "want-to-read").count)
      let entry = try #require(whole.entries.first { $0.item.rawValue == book })
      #expect(entry.title == book && entry.authors.isEmpty && entry.addedAt != nil)
      let refused = try await reason {
        try await adapter.add(bare(book), to: .read, in: played.call)
      }
      #expect(refused == .titleGone)
      try await adapter.remove(entry, from: .wanted, in: played.call)
      #expect(played.listed(book) == nil)
    }
  }

  @Test func `Open Library's oddities are lists with editions, authors and subjects on them`()
    async throws
  {
    try await Played.run { played in
      let books = played.books(on: "OL101L")
      played.set("other_seeds", true)
      let adapter = try played.adapter()
      let works = try await adapter.wholeList(.own, in: played.call).entries
      #expect(works.map(\.item.rawValue) == books && works.allSatisfy { !$0.authors.isEmpty })
      played.set("edition_seeds", true)
      let editions = try await adapter.wholeList(.own, in: played.call).entries
      #expect(editions.map(\.item) == works.map(\.item))
      #expect(editions.allSatisfy { $0.record?.last == "M" && $0.title.count > 1 })
      try await adapter.remove(bare(books[0]), from: .own, in: played.call)
      #expect(played.books(on: "OL101L") == Array(books.dropFirst()))
    }
  }

  @Test func `Open Library's oddities are lists beside the log, which exclude nothing`()
    async throws
  {
    try await Played.run { played in
      let (adapter, book) = (try played.adapter(), played.books(on: "want-to-read")[2])
      let lists = try await adapter.lists(in: played.call)
      #expect(lists.map(\.isExclusive) == [true, true, true, true, false])
      #expect(lists.last?.id == .own && lists.last?.name == "Salt and ink")
      for _ in 0..<2 { try await adapter.add(bare(book), to: .own, in: played.call) }
      #expect(played.books(on: "OL101L").first == book)
      #expect(played.books(on: "want-to-read").contains(book))
      try await adapter.move(bare(book), from: .own, to: .reading, in: played.call)
      #expect(!played.books(on: "OL101L").contains(book))
      #expect(played.books(on: "currently-reading").contains(book))
      let strange = try await reason {
        try await adapter.add(bare(book), to: ListID("OL102L"), in: played.call)
      }
      #expect(strange == .titleGone)
    }
  }

  @Test func `Open Library's oddities are dates that are taken and never told`() async throws {
    try await Played.run { played in
      let (adapter, book) = (try played.adapter(), played.books(on: "already-read")[0])
      let dates = [
        PartialDate(year: 2024), PartialDate(year: 2024, month: 3),
        PartialDate(year: 2024, month: 3, day: 1),
      ]
      var number: Int?
      for date in dates {
        let checkIn = CheckIn(.finished, on: date, inPlaceOf: number)
        number = try await adapter.note(checkIn, of: bare(book), in: played.call)
        #expect(played.listed(book)?.finished == date.description)
      }
      let made = try #require(number)
      try await adapter.withdraw(checkIn: made, in: played.call)
      #expect(played.listed(book)?.finished == nil)
      let odd = CheckIn(.started, on: PartialDate(year: 2024, month: 13))
      let refused = try await reason {
        _ = try await adapter.note(odd, of: bare(book), in: played.call)
      }
      #expect(refused?.code == "not_configured")
      #expect(adapter.describe().lists?.dates == .absent)
    }
  }

  @Test func `Open Library's oddities are ratings in a file of their own, asked for once a list`()
    async throws
  {
    try await Played.run(.avidReaders) { played in
      let adapter = try played.adapter()
      let whole = try await adapter.wholeList(.read, in: played.call)
      #expect(whole.pages > 1 && whole.entries.contains { $0.rating != nil })
      for entry in whole.entries {
        let given = played.listed(entry.item.rawValue)?.rating ?? 0
        #expect(entry.rating == (given == 0 ? nil : Double(given)))
      }
      #expect(played.requests.count { $0.path.last == "export" } == 1)
    }
  }

  @Test func `Open Library's oddities are titles by which a book is found on a long shelf`()
    async throws
  {
    try await Played.run(.avidReaders) { played in
      let book = try #require(played.books(on: "want-to-read").last)
      let adapter = try played.adapter()
      var entry = bare(book)
      entry.title =
        played.open.house.main.withState {
          $0.library("demo", of: "open-library")?.lending.titles[book]?.name
        } ?? ""
      _ = try await adapter.lists(in: played.call)
      let before = played.requests.count
      try await adapter.remove(entry, from: .wanted, in: played.call)
      #expect(played.listed(book) == nil && played.requests.count == before + 2)
    }
  }

  @Test func `Open Library: wait counts are text or numbers, and a missing status is unknown`()
    async throws
  {
    try await Played.run { played in
      let adapter = try played.adapter(nil)
      let items = (0..<24).map { ItemID("OL\(10_000 + $0)W") } + [ItemID("no work")]
      let told = try await adapter.availability(of: items, in: played.call)
      #expect(Set(told.keys) == Set(items))
      #expect(
        Set(told.values.map(\.word)) == ["open_access", "available", "unavailable", "unknown"])
      for isNumber in [true, false] {
        played.set("number_waitlist", .bool(isNumber))
        let again = try await adapter.availability(of: items, in: played.call)
        #expect(again.mapValues(\.status) == told.mapValues(\.status))
      }
      played.set("no_status", true)
      let silent = try await adapter.availability(of: items, in: played.call)
      #expect(silent.values.allSatisfy { $0.status == .unknownToProvider })
      #expect(played.requests.allSatisfy { $0.headers["Cookie"] == nil })
    }
  }

  @Test func `Open Library: a search uses no ISBN address, which would query shops`() async throws {
    try await Played.run { played in
      let sought = SoughtBook(
        numbers: BookNumbers(
          isbns: ["9780306406157"].compactMap { ISBN($0) },
          identifiers: [ForeignIdentifier(scheme: "openlibrary", value: "OL10003M")]))
      let found = try await played.adapter().find(sought, in: played.call)
      #expect(found.map(\.entry.item.rawValue) == ["OL10003W"] && found.allSatisfy(\.isSure))
      #expect(found[0].entry.edition?.name == "OL10003M")
      let work = SoughtBook(
        numbers: BookNumbers(identifiers: [.init(scheme: "openlibrary", value: "/works/OL10004W")]))
      let direct = try await played.adapter().find(work, in: played.call)
      #expect(direct.map(\.entry.item.rawValue) == ["OL10004W"])
      #expect(!played.requests.contains { $0.path.contains("isbn") })
    }
  }
}
