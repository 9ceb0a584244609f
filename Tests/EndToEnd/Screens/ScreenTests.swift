import BrowserSupport
import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// Every screen as people see it: in Chromium, on a phone, a tablet and a desk, with script and without.
@Suite(.timeLimit(.minutes(10))) struct `The screens` {
  @Test func `the reader pages fit every width, with script and without, and meet WCAG AA`()
    async throws
  {
    try await Scenery.open { scenery, browser in
      for screen in Screen.all {
        try await browser.page(screen) { page in
          for sight in Sight.outside { try await Self.look(at: sight, page, scenery) }
          try await page.signIn(at: scenery.site)
          for sight in Sight.inside { try await Self.look(at: sight, page, scenery) }
        }
      }
    }
  }

  @Test(arguments: Screen.all + [Screen.phone.with { $0.isDark = true }])
  func `The screens of a book that is open stand as well`(screen: Screen) async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(screen) { page in
        try await page.signIn(at: scenery.site)
        for sight in Sight.reader { try await Self.look(at: sight, page, scenery) }
      }
    }
  }

  @Test func `The screens keep the rules in the dark as well`() async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(.phone.with { $0.isDark = true }) { page in
        try await page.signIn(at: scenery.site)
        for sight in Sight.inside { try await Self.look(at: sight, page, scenery) }
      }
    }
  }

  @Test func `The screens lead by keyboard alone from the door to a loan and back`() async throws {
    try await Scenery.open { scenery, browser in
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

  @Test(arguments: [Screen.phone, .desk.plain])
  func `a reader can save, cancel a hold, read, change settings and sign out by keyboard alone`(
    screen: Screen
  ) async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(screen) { page in
        func press(_ selector: String) async throws {
          try await page.tab(to: selector)
          try await page.following { try await page.press("Enter") }
        }
        try await page.signIn(at: scenery.site)
        try await page.open(scenery.site + scenery.book)
        for deed in ["save", "unsave"] { try await press("main form:has([value=\(deed)]) button") }
        try await page.open(scenery.site + "/my-books?show=holds")
        try await press("main form:has([value=cancel]) button")
        try await page.holds("document.querySelector('[role=status]')")

        try await page.open(scenery.site + "/my-books?show=loans")
        try await press("main a[href*='/read/']")
        if screen.runsScript {
          try await page.holds("document.querySelector('.leaf.now iframe') && history.state")
          for key in ["ArrowRight", "t"] { try await page.press(key) }
          try await page.holds("document.querySelector('dialog.panel[open] .contents a')")
          try await page.press("Escape")
          try await page.press("b")
          try await page.holds("document.querySelector('#bookmark[aria-pressed=true]')")
        } else {
          try await press("a[rel=next]")
          try await press("#bookmark")
          try await press("[data-panel=contents]")
          try await press(".contents a")
        }
        try await page.open(scenery.site + scenery.lent + "/end")
        try await press("button[name=stars][value='4']")
        try await page.holds("document.querySelector('button[aria-pressed=true][value=\"4\"]')")

        try await page.open(scenery.site + "/settings")
        try await press("main a[href$='/settings/genres']")
        try await page.tab(to: "main input[type=checkbox]")
        try await page.press(" ")
        try await press("main form button[type=submit]")
        try await page.open(scenery.site + "/profile")
        try await press(".leave")
        try await press("main form button")
        try await page.open(scenery.site + "/profile")
        #expect(try await page.address().contains("/sign-in"))
      }
    }
  }

  @Test(arguments: [Screen.phone, .phone.plain])
  func `The screens would be found out if they broke the rules`(screen: Screen) async throws {
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

  static func look(at sight: Sight, _ page: BrowserPage, _ scenery: Scenery) async throws {
    let what = "\(sight) at \(page.screen)"
    try await page.open(scenery.site + sight.way(scenery))
    // What comes before anything can be seen; the parts of a book come when its page stands, and then
    // the place is kept, by a post to the book itself.
    let needed = page.requests.filter {
      !$0.contains("/covers/") && !$0.hasPrefix("data:") && !$0.contains("/book/")
        && !$0.hasSuffix("/marks") && $0 != scenery.site + scenery.lent
    }
    #expect(needed.count <= sight.most, "\(what): \(needed)")
    try await sight.deed?(page, scenery)
    #expect(
      try await page.evaluate("document.querySelectorAll('h1:not(dialog h1)').length") == 1,
      "\(what)")
    #expect(try await page.overflow() <= 0, "\(what) is wider than the screen")
    #expect(try await page.violations() == [], "\(what)")
    #expect(page.faults == [], "\(what)")
    // For `docs/screens`.
    guard let folder = ProcessInfo.processInfo.environment["SCREENS_TO"],
      page.screen.runsScript,
      [360, 1280].contains(page.screen.width)
    else { return }
    let name = "\(sight)-\(page.screen.width)\(page.screen.isDark ? "-dark" : "").png"
    try Data(try await page.screenshot()).write(to: URL(filePath: "\(folder)/\(name)"))
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
