import Circulation
import Downloads
import FoundationEssentials
import FrontDesk
import HTTP
import Machine
import Phrasebook
import ReadingLists
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The page of a book` {
  @Test func `The page of a book tells what opens it, and how to tell others`() async throws {
    try await LobbyRoom.open { room in
      let book = try await room.book("Volume 3")
      let page = try await room.ask(book, ["Host": "books.example"])
      #expect(page.text.contains("EPUB, without a lock: opens here in the browser"))
      #expect(page.text.contains(#"readonly value="http://books.example\#(book)""#))
      #expect(
        page.text.contains(
          "href=\"mailto:?subject=Volume%203%20of%20Everything&amp;body=http"))
      #expect(page.text.contains(#"data-share="Volume 3 of Everything""#))
      #expect(!page.text.contains("Add to a list"))
    }
  }

  @Test func `The page of a book puts it on a list of the reader's, or on a new one`() async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      let hostile = "<img src=x onerror=alert(4)>"
      let made = try await room.send(
        ["do": "enlist", "list": "", "name": hostile], to: book, from: book)
      #expect(made.location == "\(book)?did=enlist")
      #expect(try await room.ask("\(book)?did=enlist").text.contains("It is on your list."))
      let lists = try await room.lobby.lending.lists.lists(of: room.ada.patron)
      let list = try #require(lists.first)
      #expect(list.name == hostile && list.count == 1)
      let page = try await room.ask(book)
      #expect(page.text.contains("&lt;img src=x") && !page.text.contains("<img src=x"))
      // The same book once more changes nothing, and a taken name is said.
      try await room.send(["do": "enlist", "list": list.id.rawValue], to: book, from: book)
      let again = try await room.send(["do": "enlist", "name": hostile], to: book, from: book)
      #expect(again.status == 409 && again.text.contains("Another list is called"))
      let other = try await room.send(["do": "enlist", "list": "none"], to: book, from: book)
      #expect(other.status == 404)
      #expect(
        try await room.send(["do": "enlist", "name": " "], to: book, from: book).status == 422)
      let count = try await room.lobby.lending.lists.lists(of: room.ada.patron).map(\.count)
      #expect(count == [1])
    }
  }

  @Test func `The page of a book has paper put aside at a branch`() async throws {
    try await LobbyRoom.open { room in
      room.lender.change { state in
        state.branches = [
          Branch(id: BranchID("north"), name: "North <End>", address: "1 Hill Street"),
          Branch(id: BranchID("south"), name: "South"),
        ]
      }
      try await room.signIn()
      let book = try await room.book("Volume 3")
      let page = try await room.ask(book)
      let way = "\(book)/pick-up/town/t3"
      #expect(page.text.contains(#"href="\#(way)""#))
      let choice = try await room.ask(way)
      #expect(choice.text.contains("North &lt;End&gt;") && choice.text.contains("1 Hill Street"))
      let held = try await room.send(
        ["do": "hold", "library": "town", "item": "t3", "branch": "south"], to: book, from: way)
      #expect(held.location == "\(book)?did=waiting&at=town")
      #expect(room.lender.commands == ["hold t3 at south"])
      #expect(try await room.ask("\(book)/pick-up/town/none").status == 404)
      room.lender.change { $0.branches = [] }
      let other = try await room.book("Volume 4")
      #expect(
        try await room.ask("\(other)/pick-up/town/t4").text.contains("does not say where paper"))
    }
  }
}

@Suite struct `Downloads on the pages` {
  private func ticket(_ room: LobbyRoom) async throws -> Ticket? {
    try await room.queue.tickets(of: room.ada.patron).first
  }

  @Test(arguments: Engine.allCases)
  func `Downloads on the pages begin with the loan, rest, go on and are given up`(engine: Engine)
    async throws
  {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      try await room.press("borrow", of: "t3", at: book)
      let ticket = try #require(try await ticket(room))
      #expect(ticket.wish.format?.content == .epub && ticket.state == .running)
      let mine = try await room.ask("/my-books")
      #expect(mine.text.contains(#"id="queue""#) && mine.text.contains(#"data-live="/my-books""#))
      #expect(mine.text.contains(#"<progress max="100""#) && mine.text.contains(">Pause<"))
      #expect(mine.text.contains(#"href="/read/town/t3""#))
      func press(_ deed: String) async throws -> LobbyRoom.Answer {
        try await room.send(
          ["do": deed, "ticket": "\(ticket.id)", "from": "/my-books"], to: "/downloads",
          from: "/my-books")
      }
      #expect(try await press("pause").location == "/my-books")
      let resting = try await room.ask("/downloads")
      #expect(resting.text.contains("Paused.") && resting.text.contains(">Go on<"))
      #expect(!resting.text.contains("data-live"))
      _ = try await press("resume")
      #expect(try await self.ticket(room)?.state == .queued)
      _ = try await press("cancel")
      #expect(try await self.ticket(room) == nil)
      #expect(try await room.ask("/downloads").text.contains("Nothing is being downloaded"))
      // By its button once more.
      let again = try await room.ask("/my-books")
      #expect(again.text.contains(#"name="do" value="fetch""#))
      let asked = try await room.press("fetch", of: "t3", at: book, ["from": "/my-books"])
      #expect(asked.location?.hasPrefix("/my-books?did=fetch") == true)
      #expect(try await self.ticket(room) != nil)
      #expect(try await press("shred").status == 400)
    }
  }

  @Test func `Downloads on the pages are nobody else's, and change by a sealed form only`()
    async throws
  {
    try await LobbyRoom.open { room in
      let form: FormFields = ["do": "cancel", "ticket": "1"]
      #expect(try await room.ask("/downloads", form: form).location == "/sign-in")
      #expect(try await room.ask("/downloads").location?.hasPrefix("/sign-in") == true)
      #expect(try await room.ask("/files/town/t3").location == "/sign-in")
      try await room.signIn()
      #expect(try await room.ask("/downloads", form: form).status == 403)
      let other = try await room.registry.patron(named: "bob")
      let wish = Wish(
        ItemID("t3"), on: AccountID("bobs"), of: LobbyRoom.town, for: other.id, title: "His")
      let his = try await room.queue.ask(wish).ticket
      let answer = try await room.send(
        ["do": "cancel", "ticket": "\(his.id)"], to: "/downloads", from: "/my-books")
      #expect(answer.status == 303)
      #expect(try await room.queue.ticket(his.id) != nil)
      #expect(try await room.ask("/files/town/t3").status == 404)
    }
  }

  @Test func `Downloads on the pages ask nothing of a library for a book that is not on loan`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      #expect(try await room.press("fetch", of: "t3", at: book).status == 404)
      #expect(try await ticket(room) == nil)
    }
  }
}

@Suite struct `A book that went by` {
  @Test func `A book that went by stays to be seen until its reader puts it away`() async throws {
    try await LobbyRoom.open { room in
      room.lender.change { state in
        state.shelf.loans = [
          Loan(item: ItemID("t3"), until: LobbyRoom.day.addingTimeInterval(-86_400))
        ]
      }
      try await room.sync()
      try await room.signIn()
      let mine = try await room.ask("/my-books")
      #expect(mine.text.contains("The loan from Town &lt;Library&gt; ended on <time"))
      #expect(mine.text.contains(">31 December 2026</time>") && mine.text.contains(">Put away<"))
      #expect(!mine.text.contains(">Return<"))
      let past = try await room.ask("/my-books?show=past")
      #expect(past.text.contains("Volume 3 of Everything"))
      let book = try await room.book("Volume 3")
      let away = try await room.press("dismiss", of: "t3", at: book, ["from": "/my-books"])
      #expect(away.location?.hasPrefix("/my-books?did=dismiss") == true)
      #expect(try await room.ask("/my-books").text.contains("No books yet"))
    }
  }
}

@Suite struct `Moments for people` {
  private let date = Date(timeIntervalSince1970: 1_798_761_600)

  @Test func `Moments for people are told by the clock of their library`() throws {
    let berlin = PlaceClock(try #require(Zone(named: "Europe/Berlin")))
    let york = PlaceClock(try #require(Zone(named: "America/New_York")))
    #expect(PlaceClock.utc.day(date) == "1 January 2027")
    #expect(PlaceClock.utc.stamp(date) == "2027-01-01T00:00Z")
    #expect(berlin.moment(date) == "1 January 2027, 01:00")
    #expect(berlin.stamp(date) == "2027-01-01T01:00+01:00")
    #expect(york.day(date) == "31 December 2026")
    #expect(york.stamp(date) == "2026-12-31T19:00-05:00")
    let summer = date.addingTimeInterval(200 * 86_400)
    #expect(berlin.stamp(summer).hasSuffix("T02:00+02:00"))
  }

  @Test func `Moments for people are told as exactly as they are known`() {
    #expect(Words.date(PartialDate(year: 1973, month: 8, day: 10)) == "10 August 1973")
    #expect(Words.date(PartialDate(year: 1973, month: 8)) == "August 1973")
    #expect(Words.date(PartialDate(year: 1973)) == "1973")
  }

  @Test func `Moments for people stay moments within a sentence`() {
    let telling = Telling.said("On loan from \("Town") until \(day: date).")
    #expect(
      telling.pieces == [
        .words("On loan from "), .words("Town"), .words(" until "), .day(date), .words("."),
      ])
    #expect(telling.text(by: .utc) == "On loan from Town until 1 January 2027.")
  }
}
