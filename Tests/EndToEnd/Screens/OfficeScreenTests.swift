import BrowserSupport
import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

/// The pages of operators as people see them.
@Suite(.timeLimit(.minutes(10))) struct `The screens of the office` {
  static let rooms = [
    "office", "office/libraries", "office/services", "office/jobs", "office/jobs?kind=harvest",
    "office/lanes", "office/lanes?rule=available:+now", "office/lanes?rule=genre:+mistery",
    "office/lists", "office/readers", "office/log",
  ]

  @Test func `the office pages fit every width, with script and without, and meet WCAG AA`()
    async throws
  {
    try await Self.open { stage, site, browser in
      let list = try await stage.rows("SELECT id FROM reading_list").first?.first ?? ""
      let reader = try await stage.rows("SELECT id FROM patron").first?.first ?? ""
      let rooms =
        Self.rooms + ["office/lists/\(list)?find=the", "office/readers/\(reader)"]
      for screen in Screen.all {
        try await browser.page(screen) { page in
          try await page.signIn(at: site)
          for room in rooms { try await Self.look(at: room, page, site) }
        }
      }
    }
  }

  @Test func `The screens of the office forget a reader by keyboard alone`() async throws {
    try await Self.open { stage, site, browser in
      try await stage.json("list", "create", "hers", "--as", "berta")
      try await browser.page(.desk) { page in
        try await page.signIn(at: site)
        try await page.tab(to: "nav a[href$='/office']")
        try await page.following { try await page.press("Enter") }
        try await page.tab(to: "main nav a[href$='/readers']")
        try await page.following { try await page.press("Enter") }
        try await page.tab(to: "#office-q")
        try await page.type("bert")
        try await page.following { try await page.press("Enter") }
        try await page.tab(to: "main table a")
        try await page.following { try await page.press("Enter") }
        try await page.tab(to: "#forget summary")
        try await page.press("Enter")
        try await page.tab(to: "#office-confirm")
        try await page.type("berta")
        try await page.following { try await page.press("Enter") }
        try await page.holds("document.querySelector('h1').textContent.includes('is forgotten')")
      }
      #expect(try await stage.rows("SELECT name FROM patron") == [["reader"]])
    }
  }

  private static func look(at room: String, _ page: BrowserPage, _ site: String) async throws {
    let what = "\(room) at \(page.screen)"
    try await page.open("\(site)/\(room)")
    #expect(try await page.evaluate("document.querySelectorAll('h1').length") == 1, "\(what)")
    #expect(try await page.overflow() <= 0, "\(what) is wider than the screen")
    #expect(try await page.violations() == [], "\(what)")
    #expect(page.faults == [], "\(what)")
    guard let folder = ProcessInfo.processInfo.environment["SCREENS_TO"], page.screen.runsScript,
      [360, 1280].contains(page.screen.width)
    else { return }
    let words = room.split { !$0.isLetter }.prefix(3).joined(separator: "-")
    try Data(try await page.screenshot())
      .write(to: URL(filePath: "\(folder)/\(words)-\(page.screen.width).png"))
  }

  private static func open(
    _ body: (Stage, String, Browser) async throws -> Void
  ) async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      try await stage.json("admin", "operator", "add", "reader")
      try await stage.json("list", "create", "Summer", "--curator", "Ms Page")
      try await stage.json("list", "add", "Summer", try await stage.openTitle().name)
      try await RunningGateway.serve(stage) { gateway in
        try await Browser.use { browser in try await body(stage, gateway.site, browser) }
      }
    }
  }
}
