import Circulation
import FrontDesk
import HTTP
import OPDS
import ReadingLists
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Facade

@Suite struct `A list for others, as a feed` {
  /// Ada's, with a book that is there and one that no library has.
  private func list(
    _ room: LendingRoom, _ name: String, _ sharing: CustomList.Sharing, by curator: String? = nil
  ) async throws -> CustomList {
    let work = try #require(room.work(named: try await room.book("Here").id))
    let list = try await room.lists.create(
      named: name, for: room.ada.patron, sharing: sharing, by: curator)
    _ = try await room.lists.add(
      ListedBook(work: work, title: "The Here Book", note: "Read it & weep."), to: list.id,
      of: room.ada.patron)
    _ = try await room.lists.add(
      ListedBook(work: nil, title: "Nowhere", note: "If you find it."), to: list.id,
      of: room.ada.patron)
    return list
  }

  @Test(arguments: Engine.allCases, ["application/atom+xml", "application/opds+json"])
  func `a librarian's shared list is linked from the start feed with its name and notes`(
    engine: Engine, accept: String
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let headers: Headers = ["Accept": accept]
      func start() async throws -> Feed {
        try #require(try await room.ask("/opds", as: LendingRoom.bobCard, headers).feed)
      }
      #expect(try await start().navigation.allSatisfy { $0.title != "From librarians" })
      _ = try await list(room, "Older", .everyone, by: "Mr. Elm")
      room.clock.withLock { $0.now += 1_000 }
      _ = try await list(room, "For winter", .everyone, by: "Ms. Oak")
      room.watch.forget()
      let found = try #require(try await start().navigation.first { $0.title == "From librarians" })
      let lists = try #require(
        try await room.ask(found.target?.href ?? "", as: LendingRoom.bobCard, headers).feed)
      #expect(lists.navigation.map(\.title) == ["For winter", "Older"])
      #expect(lists.navigation.map { $0.links.contains { $0.has(.featured) } } == [true, false])
      let address = try #require(lists.navigation[0].target).href
      let answer = try await room.ask(address, as: LendingRoom.bobCard, headers)
      let feed = try #require(answer.feed)
      #expect(feed.title == "For winter")
      let first = try #require(feed.publications.first { $0.title == "The Here Book" })
      #expect(first.acquisitions.contains { $0.has(.borrow) })
      #expect(feed.publications.allSatisfy { $0.links.first(.edit) == nil })
      if accept == "application/atom+xml" {
        #expect(lists.navigation[0].summary == "By Ms. Oak. 2 books.")
        #expect(answer.text.contains("<author><name>Ms. Oak</name></author>"))
        #expect(answer.text.contains("<content type=\"text\">Read it &amp; weep.</content>"))
      } else {
        #expect(answer.text.contains("Read it & weep."))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a friend's list is for signed-in readers only and checked anew on each request`(
    engine: Engine
  )
    async throws
  {
    try await LendingRoom.open(engine) { room in
      _ = try await list(room, "Mine alone", .private)
      let shared = try await list(room, "Try these", .friends)
      let start = try #require(try await room.ask("/opds", as: LendingRoom.bobCard).feed)
      let entry = try #require(start.navigation.first { $0.title == "From friends" })
      #expect(entry.links.contains { $0.has(.recommended) })
      let answer = try await room.ask(entry.target?.href ?? "", as: LendingRoom.bobCard)
      #expect(answer.head["Cache-Control"] == "private, no-cache")
      let same = try await room.ask(
        entry.target?.href ?? "", .get, as: LendingRoom.bobCard,
        ["If-None-Match": try #require(answer.head["ETag"])])
      #expect(same.status == 304)
      #expect(answer.feed?.navigation.map(\.title) == ["Try these"])
      #expect(answer.feed?.navigation.first?.summary == "By ada. 2 books.")
      let address = try #require(answer.feed?.navigation.first?.target).href
      let feed = try await room.ask(address, as: LendingRoom.bobCard)
      #expect(feed.text.contains("<author><name>ada</name></author>"))
      #expect(feed.head["Cache-Control"] == "private, no-cache")
      #expect(feed.feed?.publications.map(\.title) == ["The Here Book"])
      // What no library has leads to the search for it.
      let other = try #require(feed.feed?.navigation.first { $0.title == "Nowhere" }?.target)
      #expect(try await room.ask(other.href).feed?.title == "Search: Nowhere")
      let tag = try #require(feed.head["ETag"])
      let again = try await room.ask(
        address, .get, as: LendingRoom.bobCard, ["If-None-Match": tag])
      #expect(again.status == 304)
      // Its owner is no friend of hers, and a stranger is nobody's.
      let own = try await room.ask("/opds/from-friends")
      #expect(own.feed?.navigation.map(\.title) == ["All"])
      #expect(try await room.ask("/opds/from-friends", as: nil).status == 401)
      #expect(try await room.ask(address, as: nil).status == 401)

      _ = try await room.lists.share(shared.id, of: room.ada.patron, with: .private)
      let gone = try await room.ask(address, as: LendingRoom.bobCard)
      #expect(gone.status == 404 && gone.code == "unknown_list")
    }
  }

  @Test(arguments: Engine.allCases)
  func `an app password that is made for reading shows no name of a list`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let shared = try await list(room, "Try these", .friends)
      let curated = try await list(room, "For winter", .everyone, by: "Ms. Oak")
      let wall = try await room.device([.read], of: room.bob, "wall")
      let phone = try await room.device([.read, .lists], of: room.bob, "phone")
      func titles(_ word: String) async throws -> [String] {
        try #require(try await room.ask("/opds", as: "bob:\(word)").feed).navigation.map(\.title)
      }
      // In turn: no page of one is kept for the other.
      for _ in 0..<2 {
        #expect(try await Set(titles(phone)).isSuperset(of: ["Your lists", "From friends"]))
        #expect(try await Set(titles(wall)).isDisjoint(with: ["Your lists", "From friends"]))
      }
      let closed = ["lists", "from-friends", "shared/\(shared.id.rawValue)", "service"]
      for path in closed {
        let answer = try await room.ask("/opds/\(path)", as: "bob:\(wall)")
        #expect(answer.code == "out_of_scope", "\(path)")
        #expect(!answer.text.contains("Try these"))
      }
      let address = "/opds/shared/\(curated.id.rawValue)"
      #expect(try await room.ask(address, as: "bob:\(wall)").status == 200)
    }
  }

  @Test func `A list for others, as a feed is a page at a time, and is not written to`()
    async throws
  {
    try await LendingRoom.open { room in
      let shared = try await list(room, "Try these", .everyone, by: "Ms. Oak")
      let address = "/opds/shared/\(shared.id.rawValue)"
      let first = try #require(try await room.ask("\(address)?count=1").feed)
      #expect(first.publications.map(\.title) == ["The Here Book"] && first.total == 2)
      let next = try #require(first.next).href
      #expect(try await room.ask(next).feed?.navigation.map(\.title) == ["Nowhere"])
      #expect(try await room.ask("\(address)?page=3").code == "no_such_page")
      #expect(try await room.ask("\(address)?page=x").status == 400)
      #expect(try await room.ask("/opds/shared/none").code == "unknown_list")
      #expect(try await room.ask(address, .post).status == 405)
      #expect(try await room.ask(address, .delete).status == 405)
    }
  }

  @Test func `A list for others, as a feed stands beside what is recommended`() async throws {
    try await LendingRoom.open { room in
      _ = try await list(room, "For winter", .everyone, by: "Ms. Oak")
      let feed = try #require(try await room.ask("/opds/lanes/recommended/books").feed)
      #expect(feed.links.all(.related).compactMap(\.title) == ["From librarians", "From friends"])
    }
  }
}
