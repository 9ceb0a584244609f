import BrowserSupport
import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// The pages in other tongues, chosen by the buttons below them: long words break nothing, also where
/// there is least room.
@Suite(.timeLimit(.minutes(5))) struct `Screens in another tongue` {
  @Test(arguments: [("de", "Meine Bücher"), ("es", "Mis libros")])
  func `translated pages fit the narrowest phone and declare their language`(
    tongue: String, books: String
  ) async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(Screen(320, 700)) { page in
        try await page.open(scenery.site + "/sign-in")
        try await page.following { try await page.click("button[name=tongue][value=\(tongue)]") }
        try await look(at: Sight.outside, page, scenery, tongue)
        try await page.signIn(at: scenery.site)
        try await page.open(scenery.site + "/")
        #expect(
          try await page.evaluate("document.querySelector('header nav').textContent").string?
            .contains(books) == true)
        try await look(at: Sight.inside + Sight.reader, page, scenery, tongue)
      }
    }
  }

  private func look(
    at sights: [Sight], _ page: BrowserPage, _ scenery: Scenery, _ tongue: String
  ) async throws {
    for sight in sights {
      try await `The screens`.look(at: sight, page, scenery)
      let lang = try await page.evaluate("document.documentElement.lang")
      #expect(lang == .string(tongue), "\(sight)")
      try await Self.keep(page, "\(tongue)-\(sight)")
    }
  }

  /// The script has its words from the page: one serves all tongues.
  @Test func `Screens in another tongue are turned by a script that speaks as they do`()
    async throws
  {
    try await Scenery.open { scenery, browser in
      try await browser.page(.phone) { page in
        try await page.signIn(at: scenery.site)
        try await page.following { try await page.click("button[name=tongue][value=de]") }
        try await page.open(scenery.site + scenery.lent + "/1")
        try await page.holds("document.querySelector('.leaf.now iframe') && history.state")
        try await page.holds(
          "[...document.querySelectorAll('[aria-live]')].some((one) => /Seite 1 von/.test(one.textContent))"
        )
        let sides = try await page.evaluate(
          "[...document.querySelectorAll('button.side')].map((one) => one.ariaLabel).join()")
        #expect(sides == "Vorige Seite,Nächste Seite")
      }
    }
  }

  private static func keep(_ page: BrowserPage, _ name: String) async throws {
    guard let folder = ProcessInfo.processInfo.environment["SCREENS_TO"] else { return }
    try Data(try await page.screenshot()).write(to: URL(filePath: "\(folder)/\(name).png"))
  }
}
