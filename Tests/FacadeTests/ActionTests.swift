import Circulation
import FrontDesk
import HTTP
import OPDS
import Registry
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Facade

@Suite struct `A page of actions` {
  private func act(_ room: LendingRoom, _ page: Feed, _ start: String) async throws
    -> LendingRoom.Answer
  {
    let line = try #require(
      page.navigation.first { $0.title.hasPrefix(start) },
      "\(page.navigation.map(\.title)) has no \(start)")
    return try await room.ask(try #require(line.target).href, LendingRoom.downloader)
  }

  @Test(arguments: Engine.allCases)
  func `A page of actions offers what can be done, and does it`(engine: Engine) async throws {
    try await LendingRoom.open(engine) { room in
      let page = try await room.actions("Here")
      #expect(page.navigation.map(\.title) == ["Borrow from Town (available)"])
      #expect(room.lender.commands.isEmpty)
      let lent = try await act(room, page, "Borrow")
      #expect(lent.feed?.title == "Borrowed from Town until 15 January 2027")
      #expect(lent.head["Cache-Control"] == "private, no-store")
      let mine = try await room.actions("Here")
      #expect(
        mine.navigation.map(\.title)
          == ["Return to Town", "Renew at Town (until 15 January 2027)"])
      #expect(mine.publications.first?.acquisitions.map(\.link.type) == [.epub])
      // An app that follows the link again renews once.
      for _ in 0..<2 {
        let renewed = try await act(room, mine, "Renew")
        #expect(renewed.feed?.title == "Renewed at Town until 29 January 2027")
      }
      let back = try await act(room, mine, "Return")
      #expect(back.feed?.title == "Given back to Town")
      #expect(room.lender.commands == ["borrow here", "renew here", "return here"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A page of actions offers the queue with how long it takes, and the way out of it`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let page = try await room.actions("Out")
      let title = try #require(page.navigation.first?.title)
      #expect(title.hasPrefix("Hold at Town (about ") && title.contains("week"))
      let placed = try await act(room, page, "Hold")
      #expect(placed.feed?.title == "On hold at Town, place 3")
      let mine = try await room.actions("Out")
      #expect(mine.navigation.map(\.title) == ["Cancel the hold at Town (place 3 of 5)"])
      #expect(try await act(room, mine, "Cancel").feed?.title == "The hold at Town is canceled")
      #expect(room.lender.commands == ["hold out", "cancel out"])
    }
  }

  @Test func `A page of actions offers each branch where paper can be picked up`() async throws {
    try await LendingRoom.open { room in
      room.lender.state.withLock {
        $0.branches = [
          Branch(id: BranchID("n1"), name: "North"), Branch(id: BranchID("s1"), name: "South"),
        ]
      }
      let page = try await room.actions("Out")
      #expect(page.navigation.suffix(2).map(\.title) == ["Pick up at North", "Pick up at South"])
      let placed = try await act(room, page, "Pick up at South")
      #expect(placed.status == 200)
      #expect(room.lender.commands == ["hold out at s1"])
      #expect(room.lender.shelf(room.ada.id).holds.first?.pickup == BranchID("s1"))
    }
  }

  @Test
  func `an action page asks a library once for its branches for any number of editions`()
    async throws
  {
    try await LendingRoom.open { room in
      try await room.addTwin()
      let page = try await room.actions("Here")
      #expect(page.navigation.count == 2)
      #expect(room.lender.state.withLock { $0.branchesAsked } == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A page of actions has addresses that do a thing once and show the same ever after`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let page = try await room.actions("Here")
      let slip = try #require(page.navigation.first?.target).href
      #expect(try await room.ask(slip, .head, LendingRoom.downloader).status == 200)
      #expect(room.lender.commands.isEmpty)
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 {
          group.addTask { try await room.ask(slip, LendingRoom.downloader).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0 == 200 })
      #expect(room.lender.commands == ["borrow here"])
      let mine = try await room.actions("Here")
      _ = try await act(room, mine, "Return")
      let again = try await room.ask(slip, .post, LendingRoom.downloader)
      #expect(again.feed?.title == "Borrowed from Town until 15 January 2027")
      #expect(room.lender.commands == ["borrow here", "return here"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A page of actions has addresses for its own reader and for some minutes`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let slip = try #require(try await room.actions("Here").navigation.first?.target).href
      for (pair, status) in [(LendingRoom.bobCard, 403), (nil, 401), ("21000001:no", 401)] {
        #expect(try await room.ask(slip, as: pair).status == status)
      }
      #expect(try await room.ask("/opds/do/").status == 404)
      #expect(try await room.ask("/opds/do/AAAA").code == "slip_not_yours")
      #expect(try await room.ask(slip, .put, [:]).status == 405)
      room.clock.withLock { $0.now += 21 * 60_000 }
      let expired = try await room.ask(slip)
      #expect(expired.status == 410 && expired.code == "slip_expired")
      // An app that shows nothing of an error gets a page that says it.
      let page = try await room.ask(slip, LendingRoom.downloader)
      #expect(page.status == 200 && page.feed?.navigation.count == 1)
      #expect(page.feed?.title == "This page is too old to act on.")
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test func `A page of actions tells why a thing was not done, each app in its way`() async throws
  {
    try await LendingRoom.open { room in
      let page = try await room.actions("Here")
      let slip = try #require(page.navigation.first?.target).href
      room.lender.fail(.loanLimitReached(limit: 3))
      let told = try await room.ask(slip, LendingRoom.downloader)
      #expect(told.status == 200)
      #expect(told.feed?.title == "The card for Town has its 3 loans.")
      // It was settled; the same address tells other apps the same in theirs.
      let problem = try await room.ask(slip)
      #expect(problem.status == 403 && problem.code == "loan_limit_reached")
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test func `A page of actions whose answer was lost asks again by the same address`() async throws
  {
    try await LendingRoom.open { room in
      let slip = try #require(try await room.actions("Out").navigation.first?.target).href
      room.lender.fail(.networkFailure)
      #expect(try await room.ask(slip).code == "in_doubt")
      room.lender.change(room.ada.id) {
        $0.holds = [Hold(item: ItemID("out"), status: .waiting(position: 3, total: 5))]
      }
      let later = try await room.ask(slip)
      #expect(later.feed?.title.hasPrefix("On hold at Town") == true)
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test func `A page of actions is for apps known by their name, or by their password`()
    async throws
  {
    #expect(ReadingApps.profile(of: "KOReader/2026.08 (LuaSocket)") == .downloads)
    #expect(ReadingApps.profile(of: "Mozilla/5.0 (Linux) Librera FD") == .downloads)
    #expect(
      ReadingApps.profile(of: "OPDS/Stanza iPhone/Aldiko/Moon+ Reader(Android)") == .downloads)
    #expect(ReadingApps.profile(of: "Palace/1.2") == .borrows)
    #expect(ReadingApps.profile(of: nil) == .borrows)
    #expect(ReadingApps.profile(of: "Palace/1.2", .downloads) == .downloads)
    #expect(ReadingApps.profile(of: "KOReader", .borrows) == .borrows)
    try await LendingRoom.open { room in
      let (_, password) = try await room.registry.addDevice(
        named: "odd", of: room.ada.patron, scopes: .all, manner: .downloads, request: "r")
      let word = password.revealText { $0 }
      let list = try await room.ask("/opds/search?q=Here", as: "ada:\(word)")
      #expect(list.text.contains("/actions"))
    }
  }

  @Test(arguments: ["/opds", "/opds/2"])
  func `A page of actions finds a book by its number, however it is spelled`(_ start: String)
    async throws
  {
    try await LendingRoom.open { room in
      for spelling in [
        "urn:isbn:9780141439587", "ISBN%20978-0-14-143958-7", "isbn:0141439580",
        "0+14+143958+0", "here+ISBN+0-14-143958-0",
      ] {
        let feed = try #require(try await room.ask("\(start)/search?q=\(spelling)").feed)
        #expect(feed.everyPublication.map(\.title) == ["The Here Book"], "\(spelling)")
      }
    }
  }

  @Test func `A page of actions stands in for dead buttons in every list`() async throws {
    try await LendingRoom.open { room in
      let plain = try await room.ask("/opds/search?q=Here")
      let small = try await room.ask("/opds/search?q=Here", LendingRoom.downloader)
      #expect(plain.text.contains("acquisition/borrow"))
      #expect(!small.text.contains("acquisition/borrow") && small.text.contains("/actions"))
      // What can be fetched at once still can.
      _ = try await act(room, try await room.actions("Here"), "Borrow")
      let shelf = try #require(try await room.ask("/opds/shelf", LendingRoom.downloader).feed)
      #expect(shelf.publications.first?.acquisitions.first?.link.type == .epub)
    }
  }
}
