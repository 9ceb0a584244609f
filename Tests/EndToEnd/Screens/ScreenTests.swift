import BrowserSupport
import Foundation
import JSON
import TestSupport
import Testing

/// Every screen as people see it: in Chromium, on a phone, a tablet and a desk, with script and without.
@Suite(.timeLimit(.minutes(10))) struct `The screens` {
  @Test func `stand at every width, with script and without, and keep the rules of WCAG AA`()
    async throws
  {
    try await Self.open { scenery, browser in
      for screen in Screen.all {
        try await browser.page(screen) { page in
          for sight in Sight.outside { try await Self.look(at: sight, page, scenery) }
          try await page.signIn(at: scenery.site)
          for sight in Sight.inside { try await Self.look(at: sight, page, scenery) }
        }
      }
    }
  }

  @Test func `keep the rules in the dark as well`() async throws {
    try await Self.open { scenery, browser in
      try await browser.page(.phone.with { $0.isDark = true }) { page in
        try await page.signIn(at: scenery.site)
        for sight in Sight.inside { try await Self.look(at: sight, page, scenery) }
      }
    }
  }

  @Test func `lead by keyboard alone from the door to a loan and back`() async throws {
    try await Self.open { scenery, browser in
      for screen in [Screen.phone, Screen.desk.plain] {
        try await browser.page(screen) { page in
          try await page.open(scenery.site + "/")
          try await page.tab(to: "#card")
          try await page.type(Mock.ada)
          try await page.tab(to: "#pin")
          try await page.type("1111")
          try await page.following { try await page.press("Enter") }
          try await page.tab(to: "#q")
          try await page.type(scenery.word)
          try await page.following { try await page.press("Enter") }
          try await page.tab(to: "a[href*='/works/']")
          try await page.following { try await page.press("Enter") }
          try await page.tab(
            to: "main form button[value=borrow], main form:has([value=borrow]) button")
          try await page.following { try await page.press("Enter") }
          try await page.holds("document.querySelector('[role=status]')")
          try await page.tab(to: "main form:has([value=return]) button")
          try await page.following { try await page.press("Enter") }
          try await page.holds("document.querySelector('[role=status]')")
        }
      }
    }
  }

  @Test(arguments: [Screen.phone, .phone.plain])
  func `would be found out if they broke the rules`(screen: Screen) async throws {
    try await Browser.use { browser in
      try await browser.page(screen) { page in
        try await page.open(
          "data:text/html,<!DOCTYPE html><title>x</title><body><img src=x><p style='width:2000px'>wide"
        )
        let found = try await page.violations()
        #expect(found.contains { $0.hasPrefix("image-alt") })
        #expect(found.contains { $0.hasPrefix("html-has-lang") })
        #expect(try await page.overflow() > 0)
      }
    }
  }

  // MARK: - What is looked for

  private static func look(at sight: Sight, _ page: BrowserPage, _ scenery: Scenery) async throws {
    let what = "\(sight) at \(page.screen)"
    try await page.open(scenery.site + sight.way(scenery))
    #expect(try await page.evaluate("document.querySelectorAll('h1').length") == 1, "\(what)")
    #expect(try await page.overflow() <= 0, "\(what) is wider than the screen")
    #expect(try await page.violations() == [], "\(what)")
    #expect(page.faults == [], "\(what)")
    // The page, its style and its script: what comes before anything can be seen.
    let needed = page.requests.filter { !$0.contains("/covers/") && !$0.hasPrefix("data:") }
    #expect(needed.count <= 3, "\(what): \(needed)")
    // For `docs/screens`.
    guard let folder = ProcessInfo.processInfo.environment["SCREENS_TO"],
      page.screen.runsScript,
      [360, 1280].contains(page.screen.width)
    else { return }
    let name = "\(sight)-\(page.screen.width)\(page.screen.isDark ? "-dark" : "").png"
    try Data(try await page.screenshot()).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  private static func longestWord(_ title: String) -> String {
    let words: [Substring] = title.split { !$0.isLetter }
    return words.max { $0.count < $1.count }.map(String.init) ?? title
  }

  /// A gateway over two cards with some books about, and a browser before it.
  private static func open(
    _ body: (Scenery, Browser) async throws -> Void
  ) async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let open = try await stage.titles(areOpen: true)
      let (title, lent) = (try #require(open.first), try #require(open.dropFirst().first))
      let queued = try #require(try await stage.titles(available: false).first)
      let saved = try #require(
        try await stage.titles().first { $0.id != title.id && $0.id != lent.id })
      for (verb, book) in [("borrow", lent), ("get", lent), ("save", saved)] {
        try await stage.json(verb, "city:\(book.id)")
      }
      try await stage.json("hold", "add", "city:\(queued.id)")
      try await RunningGateway.serve(stage) { gateway in
        try await Browser.use { browser in
          var scenery = Scenery(site: gateway.site)
          scenery.word = Self.longestWord(title.name)
          scenery.book = try await browser.page(.desk.plain) { page in
            try await page.signIn(at: gateway.site)
            try await page.open(gateway.site + "/search?q=\(scenery.word)")
            let link = try await page.evaluate(
              "document.querySelector('main a[href*=\"/works/\"]').pathname")
            return String((link.string ?? "").dropFirst("/lib".count))
          }
          try await body(scenery, browser)
        }
      }
    }
  }
}

extension BrowserPage {
  /// With the card of the stage's reader.
  func signIn(at site: String) async throws {
    try await open(site + "/sign-in")
    try await click("#card")
    try await type(Mock.ada)
    try await click("#pin")
    try await type("1111")
    try await following { try await press("Enter") }
    let address = try await address()
    guard !address.contains("/sign-in") else {
      throw TestSupportError("nobody was let in: \(address)")
    }
  }
}
