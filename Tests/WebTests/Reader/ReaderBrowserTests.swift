import BrowserSupport
import JSON
import TestSupport
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(10))) struct `The web reader in Chromium` {
  /// A page with a book open, signed in.
  static func open(
    _ book: PaperBook, _ screens: [Screen], _ body: (BrowserPage, LobbyRoom) async throws -> Void
  ) async throws {
    try await `The web reader`.open(book) { room, _ in
      try await room.show("/read/town/t1/0", on: screens) { page in
        if page.screen.runsScript {
          try await page.holds("document.querySelector('.leaf.now iframe')")
        }
        try await body(page, room)
      }
    }
  }

  static let place = "document.querySelector('#where').textContent"
  /// The page that is seen, by its section and its first character.
  static let top = "[history.state?.section, history.state?.place].join()"

  @Test func `the web reader turns pages by key, tap and swipe, across sections and back`()
    async throws
  {
    try await Self.open(PaperBook(chapters: 3, paragraphs: 150), [.phone, .desk]) { page, room in
      #expect(page.faults == [])
      let first = try await page.evaluate(Self.top)
      #expect(first == "0,0")
      try await page.press("ArrowRight")
      try await page.holds("\(Self.top) !== \(first.text())")
      try await page.press("ArrowLeft")
      try await page.holds("\(Self.top) === \(first.text())")
      let screen = page.screen
      // Beside the text, and at the very edge of the glass or window.
      for right in [Double(screen.width) * 0.9, Double(screen.width) - 6] {
        try await page.press(at: right, Double(screen.height) / 2)
        try await page.holds("\(Self.top) !== \(first.text())")
        try await page.press(at: Double(screen.width) - right, Double(screen.height) / 2)
        try await page.holds("\(Self.top) === \(first.text())")
      }
      try await page.press("End")
      try await page.press(" ")
      try await page.holds(
        "location.pathname.endsWith('/1') && \(Self.place).includes('Chapter 2')")
      try await page.press("PageUp")
      try await page.holds("location.pathname.endsWith('/0')")
      try await page.holds("history.state.section === 0 && history.state.place > 100")
      // The end of the book is a page.
      for section in 1...2 {
        try await page.press("End")
        try await page.press("ArrowRight")
        try await page.holds("location.pathname.endsWith('/\(section)')")
      }
      try await page.press("End")
      try await page.following { try await page.press("ArrowRight") }
      try await page.holds("location.pathname.endsWith('/end')")
      _ = room
    }
  }

  @Test
  func `the web reader starts with the text size of the device's own programs`() async throws {
    let screens = [Screen.phone, .tablet, .desk]
    try await Self.open(PaperBook(chapters: 1, paragraphs: 9), screens) { page, _ in
      let size = try await page.evaluate(
        """
        (() => { const d = document.querySelector('.leaf.now iframe').contentDocument;
          return Math.round(parseFloat(d.defaultView.getComputedStyle(d.querySelector('p')).fontSize) * 100) })()
        """)
      // 12 point, and 14 on a tablet.
      #expect(size == (page.screen.width == 768 ? 1867 : 1600), "\(page.screen)")
    }
  }

  @Test func `The web reader in Chromium keeps the place through a new width, and on the way back`()
    async throws
  {
    try await Self.open(PaperBook(chapters: 2, paragraphs: 40), [.phone]) { page, _ in
      for _ in 0..<4 { try await page.press("ArrowRight") }
      let place = try await page.evaluate("history.state.place")
      try await page.ask(
        "Emulation.setDeviceMetricsOverride",
        ["width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false])
      try await page.holds("document.querySelector('.leaf.now iframe').clientWidth > 600")
      #expect(
        try await page.evaluate("history.state.place").integer ?? .max <= place.integer ?? 0)
      try await page.ask(
        "Emulation.setDeviceMetricsOverride",
        ["width": 360, "height": 780, "deviceScaleFactor": 1, "mobile": true])
      try await page.holds("history.state.place === \(place.text())")
      // Kept by the gateway: opened anew, the same place is seen.
      try await page.holds("location.search.startsWith('?at=')")
      let address = try await page.address()
      let words = try await page.evaluate(Self.top)
      try await page.open(address)
      try await page.holds("document.querySelector('.leaf.now') && \(Self.top) === \(words.text())")
    }
  }

  @Test func `the web reader turns the other way in a book read from right to left`() async throws {
    var book = PaperBook(
      (1...2).map { chapter in
        (1...150).map {
          "<p id='p\($0)'>פסקה \($0) של פרק \(chapter) ועוד מילים רבות כדי למלא כמה שורות של דף אחד בספר הזה שנקרא מימין לשמאל.</p>"
        }.joined()
      })
    (book.language, book.spine, book.root) = ("he", "page-progression-direction='rtl'", "dir='rtl'")
    try await Self.open(book, [.phone, .desk]) { page, _ in
      try await page.press("ArrowLeft")
      try await page.holds("history.state.place > 0 && history.state.section === 0")
      let there = try await page.evaluate("history.state.place")
      try await page.press("ArrowLeft")
      try await page.holds("history.state.place > \(there.text())")
      try await page.press("ArrowRight")
      try await page.holds("history.state.place === \(there.text())")
      #expect(page.faults == [])
    }
  }

  @Test func `The web reader in Chromium reads without script, by links and keys alone`()
    async throws
  {
    try await Self.open(PaperBook(chapters: 3, paragraphs: 30), [.phone.plain, .desk.plain]) {
      page, room in
      #expect(try await page.overflow() <= 0)
      #expect(
        try await page.evaluate("document.querySelector('iframe').clientHeight > 300")
          == .bool(true))
      try await page.tab(to: "a[rel=next]")
      try await page.following { try await page.press("Enter") }
      #expect(try await page.address().hasSuffix("/read/town/t1/1"))
      #expect(try await room.ask("/read/town/t1").location?.contains("/1") == true)
      try await page.breaksNoRule()
    }
  }

  @Test
  func `the web reader opens panels, marks, searches and changes its look by keyboard`()
    async throws
  {
    try await Self.open(PaperBook(chapters: 3, paragraphs: 150), [.phone, .desk]) { page, _ in
      try await page.breaksNoRule()
      #expect(try await page.overflow() <= 0)
      try await page.press("b")
      try await page.holds(
        "document.querySelector('#bookmark').getAttribute('aria-pressed') === 'true'")
      try await page.press("t")
      try await page.holds("document.querySelector('dialog[open] .contents')")
      try await page.breaksNoRule()
      try await page.tab(to: "dialog a[href$='/2']")
      try await page.press("Enter")
      try await page.holds(
        "history.state?.section === 2 && !document.querySelector('dialog[open]')")
      try await page.press("/")
      try await page.holds("document.activeElement.matches('#words')")
      try await page.type("paragraph 90 of chapter 1")
      try await page.press("Enter")
      try await page.holds("document.querySelector('dialog .hits a')")
      try await page.tab(to: "dialog .hits a")
      try await page.press("Enter")
      try await page.holds("history.state?.section === 0 && history.state.place > 100")
      try await page.click("[data-panel=display]")
      try await page.holds("document.querySelector('dialog .display')")
      try await page.breaksNoRule()
      try await page.evaluate(
        "(() => { const r = document.querySelector('dialog [value=sepia]'); r.click(); })()")
      try await page.holds("document.documentElement.classList.contains('sepia')")
      try await page.holds(
        "getComputedStyle(document.querySelector('.leaf.now iframe').contentDocument.documentElement).backgroundColor === 'rgb(246, 236, 217)'"
      )
      try await page.press("Escape")
      try await page.press("b")
      try await page.press("b")
      #expect(page.faults == [])
    }
  }
}
