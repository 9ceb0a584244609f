import Crypto
import HTTP
import JSON
import MockKit
import TestSupport
import Testing

@testable import Web

@Suite struct `A book with a licence in the web reader` {
  private func book(end: String = "2999-01-01T00:00:00Z") throws -> [UInt8] {
    let press = try #require(LobbyRoom.press)
    let key = Digest.sha256.hash("content")
    var order = LicensePress.Order(
      id: "1", issued: "2020-01-01T00:00:00Z", passphrase: Digest.sha256.hash("Zoë"),
      contentKey: key,
      links: [
        ["rel": "hint", "href": "https://lender.example/hint"],
        ["rel": "publication", "href": "https://lender.example/book"],
      ])
    order.hint = "Your <cat>"
    order.rights = ["end": .string(end)]
    let title = Title(
      id: "1", name: "Lent", authors: ["A Whale"], copies: .unlimited,
      added: Moment(milliseconds: 0))
    return try MockBook(title).locked(with: key, license: press.license(order))
  }

  private func open(
    _ book: [UInt8], _ body: (LobbyRoom) async throws -> Void
  ) async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      try await room.press("borrow", of: "t1", at: try await room.book("Volume 1 of"))
      try await room.shelve(book, for: "t1")
      try await body(room)
    }
  }

  @Test
  func `the web reader asks for an LCP passphrase once, with the lender's hint`() async throws {
    try await open(try book()) { room in
      let door = try await room.ask("/read/town/t1")
      #expect(door.status == 200 && door.text.contains("Hint: Your &lt;cat&gt;"))
      #expect(door.text.contains("type=\"password\""))
      #expect(try await room.ask("/read/town/t1/0").status == 409)
      let wrong = try await room.send(
        ["do": "unlock", "passphrase": "zoe"], to: "/read/town/t1")
      #expect(wrong.status == 200 && wrong.text.contains("does not open it"))
      #expect(!wrong.text.contains("zoe"))
      let right = try await room.send(
        ["do": "unlock", "passphrase": "Zoë"], to: "/read/town/t1")
      #expect(right.location == "/read/town/t1")
      #expect(try await room.ask("/read/town/t1").location?.hasPrefix("/read/town/t1/0") == true)
    }
  }

  @Test
  func `the web reader shows an LCP book without caching and without an offline copy`() async throws
  {
    try await open(try book()) { room in
      try await room.send(["do": "unlock", "passphrase": "Zoë"], to: "/read/town/t1")
      let page = try await room.ask("/read/town/t1/2")
      #expect(page.status == 200 && page.head["Cache-Control"] == "no-store")
      let source = try #require(page.text.firstMatch(of: /<iframe[^>]*src="([^"]*)"/)?.1)
      let inside = try await room.ask(String(source))
      #expect(inside.text.contains("Here the story ends."))
      #expect(inside.head["Cache-Control"] == "no-store")
      let found = try await room.ask("/read/town/t1/search?q=story")
      #expect(found.text.contains("story") && found.head["Cache-Control"] == "no-store")
      #expect(try await room.ask("/read/town/t1/offline.json").status == 403)
    }
  }

  @Test func `A book with a licence in the web reader says when its licence has ended`()
    async throws
  {
    try await open(try book(end: "2021-01-01T00:00:00Z")) { room in
      let page = try await room.ask("/read/town/t1")
      #expect(page.status == 409)
      #expect(page.text.contains("The licence ended at 2021-01-01T00:00:00Z"))
    }
  }
}
