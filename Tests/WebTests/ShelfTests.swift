import Books
import Catalog
import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `Days` {
  @Test(
    arguments: [
      (nil, DayOrder.dayFirst), ("", .dayFirst), ("*", .dayFirst), ("en-GB,en;q=0.9", .dayFirst),
      ("en-US,en;q=0.9", .monthFirst), ("de, en-US;q=0.9", .dayFirst),
      ("de;q=0.2, en-US;q=0.9", .monthFirst), ("sv-SE", .numbers), ("zh-Hant-TW", .numbers),
      ("en-US;q=0, fr", .dayFirst), ("en-CA", .numbers), (";;,=", .dayFirst),
    ] as [(String?, DayOrder)])
  func `Days are read in the order that the browser's language has`(field: String?, order: DayOrder)
  {
    #expect(DayOrder(AcceptedLanguages(field)) == order)
  }

  @Test func `Days are written in each of them`() {
    let day = Date(timeIntervalSince1970: 1_800_000_000)
    let told = DayOrder.allCases.map { PlaceClock.utc.read(in: $0).moment(day) }
    #expect(
      told == ["15 January 2027, 08:00", "January 15, 2027, 08:00", "2027-01-15, 08:00"])
  }
}

@Suite struct `What a reader does not want to see` {
  @Test(arguments: Engine.allCases)
  func `an ignored book leaves the shelves after a confirmation and is marked in searches`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      let title = "Volume 3 of Everything"
      let lane = "/lanes/popular?sort=title"
      #expect(try await room.ask("/").text.contains(#"href="\#(book)/ignore""#))
      #expect(try await room.ask(lane).text.contains("\(book)/ignore?from=/lanes/popular"))
      let question = try await room.ask("\(book)/ignore?from=/lanes/popular")
      #expect(question.text.contains("<q>\(title)</q>") && question.text.contains(">Leave it out<"))
      #expect(question.value("from") == "/lanes/popular")
      let done = try await room.send(
        ["do": "ignore", "from": "/lanes/popular"], to: book, from: "\(book)/ignore")
      let work = book.dropFirst("/works/".count)
      #expect(done.location == "/lanes/popular?did=ignore&of=\(work)")
      let after = try await room.ask(try #require(done.location))
      #expect(after.text.contains("leave it out from now on.") && after.text.contains(">Undo<"))
      #expect(!after.text.contains(title))
      #expect(try await !room.ask("/").text.contains(title))
      let found = try await room.ask("/search?q=volume+3")
      #expect(found.text.contains(title) && found.text.contains(">Ignored<"))
      #expect(found.text.contains(">Show it again<"))
      try await room.send(["do": "unignore", "from": "/"], to: book, from: "/my-books")
      #expect(try await room.ask("/").text.contains(title))
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test
  func `ignoring a book needs a sign-in, an existing book and a local return address`() async throws
  {
    try await LobbyRoom.open { room in
      let book = try await room.book("Volume 3")
      #expect(try await room.ask("\(book)/ignore").location?.hasPrefix("/sign-in?then=") == true)
      #expect(try await !room.ask("/").text.contains("/ignore"))
      try await room.signIn()
      #expect(try await room.ask("/works/w99999/ignore").status == 404)
      #expect(
        try await room.ask("\(book)/ignore?from=//evil.example/").value("from") == "/")
      let away = try await room.send(
        ["do": "ignore", "from": "https://evil.example/"], to: book, from: "/")
      #expect(away.location?.hasPrefix("/?did=ignore") == true)
    }
  }
}

@Suite struct `The first books of a lane` {
  private func titles(_ room: LobbyRoom) async throws -> [String] {
    let home = try await room.ask("/").text
    let lane = home.split(separator: "id=\"lane-popular\"").last?.split(separator: "</section>")
      .first
    return (lane ?? "").matches(of: /class="title"[^>]*>([^<]*)</).map { String($0.1) }
  }

  @Test func `The first books of a lane are as many as ever, however many a reader ignores`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let before = try await titles(room)
      #expect(before.count == 14)
      for number in 1...12 {
        _ = try await room.books.ignore(
          BookKey(LobbyRoom.town, ItemID("t\(number)")), BookFace(title: "", authors: []),
          of: room.ada.patron)
      }
      room.lobby.watch.forget()
      let after = try await titles(room)
      #expect(after.count == 14 && Set(after).isDisjoint(with: before.dropFirst().prefix(12)))
    }
  }

  @Test func `The first books of a lane stand as they stand now, for all who share them`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      #expect(try await room.ask("/").text.contains("About ") == false)
      let taken = Availability(
        .queued(.init(total: 1, available: 0, holds: 30)), asOf: LobbyRoom.day)
      try await room.catalog.note([ItemID("t1"): taken], at: LobbyRoom.town)
      room.lobby.watch.forget()
      #expect(try await room.ask("/").text.contains("About "))
    }
  }
}

@Suite struct `A list of books` {
  @Test func `A list of books saves from where one stands, and says what is saved`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 5")
      let search = "/search?q=volume+5"
      #expect(try await room.ask(search).text.contains("☆ Save<"))
      let saved = try await room.send(["do": "save", "from": search], to: book, from: search)
      #expect(saved.location?.hasPrefix("/search?q=volume+5&did=save&of=") == true)
      let after = try await room.ask(search)
      #expect(after.text.contains("★ Saved<") && after.text.contains(#"value="unsave""#))
      try await room.send(["do": "unsave", "from": search], to: book, from: search)
      #expect(try await room.ask(search).text.contains("☆ Save<"))
      #expect(try await room.ask("/my-books?show=saved").text.contains("Nothing is saved"))
    }
  }

  @Test func `A list of books leads back to the lane around it`() async throws {
    try await LobbyRoom.open { room in
      let lane = try await room.ask("/lanes/mystery")
      #expect(lane.text.contains(#"class="back"><a href="/lanes/genres">By genre</a>"#))
      let whole = try await room.ask("/lanes/genres")
      #expect(whole.text.contains(#"class="back"><a href="/">Library</a>"#))
    }
  }
}

@Suite struct `What is suggested while one types` {
  @Test(arguments: Engine.allCases)
  func `What is suggested while one types: is names and titles that the words begin`(engine: Engine)
    async throws
  {
    try await LobbyRoom.open(engine) { room in
      let quill = try await room.ask("/search/suggestions?q=qui")
      #expect(quill.status == 200 && quill.head["Content-Type"] == "application/json")
      #expect(quill.text.hasPrefix(#"{"items":["Ada Quill","#))
      let copies = try await room.ask("/search/suggestions?q=all+cop")
      #expect(copies.text == #"{"items":["All Copies Out"]}"#)
      #expect(try await room.ask("/search/suggestions?q=+").text == #"{"items":[]}"#)
      #expect(try await room.ask("/search/suggestions").text == #"{"items":[]}"#)
      #expect(try await room.ask("/search/suggestions?q=zzzz").text == #"{"items":[]}"#)
      let hostile = try await room.ask("/search/suggestions?q=alert")
      #expect(
        hostile.text.contains("alert(1)") && hostile.head["Vary"]?.hasPrefix("Cookie") == true)
    }
  }

  @Test func `search suggestions need a sign-in where the catalog is closed`() async throws {
    try await LobbyRoom.open(isPublic: false) { room in
      #expect(try await room.ask("/search/suggestions?q=qui").status == 401)
      try await room.signIn()
      #expect(try await room.ask("/search/suggestions?q=qui").status == 200)
    }
  }

  @Test func `What is suggested while one types: is asked for by the field itself`() async throws {
    try await LobbyRoom.open { room in
      let home = try await room.ask("/")
      #expect(home.text.contains(#"data-suggest="/search/suggestions""#))
    }
  }
}

@Suite struct `The colors` {
  @Test func `The colors are the reader's choice, kept by the browser`() async throws {
    try await LobbyRoom.open { room in
      #expect(try await room.ask("/").text.contains(#"content="light dark""#))
      let dark = try await room.ask("/look", form: ["look": "dark", "then": "/lanes/popular"])
      #expect(dark.status == 303 && dark.location == "/lanes/popular")
      let home = try await room.ask("/")
      #expect(home.text.contains(#"<html lang="en" data-look="dark">"#))
      #expect(home.text.contains(#"name="color-scheme" content="dark""#))
      #expect(
        try await room.ask("/none", ["Accept": "text/html"]).text.contains(#"data-look="dark""#))
      try await room.ask("/look", form: ["look": "device"])
      #expect(try await !room.ask("/").text.contains("data-look"))
    }
  }

  @Test func `The colors are changed by no other site, and to nothing that is none`() async throws {
    try await LobbyRoom.open { room in
      for site in ["cross-site", "same-site"] {
        let answer = try await room.ask("/look", ["Sec-Fetch-Site": site], form: ["look": "dark"])
        #expect(answer.status == 403)
      }
      #expect(try await room.ask("/look", form: ["look": "dark; Path=/x"]).status == 403)
      #expect(room.cookie("carrel_look") == nil)
      let away = try await room.ask("/look", form: ["look": "dark", "then": "//evil.example"])
      #expect(away.location == "/")
    }
  }
}

@Suite struct `The weight of the pages` {
  @Test
  func `the home page with its styles and scripts stays small and in three parts`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let home = try await room.ask("/")
      #expect(home.text.utf8.count < 60 << 10)
      let parts = home.text.matches(of: /(?:src|href)="(\/assets\/[^"]*\.(?:css|js))"/)
        .map { String($0.1) }
      // With the page itself three; what the page is called by on a device comes later.
      #expect(parts.count == 2)
      var size = 0
      for part in parts {
        let answer = try await room.ask(part)
        #expect(answer.status == 200)
        #expect(answer.head["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(answer.head["Content-Type"]?.hasPrefix("text/") == true)
        size += answer.text.utf8.count
      }
      #expect(size < 70 << 10)
      #expect(Stylesheet.text.utf8.count < 30 << 10)
      #expect(SiteScript.text.utf8.count < 15 << 10)
    }
  }
}
