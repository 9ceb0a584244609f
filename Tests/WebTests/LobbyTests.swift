import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The pages` {
  @Test func `The pages show strangers the shelves, and not what readers have`() async throws {
    try await LobbyRoom.open { room in
      let home = try await room.ask("/")
      #expect(home.status == 200 && home.head["Cache-Control"] == "no-cache")
      #expect(home.head["Vary"]?.contains("Cookie") == true)
      #expect(home.text.contains("Volume 1 of Everything") && home.text.contains("Sign in"))
      #expect(!home.text.contains(">You</a>") && !home.text.contains("On loan"))
      #expect(home.text.contains(#"href="/lanes/popular""#))
      #expect(home.text.contains(#"href="/lanes/mystery""#))
      let book = try await room.ask(try await room.book("Volume 3"))
      #expect(book.text.contains("Sign in to borrow") && !book.text.contains("<form method=\"post"))
      #expect(try await room.ask("/my-books").location == "/sign-in?then=/my-books")
    }
  }

  @Test(arguments: ["/", "/lanes/popular", "/search?q=volume", "/works/w1", "/my-books"])
  func `The pages are for readers only where the catalogue is`(target: String) async throws {
    try await LobbyRoom.open(isPublic: false) { room in
      let answer = try await room.ask(target)
      #expect(answer.status == 303 && answer.location?.hasPrefix("/sign-in") == true)
      try await room.signIn()
      #expect(try await room.ask(target).status == 200)
    }
  }

  @Test func `The pages load nothing but our own, run nothing, and are never framed`() async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      for target in ["/", "/lanes/popular", "/search?q=volume", "/works/w1", "/my-books", "/none"] {
        let answer = try await room.ask(target, ["Accept": "text/html"])
        let policy = try #require(answer.head["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe") && policy.contains("script-src 'self'"))
        // One script, from a file, and none in the page.
        #expect(answer.text.matches(of: /<script/).count == 1, "\(target)")
        #expect(answer.text.contains(/<script src="\/assets\/carrel-[^"]*\.js" defer><\/script>/))
        #expect(!answer.text.contains(" style="))
        #expect(answer.text.matches(of: /<h1/).count == 1, "\(target)")
        #expect(answer.text.contains("<html lang=\"en\">"))
        #expect(answer.text.contains("<main id=\"main\">"))
      }
    }
  }

  @Test func `The pages write a hostile title as text`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("alert")
      for target in ["/", "/lanes/popular", "/search?q=alert", book] {
        let text = try await room.ask(target).text
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; "), "\(target)")
        #expect(!text.contains("<script>") && !text.contains("<img src=x"))
        #expect(!text.contains("onload=x\""))
      }
      let text = try await room.ask(book).text
      #expect(text.contains("<p>First.</p><p>Second &amp; last.</p>"))
      #expect(text.contains("Town &lt;Library&gt;"))
      let echo = try await room.ask("/search?q=%22%3E%3Cb%3Ehere&library=%3Ci%3E")
      #expect(!echo.text.contains("<b>here") && !echo.text.contains("<i>"))
      #expect(try await room.ask("\(book)?did=%3Cb%3E&at=town").text.contains("<b>") == false)
    }
  }

  @Test func `The pages answer that nothing is new, until something is done`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let first = try await room.ask("/")
      let tag = try #require(first.head["ETag"])
      #expect(try await room.ask("/", ["If-None-Match": tag]).status == 304)
      let book = try await room.book("Volume 3")
      #expect(try await room.press("borrow", of: "t3", at: book).status == 303)
      let after = try await room.ask("/", ["If-None-Match": tag])
      #expect(after.status == 200 && after.text.contains("days left"))
    }
  }

  @Test func `The pages sort, narrow and turn a lane`() async throws {
    try await LobbyRoom.open { room in
      let first = try await room.ask("/lanes/popular?sort=title")
      #expect(first.text.contains("42 titles") && first.text.contains("Page 1 of 2"))
      #expect(first.text.contains(#"rel="next" href="/lanes/popular?sort=title&amp;page=2""#))
      let second = try await room.ask("/lanes/popular?sort=title&page=2")
      #expect(second.text.contains("Page 2 of 2") && second.text.contains(#"start="26""#))
      let queued = try await room.ask("/lanes/popular?available=queued")
      #expect(queued.text.contains("All Copies Out") && queued.text.contains("1 title<"))
      #expect(queued.text.contains("Without: "))
      #expect(try await room.ask("/lanes/popular?page=9").status == 404)
      #expect(try await room.ask("/lanes/popular?sort=color").status == 400)
      #expect(try await room.ask("/lanes/none").status == 404)
      #expect(try await room.ask("/lanes/genres").text.contains("Mystery"))
    }
  }

  @Test func `The pages find, and say it when nothing is found`() async throws {
    try await LobbyRoom.open { room in
      let found = try await room.ask("/search?q=volume+7")
      #expect(found.text.contains("Volume 7 of Everything"))
      #expect(found.text.contains("Now at Town &lt;Library&gt;"))
      #expect(found.text.contains(#"value="volume 7""#))
      #expect(try await room.ask("/search?q=zebrafish").text.contains("None of your libraries"))
      #expect(try await room.ask("/search").text.contains("Type a title"))
    }
  }

  @Test func `The pages say it where no book is, and keep nothing of it`() async throws {
    try await LobbyRoom.open { room in
      let answer = try await room.ask("/works/w999999")
      #expect(answer.status == 404 && answer.head["Cache-Control"] == "no-store")
      #expect(answer.text.contains("None of your libraries has this title."))
      #expect(answer.text.contains("Sign in"))
      try await room.signIn()
      let known = try await room.ask("/works/w999999")
      #expect(known.status == 404 && known.text.contains(">You</a>"))
    }
  }

  @Test func `The pages stay light`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      #expect(try await room.ask("/").text.utf8.count < 60 << 10)
      #expect(Stylesheet.text.utf8.count < 30 << 10)
      #expect(SiteScript.text.utf8.count < 15 << 10)
    }
  }
}

@Suite struct `What a reader has` {
  @Test func `What a reader has: is shown with the days it has left, the shortest first`()
    async throws
  {
    try await LobbyRoom.open { room in
      room.lender.change { state in
        for (item, days) in [("t1", 9.0), ("t2", 1.5), ("t3", -1)] {
          var loan = Loan(
            item: ItemID(item), until: LobbyRoom.day.addingTimeInterval(days * 86_400))
          loan.since = LobbyRoom.day.addingTimeInterval(-9 * 86_400)
          state.shelf.loans.append(loan)
        }
        state.shelf.holds = [
          Hold(
            item: ItemID("t4"),
            status: .ready(until: LobbyRoom.day.addingTimeInterval(2 * 86_400)))
        ]
      }
      try await room.sync()
      try await room.signIn()
      let home = try await room.ask("/").text
      let told = home.matches(of: /<time datetime="([^"]*)"[^>]*>([^<]*)</).map {
        "\($0.1) \($0.2)"
      }
      #expect(
        told == [
          "2026-12-31T00:00Z ended", "2027-01-02T12:00Z 1 day left",
          "2027-01-10T00:00Z 9 days left",
        ])
      #expect(home.contains(#"<meter class="due" min="0" max="100" value="50""#))
      #expect(home.contains("1 book is ready for you"))
      #expect(home.contains(#"href="/my-books?show=ready""#))
      let ready = try await room.ask("/my-books?show=ready").text
      #expect(ready.contains("Volume 4 of Everything") && !ready.contains("Volume 1 of"))
      #expect(ready.contains("Kept ready at Town &lt;Library&gt; until <time "))
      #expect(ready.contains(">3 January 2027</time>."))
      #expect(ready.contains(">Borrow<") && ready.contains(">Let it go<"))
    }
  }
}

@Suite struct `The forms of a book` {
  @Test(arguments: Engine.allCases)
  func `The forms of a book borrow and give back through the desk`(engine: Engine) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      let lent = try await room.press("borrow", of: "t3", at: book)
      #expect(lent.status == 303 && lent.location == "\(book)?did=lent&at=town")
      let page = try await room.ask(try #require(lent.location))
      #expect(page.text.contains(#"role="status">Borrowed from Town &lt;Library&gt;."#))
      #expect(page.text.contains(">Return<"))
      // Twice is once.
      #expect(
        try await room.press("borrow", of: "t3", at: book).location == "\(book)?did=had&at=town")
      let mine = try await room.ask("/my-books?show=loans")
      #expect(mine.text.contains("Volume 3 of Everything") && mine.text.contains("14 days left"))
      #expect(mine.head["Cache-Control"] == "private, no-cache")
      let back = try await room.press(
        "return", of: "t3", at: book, ["from": "/my-books?show=loans"])
      #expect(back.location == "/my-books?show=loans&did=returned&at=town&of=\(book.dropFirst(7))")
      #expect(try await room.ask("/my-books").text.contains("No books yet"))
      #expect(room.lender.commands == ["borrow t3", "return t3"])
    }
  }

  /// The form of another patron's page, sent by hand.
  @Test(arguments: ["return", "cancel"])
  func `a form for a title that the patron does not have is refused`(verb: String) async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      let answer = try await room.press(verb, of: "t3", at: book)
      #expect(answer.status == 404)
      #expect(answer.location?.contains("did=") != true)
    }
  }

  @Test func `The forms of a book wait in a queue and leave it`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Copies Out")
      #expect(try await room.ask(book).text.contains(">Place a hold<"))
      #expect(
        try await room.press("hold", of: "out", at: book).location
          == "\(book)?did=waiting&at=town")
      #expect(try await room.ask("/my-books?show=holds").text.contains("place 5 of 5"))
      try await room.press("cancel", of: "out", at: book)
      #expect(room.lender.commands == ["hold out", "cancel out"])
    }
  }

  @Test func `The forms of a book save for later without any library`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 5")
      #expect(
        try await room.press("save", of: "t5", at: book).location == "\(book)?did=save&at=town")
      #expect(try await room.ask(book).text.contains("Saved: remove"))
      #expect(try await room.ask("/my-books?show=saved").text.contains("Volume 5 of Everything"))
      try await room.press("unsave", of: "t5", at: book)
      #expect(try await room.ask("/my-books?show=saved").text.contains("Nothing is saved"))
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test func `The forms of a book say why something was not done, on the book's own page`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      room.lender.change { $0.fault = .loanLimitReached(limit: 5) }
      let answer = try await room.press("borrow", of: "t3", at: book)
      #expect(answer.status == 403 && answer.head["Cache-Control"] == "no-store")
      #expect(
        answer.text.contains(#"role="alert">The card for Town &lt;Library&gt; has its 5 loans"#))
      #expect(answer.text.contains("Volume 3 of Everything"))
    }
  }

  @Test func `The forms of a book do nothing without the seal, from elsewhere, or for strangers`()
    async throws
  {
    try await LobbyRoom.open { room in
      let book = try await room.book("Volume 3")
      let form: FormFields = ["do": "borrow", "library": "town", "item": "t3"]
      let stranger = try await room.ask(book, form: form)
      #expect(stranger.status == 303 && stranger.location?.hasPrefix("/sign-in?then=") == true)
      try await room.signIn()
      #expect(try await room.ask(book, form: form).status == 403)
      var sealed = form
      sealed.add("seal", try #require(try await room.ask(book).value("seal")))
      for site in ["cross-site", "same-site"] {
        #expect(try await room.ask(book, ["Sec-Fetch-Site": site], form: sealed).status == 403)
      }
      #expect(room.lender.commands.isEmpty)
      #expect(
        try await room.ask(book, ["Sec-Fetch-Site": "same-origin"], form: sealed).status == 303)
      #expect(room.lender.commands == ["borrow t3"])
    }
  }

  @Test func `The forms of a book refuse what is not complete, or not ours`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      #expect(try await room.press("shred", of: "t3", at: book).status == 400)
      #expect(try await room.press("borrow", of: "nothing", at: book).status == 404)
    }
  }
}
