import Circulation
import HTTP
import JSON
import MockKit
import MockSupport
import ProviderKit
import Testing

@testable import BookWyrm

@Suite(.serialized) struct `Oddities of BookWyrm` {
  @Test func `BookWyrm quirk 1: a shelf of several pages is read to its last page`() async throws {
    try await Played.run(.avidReaders) { played in
      let whole = try await played.whole("to-read")
      #expect(whole.pages > 2 && !whole.hasShifted)
      #expect(whole.entries.map(\.item.rawValue).sorted() == played.books(on: "to-read").sorted())
    }
  }

  @Test(arguments: ["next-loops", "last-page-again"])
  func `BookWyrm quirk 2: a shelf whose page links loop is still read to its end`(_ quirk: String)
    async throws
  {
    try await Played.run(.avidReaders, quirks: [quirk]) { played in
      let whole = try await played.whole("to-read")
      #expect(whole.entries.count == played.books(on: "to-read").count && !whole.hasShifted)
    }
  }

  @Test func `BookWyrm quirk 3: a private shelf is left out and reported as gone when requested`()
    async throws
  {
    try await Played.run { played in
      played.set("private_shelves", ["stopped-reading"])
      let lists = try await played.adapter().lists(in: played.call)
      #expect(lists.map(\.id.rawValue) == ["to-read", "reading", "read"])
      let shut = try await refusal { _ = try await played.whole("stopped-reading") }
      #expect(shut?.reason == .titleGone)
    }
  }

  @Test func `BookWyrm quirk 3: the account check reports a misspelled shelf or an unknown user`()
    async throws
  {
    try await Played.run { played in
      _ = try await played.adapter(shelves: "cooking-9").checkAccount(in: played.call)
      let misspelt = try await refusal {
        _ = try await played.adapter(shelves: "coking-9").checkAccount(in: played.call)
      }
      #expect(misspelt?.reason == Failures.nobody)
      #expect(misspelt?.explanation?.contains("public") == true)
      let nobody = try await refusal {
        _ = try await played.adapter(played.home + "/user/nobody").checkAccount(in: played.call)
      }
      #expect(nobody?.reason == Failures.nobody)
    }
  }

  @Test func `BookWyrm quirk 4: an instance that requires signatures is reported as closed`()
    async throws
  {
    try await Played.run(quirks: ["authorized-fetch"]) { played in
      let error = try await refusal {
        _ = try await played.adapter().checkAccount(in: played.call)
      }
      #expect(error?.reason == Failures.closed)
      #expect(error?.explanation?.contains("other instances only") == true)
    }
  }

  @Test func `BookWyrm quirk 5: an invalid handle is refused with the pattern of a valid one`()
    async throws
  {
    try await Played.run { played in
      let error = try await refusal {
        _ = try await played.adapter("dana").lists(in: played.call)
      }
      #expect(error?.reason == .credentialsRejected)
      #expect(error?.explanation?.contains("@NAME@INSTANCE") == true)
    }
  }

  @Test func `BookWyrm quirk 6: shelves are also found under the old paths`() async throws {
    try await Played.run(quirks: ["old-paths"]) { played in
      let whole = try await played.whole("read")
      #expect(whole.entries.map(\.item.rawValue).sorted() == played.books(on: "read").sorted())
    }
  }

  @Test func `BookWyrm quirk 7: an edition with only an address gets its authors from the work`()
    async throws
  {
    try await Played.run(quirks: ["bare-editions", "no-titles"]) { played in
      let entry = try #require(try await played.whole("read").entries.first)
      #expect(entry.title == entry.item.rawValue.split(separator: "/").last.map(String.init))
      #expect(entry.isbns.isEmpty && entry.published == nil)
      // Its work knows who wrote it.
      #expect(entry.authors == played.title(entry.item)?.authors)
    }
  }

  @Test func `BookWyrm quirk 8: a book on two shelves has the same id on both`() async throws {
    try await Played.run { played in
      let own = try played.adapter(shelves: "cooking-9")
      let lists = try await own.lists(in: played.call)
      #expect(lists.last?.name == "Cooking" && lists.last?.isExclusive == false)
      #expect(lists.map(\.state) == [.wanted, .reading, .read, .stopped, nil])
      let cooking = try await played.whole("cooking-9", own).entries
      let read = try await played.whole("read", own).entries
      let both = Set(cooking.map(\.item)).intersection(read.map(\.item))
      #expect(!both.isEmpty && cooking.allSatisfy { $0.state == nil })
      #expect(read.allSatisfy { $0.state == .read })
    }
  }

  @Test func `BookWyrm quirk 9: a script in a book description does not reach list entries`()
    async throws
  {
    try await Played.run { played in
      let entries = try await played.whole("to-read").entries
      #expect(!entries.isEmpty && !"\(entries)".contains("script"))
    }
  }

  @Test func `BookWyrm quirk 10: entries carry Open Library and OCLC numbers`() async throws {
    try await Played.run { played in
      let entries = try await played.whole("to-read").entries
      let entry = try #require(entries.first { !$0.isbns.isEmpty })
      #expect(entry.isbns.first?.digits == played.title(entry.item)?.isbn)
      #expect(
        entry.identifiers.map(\.scheme) == ["bookwyrm", "openlibrary", "oclc"])
      #expect(
        entry.published?.year == played.title(entry.item).flatMap { Int($0.published.prefix(4)) })
    }
  }
}
