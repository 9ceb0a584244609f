import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import JSON
import OPDS
import Registry
import TestSupport
import Testing

@testable import Facade

@Suite struct `A reader of the catalogue` {
  @Test func `A reader of the catalogue is asked to sign in, with a document that says how`()
    async throws
  {
    try await ReadingRoom.open(isPublic: false) { room in
      for target in ["/opds", "/opds/2", "/opds/lanes/popular/books", "/opds/shelf"] {
        let answer = try await room.ask(target)
        #expect(answer.status == .unauthorized)
        #expect(answer.type == FeedVersion.authentication)
        #expect(
          answer.head["WWW-Authenticate"] == "Basic realm=\"All libraries\", charset=\"UTF-8\"")
        #expect(answer.head["Link"]?.contains("http://localhost/opds/auth") == true)
        guard
          case .authentication(let document) = try Document(
            answer.bytes, type: answer.type, from: try Address("http://localhost/"))
        else {
          Issue.record("no document")
          return
        }
        #expect(document.id == "http://localhost/opds/auth")
        #expect(document.flows.map(\.type) == [.basic])
        #expect(document.links.first(.shelf)?.href == "http://localhost/opds/shelf")
      }
      // It is itself open to everybody, under the name that is asked for.
      let former = "application/vnd.opds.authentication.v1.0+json"
      #expect(try await room.ask("/opds/auth").type == FeedVersion.authentication)
      #expect(
        try await room.ask("/opds/auth", ["Accept": former]).type?.essence == former)
      #expect(
        try await room.ask("/opds", ["User-Agent": "Palace/1.2"]).type?.essence == former)
      let quiet = try await room.ask("/opds", ["X-Requested-With": "XMLHttpRequest"])
      #expect(quiet.status == .unauthorized)
      #expect(quiet.head["WWW-Authenticate"] == nil)
    }
  }

  @Test func `the catalog asks again after a wrong password and tells a blocked reader so`()
    async throws
  {
    try await ReadingRoom.open { room in
      let wrong = try await room.ask("/opds", ["Authorization": "Basic eDp5"])
      #expect(wrong.status == .unauthorized)
      #expect(wrong.head["WWW-Authenticate"] != nil)
      let blocked = try await room.ask("/opds", ["Authorization": "Basic YmxvY2tlZDpwaW4="])
      #expect((blocked.status.code, blocked.type) == (403, .problem))
    }
  }

  @Test(arguments: bothStarts)
  func `A reader of the catalogue sees loans and holds on the shelf, and how each stands`(
    start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open { room in
      room.lend()
      let feed = try await room.feed("\(start.target)/shelf", ReadingRoom.card)
      #expect(
        feed.publications.map(\.title) == [
          "Volume 2 of Everything", "Volume 3 of Everything", "Volume 5 of Everything",
        ])
      try #require(feed.publications.count == 3)
      let (loan, waiting, ready) = (
        feed.publications[0], feed.publications[1], feed.publications[2]
      )
      #expect(loan.acquisitions.map(\.link.relations) == [[.acquisition]])
      #expect(loan.acquisitions[0].availability?.state == .available)
      #expect(
        loan.acquisitions[0].availability?.until == Date(timeIntervalSince1970: 1_800_000_000))
      #expect(loan.acquisitions[0].link.type?.essence == "application/vnd.adobe.adept+xml")
      #expect(loan.links.first(.revoke) != nil)
      #expect(loan.summary?.text.contains("until 15 January 2027") == true)
      #expect(waiting.acquisitions[0].has(.borrow))
      #expect(waiting.acquisitions[0].availability?.state == .reserved)
      // Nobody stands behind the end of a queue.
      #expect(waiting.acquisitions[0].holds == .init(total: 3, position: 3))
      #expect(ready.acquisitions[0].availability?.state == .ready)
      #expect(ready.acquisitions[0].holds?.position == nil)
      #expect(feed.subtitle?.contains("1 loan, 2 holds.") == true)
      let show = try #require(feed.facets.first)
      #expect(show.facets.map(\.link.count) == [3, 1, 2, 1])
      let way = try #require(room.target(show.facets[3].link.href))
      let kept = try await room.feed(way, ReadingRoom.card)
      #expect(kept.publications.map(\.title) == ["Volume 5 of Everything"])
    }
  }

  @Test func `A reader of the catalogue has on the shelf what no catalogue lists, too`()
    async throws
  {
    try await ReadingRoom.open { room in
      var loan = Loan(item: ItemID("odd/1"), until: Date(timeIntervalSince1970: 1_800_000_000))
      (loan.title, loan.authors) = ("An Odd Book", ["Jo Pass"])
      let kept = KeptLoan(
        account: ReadingRoom.account.id, loan: loan, asOf: Date(timeIntervalSince1970: 0))
      room.state.withLock {
        $0.shelf = ReaderShelf(
          accounts: [ReadingRoom.account], loans: [kept], holds: [],
          stale: [ReadingRoom.account.id])
      }
      let feed = try await room.feed("/opds/shelf", ReadingRoom.card)
      let book = try #require(feed.publications.first)
      #expect(book.title == "An Odd Book")
      #expect(book.contributors.map(\.name) == ["Jo Pass"])
      #expect(feed.subtitle?.contains("Not heard from lately: Town Library") == true)
      let told = try #require(book.document)
      let own = try #require(room.target(told.href))
      let document = try await room.document(own, ReadingRoom.card)
      guard case .entry(let entry) = document else {
        Issue.record("\(own) is no entry")
        return
      }
      #expect(entry.id == book.id)
      #expect(try await room.ask(own).status == .notFound)
    }
  }

  @Test func `A reader of the catalogue with nothing on the shelf sees an empty feed`() async throws
  {
    try await ReadingRoom.open { room in
      for target in ["/opds/shelf", "/opds/2/shelf"] {
        let feed = try await room.feed(target, ReadingRoom.card)
        #expect(feed.everyPublication == [])
      }
    }
  }

  @Test func `A reader of the catalogue is told how far a book on loan is downloaded`() async throws
  {
    try await ReadingRoom.open { room in
      room.lend()
      let shelf = room.state.withLock { $0.shelf }
      let item = try #require(shelf.loans.first).loan.item
      room.state.withLock {
        $0.shelf = ReaderShelf(
          accounts: shelf.accounts, loans: shelf.loans, holds: shelf.holds, stale: [],
          downloads: [
            CatalogItem(library: ReadingRoom.account.library, item: item): "It is downloaded."
          ])
      }
      let feed = try await room.feed("/opds/shelf", ReadingRoom.card)
      let told = feed.publications.filter { $0.summary?.text.contains("It is downloaded.") == true }
      #expect(told.count == 1)
    }
  }

  @Test
  func `an ignored book appears in no lane and no search of its reader's catalog`() async throws {
    try await ReadingRoom.open { room in
      let title = "Volume 2 of Everything"
      let targets = [
        "/opds/lanes/popular/books", "/opds/2/lanes/popular/books", "/opds/search?q=volume",
      ]
      func seen() async throws -> [Bool] {
        var found: [Bool] = []
        for target in targets {
          let feed = try await room.feed(target, ReadingRoom.card)
          found.append(feed.everyPublication.contains { $0.title == title })
        }
        return found
      }
      room.state.withLock {
        $0.shelf = ReaderShelf(
          accounts: [ReadingRoom.account], loans: [], holds: [], stale: [])
      }
      let before = try await seen()
      #expect(before == [true, true, true])
      room.state.withLock {
        $0.shelf = ReaderShelf(
          accounts: [ReadingRoom.account], loans: [], holds: [], stale: [],
          hidden: [CatalogItem(library: ReadingRoom.account.library, item: ItemID("t2"))])
      }
      room.pass()
      let after = try await seen()
      #expect(after == [false, false, false])
    }
  }

  @Test
  func `feeds show a reader's own loans as downloads, and offers of own libraries only`()
    async throws
  {
    try await ReadingRoom.open { room in
      room.lend()
      let target = "/opds/lanes/popular/books"
      let mine = try await room.feed(target, ReadingRoom.card)
      let loan = try #require(
        mine.publications.first { $0.title == "Volume 2 of Everything" })
      #expect(loan.acquisitions.allSatisfy { $0.has(.acquisition) })
      let strange = try await room.feed(target)
      let same = try #require(
        strange.publications.first { $0.title == "Volume 2 of Everything" })
      #expect(same.acquisitions.allSatisfy { $0.has(.borrow) })
      // Nothing of a library without a card.
      let other = try #require(
        mine.publications.first { $0.title == "The Glass Ferry" })
      #expect(other.acquisitions.count == 1)
    }
  }

  @Test
  func `feeds give recommendations to a signed-in reader and refuse them to a stranger`()
    async throws
  {
    try await ReadingRoom.open { room in
      room.lend()
      let target = "/opds/lanes/recommended/books"
      #expect(try await room.ask(target).status == .unauthorized)
      let feed = try await room.feed(target, ReadingRoom.card)
      #expect(!feed.publications.isEmpty)
      // By genre, if the reader likes.
      let genres = try #require(feed.facets.first { $0.title == "Genre" })
      #expect(genres.facets.filter(\.isActive).map(\.link.title) == ["All"])
      let mystery = try #require(genres.facets.first { $0.link.title == "Mystery & crime" })
      let way = try #require(room.target(mystery.link.href))
      let narrowed = try await room.feed(way, ReadingRoom.card)
      #expect((1..<(feed.total ?? 0)).contains(narrowed.total ?? 0))
      #expect(narrowed.publications.allSatisfy { $0.subjects.contains { $0.label == "Mystery" } })
      let start = try await room.feed("/opds", ReadingRoom.card)
      #expect(start.navigation.contains { $0.links.contains { $0.has(.recommended) } })
    }
  }

  @Test
  func `a feed names a library that does not answer and is still served in full`() async throws {
    try await ReadingRoom.open { room in
      room.state.withLock { $0.silent = [town] }
      let feed = try await room.feed("/opds/lanes/popular/books")
      #expect(feed.subtitle?.hasPrefix("Town Library does not answer just now") == true)
      #expect(feed.publications.count == 25)
      room.state.withLock { $0.silent = [] }
      room.pass()
      #expect(try await room.feed("/opds/lanes/popular/books").subtitle == nil)
    }
  }

  @Test func `A reader of the catalogue is told when to come again where nothing can be read`()
    async throws
  {
    try await ReadingRoom.open { room in
      room.state.withLock { $0.isBroken = true }
      let answer = try await room.ask("/opds/lanes/popular/books")
      #expect(answer.status == .serviceUnavailable && answer.head["Retry-After"] == "10")
      #expect(answer.text.contains("database_unavailable"))
    }
  }
}

let bothStarts = [(FeedVersion.atom, "/opds"), (FeedVersion.json, "/opds/2")]
