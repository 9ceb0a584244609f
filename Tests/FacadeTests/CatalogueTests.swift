import Catalog
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import JSON
import OPDS
import TestSupport
import Testing

@testable import Facade

@Suite struct `A catalogue for reading apps` {
  @Test(arguments: Engine.allCases, bothStarts)
  func `the OPDS catalog can be walked by links from the start to every book and picture`(
    engine: Engine, start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open(engine) { room in
      var headers = ReadingRoom.card
      room.lend()
      if engine == .sqlite { headers = [:] }
      var walk = Walk(room, start.version, headers)
      let shelf = "\(start.target)/shelf"
      if headers.isEmpty {
        // A stranger meets the one door that is shut.
        #expect(try await room.ask(shelf).status == .unauthorized)
      }
      try await walk.everywhere(from: headers.isEmpty ? "\(start.target)/groups" : start.target)
      let feeds = walk.documents.compactMap { $0.document.feed }
      #expect(feeds.count > 30)
      #expect(feeds.flatMap(\.faults) == [])
      var works: Set<String> = []
      for feed in feeds { works.formUnion(feed.everyPublication.map(\.id)) }
      #expect(works.count == 62)
      for picture in walk.pictures.sorted().prefix(3) {
        let answer = try await room.ask(picture)
        #expect(answer.status == .ok)
        #expect(answer.type?.type == "image")
      }
    }
  }

  @Test(arguments: bothStarts)
  func `a feed page lists each book once with its offers, the best first`(
    start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open { room in
      let feed = try await room.feed("\(start.target)/lanes/popular/books?count=100")
      #expect(feed.publications.count == 62)
      #expect(Set(feed.publications.map(\.id)).count == 62)
      let book = try #require(feed.publications.first { $0.title == "The Glass Ferry" })
      // A copy is free in the county and none in town: the better offer stands first.
      #expect(book.acquisitions.map(\.availability?.state) == [.available, .unavailable])
      #expect(book.acquisitions.map(\.copies?.available) == [1, 0])
      try #require(book.acquisitions.count == 2)
      #expect(book.acquisitions[1].holds?.total == 12)
      #expect(book.acquisitions[1].availability?.until != nil)
      #expect(book.acquisitions[0].link.title == "Borrow from County <& \"Books\">")
      #expect(
        book.acquisitions[0].paths.map { $0.dropFirst().map(\.essence) } == [
          ["application/vnd.readium.lcp.license.v1.0+json", "application/epub+zip"],
          ["application/vnd.readium.lcp.license.v1.0+json", "application/pdf"],
        ])
      #expect(book.acquisitions.allSatisfy { $0.link.type == start.version.entry })
      let free = try #require(feed.publications.first { $0.title == "A Free Book" })
      #expect(free.acquisitions.map(\.link.relations) == [[.openAccess]])
      #expect(free.acquisitions[0].link.type?.essence == "application/epub+zip")
      #expect(free.acquisitions[0].link.href.hasSuffix(".epub"))
    }
  }

  @Test(arguments: bothStarts)
  func `A catalogue for reading apps writes what is hard to write`(
    start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open { room in
      let page = try await room.ask("\(start.target)/search?q=zurich")
      #expect(!page.text.utf8.contains(1))
      let feed = try await room.feed("\(start.target)/search?q=zurich")
      let book = try #require(feed.publications.first)
      #expect(Array(book.title.unicodeScalars).contains("\u{E9}"))
      #expect(book.contributors.map(\.name) == ["Ada Quill", "Bo Lee", "Nan Reader"])
      #expect(book.series.map(\.name) == ["Saga"])
      #expect(book.series.map(\.position) == [2])
      let summary = try #require(book.summary)
      #expect(summary.form == .plain)
      #expect(summary.text.contains("First & bold."))
      #expect(!summary.text.contains("alert"))
      #expect(summary.text.contains("By Ada Quill, Bo Lee."))
      let told = try #require(book.document)
      let whole = try #require(room.target(told.href))
      guard case .entry(let entry) = try await room.document(whole) else {
        Issue.record("\(whole) is no entry")
        return
      }
      #expect(entry.id == book.id)
      #expect(entry.issued?.year == 1901)
    }
  }

  @Test(arguments: bothStarts)
  func `A catalogue for reading apps is turned page by page`(
    start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open { room in
      var titles: [String] = []
      var next: String? = "\(start.target)/lanes/fiction/books"
      var pages = 0
      while let target = next {
        let feed = try await room.feed(target)
        #expect(feed.total == 62)
        #expect(feed.perPage == 25)
        if start.version == .atom { #expect(feed.first == pages * 25 + 1) }
        #expect(feed.links.first(.previous) != nil || pages == 0)
        titles += feed.publications.map(\.title)
        next = feed.next.flatMap { room.target($0.href) }
        pages += 1
      }
      #expect(pages == 3)
      #expect(Set(titles).count == 62)
      let first = try await room.feed("\(start.target)/lanes/fiction/books?count=31&page=2")
      #expect(first.next == nil)
      let back = try #require(first.links.first(.previous).flatMap { room.target($0.href) })
      #expect(try await room.feed(back).publications.count == 31)
    }
  }

  @Test(arguments: bothStarts)
  func `a feed offers facets with counts, and the same choices as entries`(
    start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open { room in
      let feed = try await room.feed("\(start.target)/lanes/popular/books")
      let groups = feed.facets.map(\.title)
      #expect(groups == ["Availability", "Format", "Library", "Sort by"])
      let now = try #require(
        feed.facets[0].facets.first { $0.link.title == "Available now" })
      #expect(now.link.count == 33)
      let way = try #require(room.target(now.link.href))
      let narrowed = try await room.feed(way)
      #expect(narrowed.total == 33)
      #expect(
        narrowed.facets[0].facets.filter(\.isActive).map(\.link.title) == ["Available now"])
      let list = try #require(
        narrowed.links.first { $0.title == "Narrow this list" }.flatMap { room.target($0.href) })
      let choices = try await room.feed(list)
      #expect(choices.kind == .navigation)
      let pdf = try #require(choices.navigation.first { $0.title.hasPrefix("Format: PDF") })
      let target = try #require(pdf.links.first.flatMap { room.target($0.href) })
      let both = try await room.feed(target)
      // What was chosen before stays chosen.
      #expect(both.total == 1)
      #expect(both.publications.map(\.title) == ["The Glass Ferry"])
    }
  }

  @Test(arguments: bothStarts)
  func `A catalogue for reading apps shows lanes side by side, each book in one of them`(
    start: (version: FeedVersion, target: String)
  ) async throws {
    try await ReadingRoom.open { room in
      let feed = try await room.feed("\(start.target)/groups")
      #expect(feed.groups.map(\.title).prefix(2) == ["New", "Popular"])
      #expect(feed.groups.allSatisfy { (1...12).contains($0.publications.count) })
      let all = feed.groups.flatMap { $0.publications.map(\.id) }
      #expect(Set(all).count == all.count)
      let lane = try #require(feed.groups.first?.link.flatMap { room.target($0.href) })
      #expect(try await room.feed(lane).total == 62)
    }
  }

  @Test func `A catalogue for reading apps is all there for a harvester, what changed last first`()
    async throws
  {
    try await ReadingRoom.open { room in
      try await room.catalog.note(
        [ItemID("t7"): ReadingRoom.available(.unavailable(.init()), at: 1_799_000_000)], at: town)
      let start = try await room.feed("/opds")
      var next = start.links.first { $0.relations.contains { $0.rawValue.hasSuffix("crawlable") } }
        .flatMap { room.target($0.href + "?count=20") }
      var ids: [String] = []
      while let target = next {
        let feed = try await room.feed(target)
        #expect(feed.total == 62)
        ids += feed.publications.map(\.id)
        if ids.count <= 20 {
          #expect(feed.publications.first?.title == "Volume 7 of Everything")
        }
        next = feed.next.flatMap { room.target($0.href) }
      }
      #expect(ids.count == 62)
      #expect(Set(ids).count == 62)
      #expect(try await room.feed("/opds/all?count=100").isComplete)
    }
  }

  @Test func `A catalogue for reading apps names works so that no other gateway means them`()
    async throws
  {
    try await ReadingRoom.open { room in
      let book = try #require(try await room.feed("/opds/lanes/popular/books").publications.first)
      let json = try #require(
        try await room.feed("/opds/2/lanes/popular/books").publications.first)
      #expect(book.id == json.id)
      let head = Letterhead(site: "", version: .atom, signer: room.facade.signer)
      let work = try #require(head.work(named: book.id))
      #expect(head.name(of: work) == book.id)
      #expect(head.work(named: book.id.replacing("carrel:", with: "carrel:0")) == nil)
    }
  }
}
