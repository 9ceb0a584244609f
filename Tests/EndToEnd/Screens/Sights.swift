import BrowserSupport
import JSON
import JourneySupport
import TestSupport

/// One screen of the pages: what it is called in `docs/screens`, and how one gets there.
struct Sight: Sendable, CustomStringConvertible {
  let name: String
  let way: @Sendable (Scenery) -> String
  /// What is done there before one looks.
  let deed: (@Sendable (BrowserPage, Scenery) async throws -> Void)?
  /// Requests before anything can be seen: a page, its style and its script.
  var most = 3

  init(
    _ name: String, _ way: @escaping @Sendable (Scenery) -> String,
    then deed: (@Sendable (BrowserPage, Scenery) async throws -> Void)? = nil
  ) {
    (self.name, self.way, self.deed) = (name, way, deed)
  }

  var description: String { name }

  /// Before anybody came in.
  static let outside = [Sight("sign-in") { _ in "/sign-in" }]

  /// Of a reader with a loan, a hold and a saved book.
  static let inside = [
    Sight("library") { _ in "/" },
    Sight("lane") { _ in "/lanes/available" },
    Sight("search") { "/search?q=\($0.word)" },
    Sight("search-nothing") { _ in "/search?q=xyzzy+plugh" },
    Sight("book") { $0.book },
    Sight("ignore") { $0.book + "/ignore" },
    Sight("my-books") { _ in "/my-books" },
    Sight("downloads") { _ in "/downloads" },
    Sight("not-found") { _ in "/no/such/page" },
    Sight("profile") { _ in "/profile" },
    Sight("card") { "/profile/cards/\($0.account)" },
    Sight("cards") { _ in "/accounts" },
    Sight("card-account") { "/accounts/of/\($0.account)" },
    Sight("card-unlink") { "/accounts/of/\($0.account)/unlink" },
    Sight("card-new") { _ in "/accounts/new?at=city" },
    Sight("settings") { _ in "/settings" },
    Sight("settings-notices") { _ in "/settings/notices" },
    Sight("settings-reading") { _ in "/settings/reading" },
    Sight("settings-genres") { _ in "/settings/genres" },
    Sight("settings-ignored") { _ in "/settings/ignored" },
    Sight("settings-devices") { _ in "/settings/devices" },
    Sight("settings-calendar") { _ in "/settings/calendar" },
    Sight("settings-feedback") { _ in "/settings/feedback" },
    Sight("settings-export") { _ in "/settings/export" },
    Sight("settings-credits") { _ in "/settings/credits" },
    Sight("sign-out") { _ in "/sign-out" },
  ]

  /// Of a book that is open, with a bookmark and a note in it. With script these are panels beside the
  /// page, without it pages of their own, by the same links.
  static let reader =
    [
      Sight("read") { $0.lent + "/1" },
      panel("contents"), panel("display"), panel("notes"), panel("share"),
      Sight("read-search", section) { page, scenery in
        try await open("search", page)
        let words = page.screen.runsScript ? "dialog #words" : "#words"
        try await page.click(words)
        try await page.type("the river")
        if page.screen.runsScript {
          try await page.press("Enter")
        } else {
          try await page.following { try await page.press("Enter") }
        }
        try await page.holds("document.querySelector('.hits a')")
      },
      Sight("read-picture") {
        $0.lent + "/0"
      } then: { page, _ in
        guard page.screen.runsScript else { return }
        try await page.holds("\(sheet)?.querySelector('img')?.naturalWidth > 0")
        let place = try await page.evaluate(
          """
          (() => { const i = \(sheet).querySelector('img').getBoundingClientRect();
            const f = document.querySelector('.leaf.now iframe').getBoundingClientRect();
            return [f.x + i.x + i.width / 2, f.y + i.y + i.height / 2] })()
          """)
        try await page.press(at: place[0]?.double ?? 0, place[1]?.double ?? 0)
        try await page.holds("document.querySelector('dialog.zoom[open] img')?.naturalWidth > 0")
      },
      Sight("read-end") { $0.lent + "/end" },
    ].map {
      var sight = $0
      // A sheet of its own beside the one of all pages, and two for the page of the book. Without
      // script what is found and what was noted are pages of their own, reached from the book's.
      sight.most = ["read-notes", "read-search"].contains(sight.name) ? 7 : 6
      return sight
    }

  private static let sheet = "document.querySelector('.leaf.now iframe')?.contentDocument"
  private static let section: @Sendable (Scenery) -> String = { $0.lent + "/1" }

  private static func panel(_ name: String) -> Sight {
    Sight("read-\(name)", section) { page, _ in try await open(name, page) }
  }

  private static func open(_ panel: String, _ page: BrowserPage) async throws {
    let link = "[data-panel=\(panel)]"
    if page.screen.runsScript {
      try await page.holds("document.querySelector('.leaf.now iframe') && history.state")
      try await page.click(link)
      try await page.holds("document.querySelector('dialog.panel[open] h1')")
    } else {
      try await page.following { try await page.click(link) }
    }
  }
}

/// What the screens are made of.
struct Scenery: Sendable {
  /// Below which everything stands.
  let site: String
  /// The path of a book that can be borrowed.
  var book = ""
  /// The path of the reader's pages of one that is on loan and here.
  var lent = ""
  /// A word of its title.
  var word = ""
  /// The name of the reader's account, as addresses have it.
  var account = ""
}
