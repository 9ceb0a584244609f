import Circulation
import Crypto
import Database
import EPUB
import FoundationEssentials
import HTTP
import JSON
import Reading
import Registry
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The web reader` {
  /// Ada with the first book on loan.
  static func open(
    _ book: PaperBook, _ engine: Engine = .sqlite,
    _ body: (LobbyRoom, String) async throws -> Void
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let page = try await room.book("Volume 1 of")
      try await room.press("borrow", of: "t1", at: page)
      try await room.shelve(book.bytes, for: "t1")
      try await body(room, page)
    }
  }

  private static let book = PaperBook(chapters: 3, paragraphs: 20)

  @Test func `The web reader is one button away from a loan, and says where a locked book opens`()
    async throws
  {
    try await Self.open(Self.book) { room, page in
      let work = page.replacing("/works/", with: "")
      let there = try await room.ask("/read/\(work)")
      #expect(there.location == "/read/town/t1")
      #expect(try await room.ask("/read/town/t1").location?.hasPrefix("/read/town/t1/0") == true)
      #expect(try await room.ask("/read/town/t2").status == 404)
      room.keep(PageCookie.pass.rawValue, nil)
      #expect(try await room.ask("/read/town/t1").location?.hasPrefix("/sign-in?then=") == true)
      #expect(try await room.ask("/read/town/t1/0").status == 303)
    }
  }

  @Test(arguments: Engine.allCases)
  func `the web reader shows a section in a sandboxed frame and links to its neighbors`(
    engine: Engine
  ) async throws {
    try await Self.open(Self.book, engine) { room, _ in
      let page = try await room.ask("/read/town/t1/1")
      #expect(page.status == 200 && page.text.matches(of: /<h1/).count == 1)
      let policy = try #require(page.head["Content-Security-Policy"])
      #expect(policy.contains("script-src 'self';") && !policy.contains("unsafe"))
      let frame = try #require(page.text.firstMatch(of: /<iframe[^>]*>/)).output
      #expect(
        frame.contains(#"sandbox="allow-same-origin allow-top-navigation-by-user-activation""#))
      #expect(page.text.contains(#"href="/read/town/t1/0""#))
      #expect(page.text.contains(#"href="/read/town/t1/2""#))
      let source = try #require(frame.firstMatch(of: /src="([^"]*)"/)?.1)
      let inside = try await room.ask(String(source))
      #expect(inside.status == 200 && inside.head["Content-Type"] == "application/xhtml+xml")
      let rules = try #require(inside.head["Content-Security-Policy"])
      for rule in [
        "default-src 'none'", "script-src 'none'", "connect-src 'none'", "form-action 'none'",
        "base-uri 'none'", "frame-ancestors 'self'",
        "sandbox allow-same-origin allow-top-navigation-by-user-activation",
      ] { #expect(rules.contains(rule), "\(rule)") }
      #expect(!rules.contains("allow-scripts") && inside.text.contains("paragraph 3 of chapter 2"))
      #expect(try await room.ask("/read/town/t1/2").text.contains(#"href="/read/town/t1/end""#))
      #expect(try await room.ask("/read/town/t1/3").status == 404)
    }
  }

  @Test func `the parts of a book need its ticket and a current loan`()
    async throws
  {
    try await Self.open(Self.book) { room, page in
      let text = try await room.ask("/read/town/t1/0").text
      let source = String(try #require(text.firstMatch(of: /src="(\/book\/[^"]*)"/)?.1))
      #expect(try await room.ask(source).status == 200)
      #expect(try await room.ask(source, ["Cookie": ""]).status == 403)
      var forged = Array(source)
      forged[10] = forged[10] == "A" ? "B" : "A"
      #expect(try await room.ask(String(forged)).status == 403)
      #expect(
        try await room.ask(source.replacing("/s/0", with: "/r/META-INF/container.xml")).status
          == 404)
      #expect(try await room.ask(source.replacing("/s/0", with: "/r/OPS/book.opf")).status == 404)
      #expect(try await room.ask(source.replacing("/s/0", with: "/s/99")).status == 404)
      let asked = try await room.ask(source)
      #expect(asked.head["Cache-Control"] == "private, no-cache")
      let tag = try #require(asked.head["ETag"])
      #expect(try await room.ask(source, ["If-None-Match": tag]).status == 304)
      let pass = try #require(room.cookie("carrel_pass"))
      try await room.registry.endPass(with: Secret(pass), request: "r")
      #expect(try await room.ask(source, ["If-None-Match": tag]).status == 403)

      try await room.signIn()
      let anew = try await room.ask("/read/town/t1/0").text
      let other = String(try #require(anew.firstMatch(of: /src="(\/book\/[^"]*)"/)?.1))
      #expect(other != source && other.prefix { $0 != "." } == source.prefix { $0 != "." })
      #expect(try await room.ask(other).status == 200)
      try await room.store.write { tx throws(DatabaseError) in
        try tx.execute("DELETE FROM book_holder")
      }
      #expect(try await room.ask(other).status == 403)
    }
  }

  @Test func `a book's offline list names all its parts, and fetching them moves no reading place`()
    async throws
  {
    try await Self.open(Self.book) { room, _ in
      #expect(try await room.ask("/read/town/t1/1").status == 200)
      let answer = try await room.ask("/read/town/t1/offline.json")
      let list = try JSONValue(parsing: Array(answer.text.utf8))
      let pages = list["pages"]?.array?.compactMap(\.string) ?? []
      for section in 0...2 {
        #expect(pages.contains("/read/town/t1/\(section)?kept=1"))
        #expect(pages.contains("/read/town/t1/\(section)/marks"))
        #expect(pages.contains { $0.hasSuffix("/s/\(section)") })
      }
      for page in pages { #expect(try await room.ask(page).status == 200, "\(page)") }
      #expect(list["start"]?.string?.hasPrefix("/read/town/t1/1?shown=") == true)
      #expect(try await room.ask("/read/town/t1").location?.hasPrefix("/read/town/t1/1") == true)
    }
  }

  @Test func `The web reader goes on where it was left`() async throws {
    try await Self.open(Self.book) { room, _ in
      let page = try await room.ask("/read/town/t1/1")
      let seal = try #require(page.value("seal"))
      let shown = try await room.ask(
        "/read/town/t1", ["Accept": "application/json"],
        form: ["do": "place", "section": "1", "start": "900", "end": "1200", "seal": seal])
      #expect(shown.status == 200 && shown.text.contains("epubcfi(/6/4"))
      let back = try #require(try await room.ask("/read/town/t1").location)
      #expect(back.hasPrefix("/read/town/t1/1?at=epubcfi"))
      let again = try await room.ask(back).text
      #expect(again.contains(#""at":900"#), "\(again.suffix(900))")
      // Without script the frame opens at the paragraph.
      #expect(again.contains("/s/1#p"))
      #expect(
        try await room.ask(
          "/read/town/t1", form: ["do": "place", "section": "1", "seal": "wrong"]
        ).status == 403)
    }
  }

  @Test func `The web reader offers where another device was, and leaves it to the reader`()
    async throws
  {
    try await Self.open(Self.book) { room, _ in
      var there = Locator(href: "OPS/c2.xhtml")
      (there.progression, there.spine) = (0.5, 2)
      let digest = Hex.encode(Digest.sha256.hash(Self.book.bytes))
      try await room.reading.positions.keep(
        there, 0.8, in: BookNames(AnnotatedBook(digest: digest)), titled: nil,
        on: ReadingDevice(id: "t", name: "the terminal"), of: room.ada.patron)
      #expect(try await room.ask("/read/town/t1").location == "/read/town/t1/0?offer=1")
      let page = try await room.ask("/read/town/t1/0?offer=1").text
      #expect(page.contains("Go to 80 %, where you were with the terminal"))
      #expect(page.contains(#"href="/read/town/t1/2?at=epubcfi"#))
    }
  }

  @Test func `The web reader has contents, a search, bookmarks and notes, and a way to look`()
    async throws
  {
    try await Self.open(Self.book) { room, _ in
      let contents = try await room.ask("/read/town/t1/contents?from=1").text
      #expect(contents.contains(#"aria-current="location""#) && contents.contains("Chapter 3"))
      let found = try await room.ask("/read/town/t1/search?q=paragraph+7+of").text
      #expect(found.contains("Found 3 times.") && found.contains("<mark>paragraph 7 of</mark>"))
      let link = try #require(found.firstMatch(of: /href="(\/read\/town\/t1\/2\?at=[^"]*)"/)?.1)
      #expect(try await room.ask(String(link)).status == 200)
      let seal = try #require(try await room.ask("/read/town/t1/0").value("seal"))
      func press(_ form: FormFields) async throws -> LobbyRoom.Answer {
        var form = form
        form.add("seal", seal)
        return try await room.ask("/read/town/t1", form: form)
      }
      #expect(try await press(["do": "bookmark", "section": "2"]).location == "/read/town/t1/2")
      #expect(
        try await press([
          "do": "highlight", "section": "0", "start": "9", "end": "35", "color": "blue",
          "note": "<b>mine</b>", "tags": "one, two",
        ]).status == 303)
      let notes = try await room.ask("/read/town/t1/notes").text
      #expect(notes.contains("&lt;b&gt;mine&lt;/b&gt;") && notes.contains("#one #two"))
      #expect(notes.contains("Bookmark") && notes.contains("quote blue"))
      let marks = try await room.ask("/read/town/t1/0/marks").text
      #expect(marks.contains(#""start":9,"end":35"#), "\(marks)")
      let id = try #require(notes.firstMatch(of: /name="id" value="([^"]*)"/)?.1)
      #expect(
        try await press(["do": "edit", "id": String(id), "note": "", "tags": ""]).status == 303)
      #expect(try await press(["do": "remove", "id": String(id)]).status == 303)
      #expect(try await press(["do": "remove", "id": String(id)]).status == 404)
      #expect(
        try await press([
          "do": "taste", "colors": "sepia", "size": "150", "face": "sans", "spacing": "9",
          "section": "0",
        ]).status == 303)
      let look = try await room.ask("/read/town/t1/display").text
      #expect(look.contains(#"value="sepia" checked"#) && look.contains(#"value="150" selected"#))
      let sheet = String(
        try #require(
          try await room.ask("/read/town/t1/0").text.firstMatch(of: /"parts":"([^"]*)"/)?.1))
      let style = try await room.ask(sheet + "taste.css").text
      #expect(style.contains("--size: 1.5;") && style.contains("#f6ecd9"))
    }
  }

  @Test func `The web reader ends with a return, stars, and the page before`() async throws {
    try await Self.open(Self.book) { room, _ in
      let end = try await room.ask("/read/town/t1/end")
      #expect(end.text.contains(#"value="return""#) && end.text.contains("/read/town/t1/2?at=end"))
      let seal = try #require(end.value("seal"))
      let rated = try await room.ask(
        "/read/town/t1", form: ["do": "rate", "stars": "4", "seal": seal])
      #expect(rated.location == "/read/town/t1/end?did=rate")
      #expect(
        try await room.ask("/read/town/t1/end").text.contains(#"value="4" aria-pressed="true""#))
      #expect(
        try await room.ask(
          "/read/town/t1", form: ["do": "rate", "stars": "6", "seal": seal]
        ).status == 400)
    }
  }

  @Test func `The web reader asks before it leaves the book, and leads nobody anywhere else`()
    async throws
  {
    var book = Self.book
    book.chapters[0] =
      "<p><a href='https://example.org/x?a=1&amp;b=2'>out</a> <a href='c1.xhtml#p4'>on</a></p>"
    try await Self.open(book) { room, _ in
      let page = try await room.ask("/read/town/t1/0").text
      let source = String(try #require(page.firstMatch(of: /src="(\/book\/[^"]*)"/)?.1))
      let inside = try await room.ask(source).text
      #expect(inside.contains(#"href="/read/town/t1/1?to=p4" target="_top""#))
      let link = try #require(inside.firstMatch(of: /href="(\/read\/town\/t1\/leave[^"]*)"/)?.1)
      let leave = String(link).replacing("&amp;", with: "&")
      let asked = try await room.ask(leave)
      #expect(asked.status == 200 && asked.text.contains("https://example.org/x?a=1&amp;b=2"))
      #expect(try await room.ask(leave.replacing("example", with: "examplf")).status == 400)
    }
  }

  @Test func `The web reader says that a book is not here yet, and fetches it`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let page = try await room.book("Volume 2 of")
      try await room.press("borrow", of: "t2", at: page)
      let waiting = try await room.ask("/read/town/t2")
      // What is lent comes by itself; asked for once more, it comes once.
      #expect(waiting.text.contains("on its way") && waiting.head["Refresh"] == "3")
      let seal = try #require(waiting.value("seal"))
      let asked = try await room.ask("/read/town/t2", form: ["do": "open", "seal": seal])
      #expect(asked.location == "/read/town/t2")
      let coming = try await room.ask("/read/town/t2")
      #expect(coming.text.contains("on its way") && coming.head["Refresh"] == "3")
      try await room.shelve(Array("{}".utf8), for: "t2", kind: "lcp_licence")
      let locked = try await room.ask("/read/town/t2")
      #expect(locked.status == 409 && locked.text.contains("Thorium Reader"))
    }
  }
}
