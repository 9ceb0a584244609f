import Circulation
import GoodreadsMock
import MockKit
import MockSupport
import ProviderKit
import Secrets
import Testing

@testable import Goodreads

@Suite(.serialized) struct `Feeds of shelves` {
  private static let id = Furnishing.userID(of: Played.card)

  @Test(
    arguments: [
      ("4711", "4711"), ("https://www.goodreads.com/user/show/4711-dana", "4711"),
      ("www.goodreads.com/user/show/4711.Dana", "4711"),
      ("https://www.goodreads.com/review/list/4711-dana?shelf=read&page=2", "4711"),
      ("https://www.goodreads.com/review/list_rss/4711?key=abc&shelf=%23ALL%23", "4711"),
      (" 4711\n", "4711"), ("https://www.goodreads.com/dana", nil), ("", nil),
      ("https://www.goodreads.com/user/show/4711th", nil),
    ] as [(String, String?)])
  func `Feeds of shelves are found by what readers paste`(_ text: String, number: String?) {
    #expect(Profile(Credentials(["profile": Secret(text)]))?.userID == number)
  }

  @Test func `Feeds of shelves of a private profile open with the key of its feeds alone`()
    async throws
  {
    try await Played.run { played in
      played.change { room, _ in room.change(Played.card) { $0.isPrivate = true } }
      let shut = try await reason { _ = try await played.feed().checkAccount(in: played.call) }
      #expect(shut?.reason == .credentialsRejected)
      let key = Furnishing.feedKey(of: Played.card)
      let link = "https://www.goodreads.com/review/list_rss/\(Self.id)?key=\(key)&shelf=read"
      _ = try await played.feed(link).checkAccount(in: played.call)
    }
  }

  @Test func `Feeds of shelves of nobody are told from those of somebody`() async throws {
    try await Played.run { played in
      let error = try await reason {
        _ = try await played.feed("999999999").checkAccount(in: played.call)
      }
      #expect(error?.reason == .credentialsRejected)
      #expect(error?.provider == GoodreadsFeedProvider.listing.id)
      let nothing = try await reason {
        _ = try await played.feed("dana").lists(in: played.call)
      }
      #expect(nothing?.reason == .credentialsRejected)
    }
  }

  @Test func `Feeds of shelves of a misspelt shelf are not the books read`() async throws {
    try await Played.run { played in
      let error = try await reason {
        _ = try await played.feed().items(of: ListID("to-raed"), from: nil, in: played.call)
      }
      #expect(error?.reason == .titleGone)
    }
  }

  @Test(arguments: ["feed-repeats", "feed-one-item"])
  func `Goodreads quirk 9: a shelf feed that repeats and names no end is read once`(_ quirk: String)
    async throws
  {
    try await Played.run(quirks: [quirk, "feed-repeats"]) { played in
      let whole = try await played.feed().wholeList(ListID("to-read"), in: played.call)
      #expect(
        whole.entries.map(\.item.rawValue).sorted() == played.books(on: "to-read").sorted())
      #expect(!whole.hasShifted)
    }
  }

  @Test func `Goodreads quirk 10: titles in a feed that are escaped once too often are decoded`()
    async throws
  {
    try await Played.run { played in
      let book = played.books(on: "read")[0]
      played.open.house.main.withState { state in
        _ = state.change("demo", of: "goodreads") { library, now in
          library.lending.add(
            Title(
              id: book, name: "Salt & Ink <1>", authors: ["A  B"], copies: .unlimited, added: now))
        }
      }
      let whole = try await played.feed().wholeList(ListID("read"), in: played.call)
      #expect(whole.entries.first { $0.item.rawValue == book }?.title == "Salt & Ink <1>")
      #expect(whole.entries.first { $0.item.rawValue == book }?.authors == ["A B"])
    }
  }

  @Test func `Feeds of shelves behind a wall are left alone for a while`() async throws {
    try await Played.run(quirks: ["feed-wall"]) { played in
      let error = try await reason { _ = try await played.feed().lists(in: played.call) }
      #expect(error?.reason == .providerBusy(retryAfter: .seconds(900)))
    }
  }

  @Test func `Feeds of shelves tell the shelves of the newest books, and those that were named`()
    async throws
  {
    try await Played.run { played in
      let lists = try await played.feed(shelves: "Tea Time, read").lists(in: played.call)
      #expect(
        lists.map(\.id.rawValue) == [
          "to-read", "currently-reading", "read", "tea-time", "did-not-finish", "sci-fi",
        ])
      #expect(lists.filter(\.isExclusive).count == 3 && lists.allSatisfy { !$0.isOpen })
    }
  }

  @Test func `Feeds of shelves promise nothing about what they leave out`() async throws {
    try await Played.run(.avidReaders, quirks: ["feed-leaves-out"]) { played in
      let feed = try played.feed()
      let whole = try await feed.wholeList(ListID("to-read"), in: played.call)
      #expect(whole.entries.count < played.books(on: "to-read").count)
      #expect(feed.describe().lists?.absenceIsProof == false)
    }
  }

  @Test func `Feeds of shelves say of a book read when, how good, and on what else it stands`()
    async throws
  {
    try await Played.run { played in
      let book = played.books(on: "read")[0]
      played.change { room, now in
        room.put(book, on: "sci-fi", of: Played.card, at: now)
        room.edit(book, by: Played.card, at: now) {
          ($0.rating, $0.finished, $0.review) = (5, "2025-12-31", "Good <br/>& long")
        }
      }
      let whole = try await played.feed().wholeList(ListID("read"), in: played.call)
      let entry = try #require(whole.entries.first { $0.item.rawValue == book })
      #expect(entry.rating == 5 && entry.state == .read && entry.review == "Good <br/>& long")
      #expect(
        entry.readings == [.init(finished: PartialDate(year: 2025, month: 12, day: 31))])
      #expect(entry.lists.map(\.rawValue) == ["read", "sci-fi"])
      #expect(entry.record.flatMap { Int($0) } != nil)
    }
  }
}
