import Foundation
import HTTP
import JSON
import JourneySupport
import OPDS
import TestSupport
import Testing

/// The whole cycle of a loan by following links alone, as reading apps go it.
@Suite(.timeLimit(.minutes(5))) struct `A reader with a reading app` {
  private func play(
    _ engine: Engine,
    _ body: (Stage, RunningGateway, (id: String, name: String)) async throws -> Void
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await RunningGateway.serve(stage) { try await body(stage, $0, title) }
    }
  }

  @Test(arguments: Engine.allCases, ["application/atom+xml", "application/opds+json"])
  func `a reading app signs in, browses, searches, borrows, downloads and returns a book`(
    _ engine: Engine, _ accept: String
  ) async throws {
    try await play(engine) { stage, gateway, title in
      var app = gateway.app(accept: accept, credentials: false)
      let locked = try await app.ask(gateway.start)
      #expect(locked.status == 401 && locked.headers["WWW-Authenticate"] != nil)
      guard case .authentication(let way) = locked.document else {
        Issue.record("no authentication document")
        return
      }
      app.credentials = true
      let start = try #require(try await app.follow(way.links.first(.start)).feed)
      #expect(gateway.site.hasPrefix("https://") && gateway.site.hasSuffix("/lib"))
      #expect(start.links.first(.shelf)?.href.hasPrefix(gateway.site + "/opds/") == true)
      var browsed = 0
      for lane in start.navigation.compactMap(\.target) {
        browsed += try #require(try await app.follow(lane).feed).everyPublication.count
      }
      #expect(browsed > 0)

      let found = try await app.search(title.name, from: start)
      let book = try #require(found.everyPublication.first { $0.title == title.name })
      let borrow = try #require(book.acquisitions.first { $0.has(.borrow) })
      #expect(borrow.availability?.state == .available)
      #expect(borrow.paths.contains { $0.last == .epub })
      #expect(try await app.ask(borrow.link.href, .head).status == 200)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
      let lent = try await app.ask(borrow.link.href)
      #expect(lent.status == 201 && lent.headers["Location"] != nil)
      #expect(lent.entry?.acquisitions.contains { $0.has(.acquisition) } == true)
      #expect(try await app.ask(borrow.link.href, .post).status == 200)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])

      let shelf = try #require(try await app.follow(start.links.first(.shelf)).feed)
      let loan = try #require(shelf.everyPublication.first { $0.title == title.name })
      let file = try #require(
        loan.acquisitions.first { $0.has(.acquisition) && $0.link.type == .epub })
      #expect(file.availability?.state == .available && file.availability?.until != nil)
      let head = try await app.ask(file.link.href, .head)
      #expect(head.status == 200 && head.headers["Content-Disposition"] != nil)
      let epub = try await app.follow(file.link)
      #expect(epub.bytes.starts(with: Array("PK".utf8)))
      #expect(epub.headers["Content-Type"] == "application/epub+zip")
      #expect(epub.headers["Content-Disposition"]?.contains(".epub") == true)

      let revoke = try #require(loan.links.first(.revoke))
      #expect(try await app.ask(revoke.href, .head).status == 200)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])
      let back = try await app.follow(revoke)
      #expect(back.entry?.acquisitions.contains { $0.has(.borrow) } == true)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
      let again = try await app.ask(revoke.href)
      #expect(again.status == 404 && again.code == "not_borrowed")
      #expect(try await app.ask(file.link.href).code == "not_borrowed")
      let empty = try #require(try await app.follow(start.links.first(.shelf)).feed)
      #expect(empty.everyPublication.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a reading app that only downloads borrows and returns through action pages`(
    _ engine: Engine
  ) async throws {
    try await play(engine) { stage, gateway, title in
      let app = gateway.app(agent: "KOReader/2026.08")
      let start = try #require(try await app.ask(gateway.start).feed)
      let found = try await app.search(title.name, from: start)
      let line = try #require(found.navigation.first { $0.title == title.name })
      let page = try #require(try await app.follow(line.target).feed)
      let borrow = try #require(page.navigation.first { $0.title.hasPrefix("Borrow from ") })
      #expect(borrow.title == "Borrow from \(Mock.name) (available)")
      let slip = try #require(borrow.target)
      #expect(try await app.ask(slip.href, .head).status == 200)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])

      try await stage.link(Mock.bruno, "2222", as: "bruno")
      let lent = try await app.follow(slip)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])
      let feed = try #require(lent.feed)
      #expect(feed.title.hasPrefix("Borrowed from \(Mock.name) until "))
      // The first thing on the page is the file.
      let text = String(decoding: lent.bytes, as: UTF8.self)
      let first = try #require(text.split(separator: "<entry").dropFirst().first)
      #expect(first.contains("http://opds-spec.org/acquisition\""))
      let file = try #require(feed.publications.first?.acquisitions.first { $0.link.type == .epub })
      #expect(try await app.follow(file.link).bytes.starts(with: Array("PK".utf8)))
      let again = try await app.follow(slip)
      #expect(again.feed?.title == feed.title)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])

      let shelf = try #require(try await app.follow(start.links.first(.shelf)).feed)
      let loan = try #require(shelf.publications.first { $0.title == title.name })
      let actions = try #require(
        try await app.follow(loan.links.first { $0.has(.subsection) }).feed)
      let giveBack = try #require(actions.navigation.first { $0.title.hasPrefix("Return to ") })
      let back = try await app.follow(giveBack.target)
      #expect(back.feed?.title == "Given back to \(Mock.name)")
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
      #expect(try await app.follow(giveBack.target).feed?.title == back.feed?.title)
      // Nor does the first slip borrow it once more.
      #expect(try await app.follow(slip).feed?.title == feed.title)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an action link works for its own reader only, and a wrong or old one changes nothing`(
    _ engine: Engine
  ) async throws {
    try await play(engine) { stage, gateway, title in
      let password = try #require(
        try await stage.json("admin", "device", "add", "kobo", "--as", "bob").item["password"]?
          .string)
      let ada = gateway.app(agent: "KOReader/2026.08")
      let bob = gateway.app(name: "bob", word: password)
      let start = try #require(try await ada.ask(gateway.start).feed)
      let found = try await ada.search(title.name, from: start)
      let line = try #require(found.navigation.first { $0.title == title.name })
      let page = try #require(try await ada.follow(line.target).feed)
      let slip = try #require(
        page.navigation.first { $0.title.hasPrefix("Borrow from ") }?.target?.href)
      let foreign = try await bob.ask(slip)
      #expect(foreign.status == 403 && foreign.code == "slip_not_yours")
      let torn = try await ada.ask(String(slip.dropLast(3)))
      #expect(torn.status == 403 && torn.code == "slip_not_yours")
      #expect(try await ada.ask(slip, .delete).status == 405)
      let stranger = gateway.app(credentials: false)
      #expect(try await stranger.ask(slip).status == 401)
      #expect(try await gateway.app(word: "9999").ask(slip).status == 401)
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
      #expect(try await stage.rows("SELECT count(*) FROM slip") == [["0"]])
    }
  }

  @Test func `A reader with a reading app whose device may only read does not borrow`() async throws
  {
    try await play(.sqlite) { stage, gateway, title in
      let password = try #require(
        try await stage.json("admin", "device", "add", "wall", "--scope", "read").item[
          "password"]?.string)
      let app = gateway.app(name: "reader", word: password)
      let start = try #require(try await app.ask(gateway.start).feed)
      let found = try await app.search(title.name, from: start)
      let book = try #require(found.everyPublication.first { $0.title == title.name })
      let refused = try await app.ask(book.acquisitions[0].link.href)
      #expect(refused.status == 403 && refused.code == "out_of_scope")
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
      try await stage.json("admin", "device", "revoke", "wall", "--yes")
      #expect(try await app.ask(gateway.start).status == 401)
    }
  }
}
