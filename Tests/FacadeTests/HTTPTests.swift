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

@Suite struct `A request for a feed` {
  @Test(arguments: [
    (nil, "application/atom+xml"), ("*/*", "application/atom+xml"),
    ("application/opds+json", "application/opds+json"),
    ("application/opds+json, application/atom+xml;q=0.9, */*;q=0.1", "application/opds+json"),
    (
      "application/opds+json, application/atom+xml;profile=opds-catalog, */*",
      "application/atom+xml"
    ),
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/atom+xml"),
  ])
  func `A request for a feed gets the version it likes, and Atom where it likes both`(
    accept: String?, type: String
  ) async throws {
    try await ReadingRoom.open { room in
      let headers: Headers = accept.map { ["Accept": $0] } ?? [:]
      let answer = try await room.ask("/opds", headers)
      #expect(answer.status == .ok)
      #expect(answer.type?.essence == type)
      #expect(answer.head["Vary"]?.contains("Accept") == true)
      // An address of its own for each, whatever is asked for.
      #expect(try await room.ask("/opds/1", headers).type?.essence == "application/atom+xml")
      #expect(try await room.ask("/opds/2", headers).type?.essence == "application/opds+json")
    }
  }

  @Test(arguments: [
    ("/opds/lanes/nowhere", 404, "unknown_lane"),
    ("/opds/lanes/nowhere/books", 404, "unknown_lane"),
    ("/opds/lanes/popular/books?page=4", 404, "no_such_page"),
    ("/opds/lanes/popular/books?page=999999", 404, "no_such_page"),
    ("/opds/lanes/popular/books?page=0", 400, "bad_value"),
    ("/opds/lanes/popular/books?page=x", 400, "bad_value"),
    ("/opds/lanes/popular/books?count=0", 400, "bad_value"),
    ("/opds/lanes/popular/books?count=99999999999999999999", 400, "bad_value"),
    ("/opds/lanes/popular/books?sort=colour", 400, "bad_value"),
    ("/opds/lanes/popular/books?format=" + String(repeating: "x", count: 65), 400, "bad_value"),
    ("/opds/lanes/popular/books?library=" + String(repeating: "x", count: 301), 400, "bad_value"),
    ("/opds/lanes/popular/books?available=maybe", 400, "bad_value"),
    ("/opds/works/w999999", 404, "unknown_work"), ("/opds/works/x", 404, "unknown_work"),
    ("/opds/all?after=x", 400, "bad_value"),
    ("/opds/covers/w1/large-1-0000", 404, "not_found"),
    ("/opds/nothing", 404, "not_found"),
  ])
  func `A request for a feed that cannot be met is told so in words for programs`(
    target: String, status: Int, code: String
  ) async throws {
    try await ReadingRoom.open { room in
      let answer = try await room.ask(target)
      #expect(answer.status.code == status)
      #expect(answer.type == .problem)
      #expect(try JSONValue(parsing: answer.text)["code"]?.string == code)
    }
  }

  @Test func `a feed request with a malformed Accept header gets 400, and one for images 406`()
    async throws
  {
    try await ReadingRoom.open { room in
      let torn = try await room.ask("/opds", ["Accept": ";;;=,,"])
      #expect((torn.status.code, torn.type) == (400, .problem))
      let picture = try await room.ask("/opds", ["Accept": "image/png"])
      #expect((picture.status.code, picture.type) == (406, .problem))
    }
  }

  @Test(arguments: [HTTP.Method.post, .put, .delete, .patch])
  func `A request for a feed by a method that changes things is refused`(method: HTTP.Method)
    async throws
  {
    try await ReadingRoom.open { room in
      let answer = try await room.ask("/opds/lanes/popular/books", [:], method)
      #expect(answer.status == .methodNotAllowed)
      #expect(answer.head["Allow"] == "GET, HEAD, OPTIONS")
    }
  }

  @Test func `a feed request for more than a page holds gets a hundred entries`() async throws {
    try await ReadingRoom.open { room in
      let feed = try await room.feed("/opds/lanes/popular/books?count=5000")
      #expect(feed.perPage == 100)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A request for a feed is answered with a tag that stays until something changed`(
    engine: Engine
  ) async throws {
    try await ReadingRoom.open(engine) { room in
      let target = "/opds/lanes/fiction/books"
      let first = try await room.ask(target)
      let tag = try #require(first.head["ETag"])
      #expect(!tag.hasPrefix("W/"))
      #expect(try await room.ask(target, ["If-None-Match": tag]).status == .notModified)
      room.pass()
      room.state.withLock { $0.now += 60_000 }
      #expect(try await room.ask(target, ["If-None-Match": tag]).status == .notModified)
      // A change of a book that stands on another page is no change of this one.
      let last = try #require(try await room.feed(target + "?page=3").publications.last)
      let number = try #require(last.title.split(separator: " ").dropFirst().first)
      try await room.catalog.note(
        [
          ItemID("t\(number)"): ReadingRoom.available(
            .queued(.init(total: 5, holds: 99)), at: 1_799_000_000)
        ],
        at: town)
      room.pass()
      let same = try await room.ask(target, ["If-None-Match": tag])
      let moved = try await room.ask(target + "?page=3")
      #expect(moved.text.contains("99 readers waiting"))
      // The counts of the facets may have moved, and with them the tag.
      if number.utf8.last.map({ $0 % 2 }) == 1 { #expect(same.status == .notModified) }
      let here = try #require(try await room.feed(target).publications.first)
      let mine = here.title == "A Free Book" ? "free" : "hard"
      try await room.catalog.note(
        [ItemID(mine): ReadingRoom.available(.unavailable(.init()), at: 1_799_500_000)], at: town)
      room.pass()
      let other = try await room.ask(target, ["If-None-Match": tag])
      #expect(other.status == .ok)
      #expect(other.head["ETag"] != tag)
    }
  }

  @Test func `A request for a feed renders one entry anew when one book changed`() async throws {
    try await ReadingRoom.open { room in
      _ = try await room.ask("/opds/lanes/popular/books")
      let rendered = room.facade.pages.rendered
      #expect(rendered == 25)
      _ = try await room.ask("/opds/lanes/popular/books?sort=popular")
      #expect(room.facade.pages.rendered == 25)
      try await room.catalog.note(
        [
          ItemID("t4"): ReadingRoom.available(
            .available(.init(total: 5, available: 1)), at: 1_799_000_000)
        ],
        at: town)
      room.pass()
      #expect(try await room.ask("/opds/lanes/popular/books").text.contains("1 of 5 copies"))
      #expect(room.facade.pages.rendered == 26)
    }
  }

  @Test func `A request for a feed looks at the house once a second, and not for each page`()
    async throws
  {
    try await ReadingRoom.open { room in
      for _ in 0..<10 { _ = try await room.ask("/opds/lanes/popular/books") }
      #expect(room.state.withLock { $0.looks } == 1)
      room.pass()
      for _ in 0..<10 { _ = try await room.ask("/opds/lanes/popular/books") }
      #expect(room.state.withLock { $0.looks } == 2)
      room.facade.noteChange()
      _ = try await room.ask("/opds/lanes/popular/books")
      #expect(room.state.withLock { $0.looks } == 3)
    }
  }

  @Test func `A request for a feed is written once, however many ask for it`() async throws {
    try await ReadingRoom.open { room in
      let tags = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<20 {
          group.addTask { try await room.ask("/opds/lanes/popular/books").head["ETag"] }
        }
        var tags: Set<String?> = []
        for try await tag in group { tags.insert(tag) }
        return tags
      }
      #expect(tags.count == 1)
      #expect(room.facade.pages.rendered == 25)
    }
  }

  @Test func `A request for a feed is for a route that says who may use it`() async throws {
    try await ReadingRoom.open { room in
      let rows = room.routes.table.filter { $0.methods == [.get] }
      let notes = Dictionary(grouping: rows, by: \.note).mapValues { Set($0.map(\.pattern)) }
      #expect(
        notes[.open] == ["/opds/auth", "/opds/search.xml", "/opds/covers/{work}/{name}"])
      #expect(notes[.reader] == ["/opds/shelf", "/opds/1/shelf", "/opds/2/shelf"])
      #expect(notes[.catalog]?.count == 33)
    }
    try await ReadingRoom.open(isPublic: false) { room in
      for row in room.routes.table where row.note != .open && row.methods == [.get] {
        let target = row.pattern.replacing("{lane}", with: "popular")
          .replacing("{work}", with: "w1")
        #expect(try await room.ask(target).status == .unauthorized, "\(row.pattern)")
      }
      let open = try await room.ask("/opds/auth")
      #expect(open.status == .ok)
    }
  }

  @Test func `A request for a feed never makes the pages outgrow their memory`() async throws {
    try await ReadingRoom.open(memory: 300_000) { room in
      for count in 1...60 {
        _ = try await room.ask("/opds/lanes/popular/books?count=\(count)")
      }
      #expect(room.facade.pages.size <= 300_000)
      #expect(room.facade.pages.size > 100_000)
    }
  }

  @Test
  func `feeds may be read from any web origin, and preflight requests are answered`() async throws {
    try await ReadingRoom.open { room in
      let answer = try await room.ask("/opds", ["Origin": "tauri://localhost"])
      #expect(answer.head["Access-Control-Allow-Origin"] == "*")
      #expect(answer.head["Access-Control-Expose-Headers"]?.contains("ETag") == true)
      let asked = try await room.ask("/opds/shelf", ["Origin": "https://app.example"], .options)
      #expect(asked.status == .noContent)
      #expect(
        asked.head["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
    }
  }

  @Test func `A request for a feed is told to be kept by everybody, by one, or by nobody`()
    async throws
  {
    let address = try #require(
      ProxyPolicy.PublicAddress(scheme: "https", host: "books.example"))
    // Where `Host` says what the site is called, no shared cache may keep what is made of it.
    try await ReadingRoom.open { room in
      let stranger = try await room.ask("/opds/lanes/popular/books")
      #expect(stranger.head["Cache-Control"] == "private, max-age=600")
      for path in ["/opds/auth", "/opds/search.xml"] {
        #expect(try await room.ask(path).head["Cache-Control"]?.hasPrefix("private") == true)
      }
    }
    try await ReadingRoom.open(publicURL: address) { room in
      room.lend()
      let target = "/opds/lanes/popular/books"
      let stranger = try await room.ask(target)
      #expect(stranger.head["Cache-Control"] == "public, max-age=600")
      let reader = try await room.ask(target, ReadingRoom.card)
      #expect(reader.head["Cache-Control"] == "private, no-cache")
      let shelf = try await room.ask("/opds/shelf", ReadingRoom.card)
      #expect(shelf.head["Cache-Control"] == "private, no-store")
    }
  }

  @Test func `A request for a feed under another address gets links of that address alone`()
    async throws
  {
    let address = try #require(
      ProxyPolicy.PublicAddress(scheme: "https", host: "books.example", basePath: "/carrel"))
    try await ReadingRoom.open(publicURL: address) { room in
      var walk = Walk(room, .atom)
      try await walk.everywhere(from: "/carrel/opds/groups", atMost: 40)
      #expect(walk.documents.count == 40)
      let text = try await room.ask("/carrel/opds/lanes/popular/books").text
      #expect(!text.contains("localhost"))
      #expect(text.contains("https://books.example/carrel/opds/covers/"))
    }
  }
}
