import Circulation
import Crypto
import Database
import Downloads
import FrontDesk
import HTTP
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `A loan that opens elsewhere` {
  @Test func `a loan read at the library's page gets a new address each time, stored nowhere`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let page = try await room.book("Volume 39")
      try await room.press("borrow", of: "t39", at: page)
      let link = "/read-there/town/t39"
      for place in [page, "/my-books"] {
        let shown = try await room.ask(place).text
        #expect(shown.contains(#"href="\#(link)""#) && shown.contains(Phrases.readThere))
      }
      let there = try await room.ask(link)
      #expect(there.location == "https://town.example/once/t39")
      #expect(there.head["Cache-Control"] == "no-store")
      room.lender.change { $0.page = "javascript:alert(1)//" }
      #expect(try await room.ask(link).location == nil)
      #expect(try await room.ask("/read-there/town/t2").status == 404)
      room.keep(PageCookie.pass.rawValue, nil)
      #expect(try await room.ask(link).location?.hasPrefix("/sign-in") == true)
    }
  }

  @Test(arguments: [("2027-01-01T01:00:00Z", true), ("2026-12-31T23:00:00+00:00", false)])
  func `an Adobe loan file is offered unchanged until its end, and fetched anew after that`(
    end: String, isGood: Bool
  ) async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let page = try await room.book("Volume 40")
      try await room.press("borrow", of: "t40", at: page)
      let token = Array(
        """
        <fulfillmentToken xmlns="http://ns.adobe.com/adept"><expiration>\(end)</expiration>\
        </fulfillmentToken>
        """.utf8)
      let digest = Hex.encode(Digest.sha256.hash(token))
      try await room.store.write { tx throws(DatabaseError) in
        _ = try tx.execute(
          "UPDATE download SET state = 'done', owner = NULL, lease = NULL, digest = \(digest)")
      }
      try await room.shelve(token, for: "t40", kind: FileKind.adobeToken.rawValue)
      room.lobby.watch.forget()
      let mine = try await room.ask("/my-books").text
      #expect(mine.contains("Open the file with Adobe Digital Editions until ") == isGood)
      #expect(mine.contains(": download a new one.") != isGood)
      #expect(mine.contains(#"href="/files/town/t40""#) == isGood)
      #expect(mine.contains(#"value="fetch""#) != isGood)
      let file = try await room.ask("/files/town/t40")
      #expect(file.text == String(decoding: token, as: UTF8.self))
      #expect(file.head["Content-Type"] == "application/vnd.adobe.adept+xml")
      #expect(file.head["Content-Disposition"]?.contains(".acsm") == true)
      #expect(file.head["Cache-Control"]?.contains("no-store") == true)
      try await room.press("fetch", of: "t40", at: page)
      let ticket = try await room.queue.tickets(of: room.ada.patron).first
      #expect((ticket?.state == .done) == isGood)
    }
  }
}
