import BrowserSupport
import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

/// A gateway on this machine's own address, where browsers trust a service worker without TLS. It can
/// go away and come back, as a network does.
private final class Line: Sendable {
  let site: String
  private let stage: Stage
  private let port: Int

  init(_ stage: Stage) throws {
    port = try sparePort()
    site = "http://127.0.0.1:\(port)/lib"
    self.stage = stage
  }

  func up<R>(_ body: () async throws -> R) async throws -> R {
    var variables = Stage.variables
    variables["CARREL_SERVER_PUBLIC_URL"] = site
    let process = try RunningProcess(
      Mock.program("carrel"), ["--home", stage.home, "serve", "--port", "\(port)"],
      environment: variables)
    guard try await process.nextLine() != nil else { throw TestSupportError("it does not start") }
    let result: Result<R, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    process.send(SIGTERM)
    _ = try await process.waitForEnd()
    return try result.get()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Without a network` {
  @Test
  func `the offline My Books page shows its last state and is deleted at sign-out`() async throws {
    try await Self.open { stage, line, page, title in
      try await line.up {
        try await Self.signIn(page, line.site, stays: true)
        try await page.open(line.site + "/my-books")
        try await page.eventually("the shelf was to be kept") {
          try await page.evaluate("caches.match('/lib/my-books').then(Boolean)") == true
        }
      }
      try await page.open(line.site + "/my-books")
      try await page.holds("document.body.textContent.includes(\(BrowserPage.quoted(title)))")
      #expect(try await page.evaluate("document.querySelector('#stale').hidden") == false)
      try await page.breaksNoRule()
      try await page.open(line.site + "/search?q=anything")
      #expect(
        try await page.evaluate("document.querySelector('h1').textContent") == "You are offline")
      try await page.breaksNoRule()

      try await line.up {
        try await page.open(line.site + "/my-books")
        #expect(try await page.evaluate("document.querySelector('#stale').hidden") == true)
        try await page.following {
          try await page.evaluate(
            """
            (() => { const form = document.createElement("form");
              [form.method, form.action] = ["post", "/lib/sign-out"];
              form.append(document.querySelector("input[name=seal]").cloneNode());
              document.body.append(form); form.submit(); })()
            """)
        }
        try await page.eventually("the shelf was to be forgotten") {
          try await page.evaluate("caches.match('/lib/my-books').then(Boolean)") == false
        }
      }
      try await page.open(line.site + "/my-books")
      #expect(
        try await page.evaluate("document.querySelector('h1').textContent") == "You are offline")
    }
  }

  @Test func `a browser keeps nothing of a reader offline on a shared machine`() async throws {
    try await Self.open { _, line, page, _ in
      try await line.up {
        try await Self.signIn(page, line.site, stays: false)
        try await page.open(line.site + "/my-books")
        try await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        try await page.open(line.site + "/my-books")
        // As long as keeping would take, and longer.
        try await page.rests()
        let names = try await page.evaluate("caches.keys().then((all) => all.join(' '))")
        #expect(names.string?.contains("shelf") == false, "\(names)")
      }
      try await page.open(line.site + "/my-books")
      #expect(
        try await page.evaluate("document.querySelector('h1').textContent") == "You are offline")
    }
  }

  @Test
  func `a book kept offline opens at the last line read and sends its place later`()
    async throws
  {
    try await Self.openBook { browser, line, page, book in
      let left = try await line.up {
        try await Self.signIn(page, line.site, stays: true)
        try await page.open(line.site + "/my-books")
        let keep = "document.querySelector('[data-keep]')"
        try await page.holds("\(keep)?.hidden === false")
        try await page.click("[data-keep]")
        try await page.holds("\(keep).textContent === \(keep).dataset.wordKept")
        try await page.open(line.site + book)
        try await page.holds(Self.isOpen)
        // Into a section, and not only to it.
        for _ in 0..<4 { try await Self.turn(page) }
        while try await page.evaluate("history.state.place") == 0 { try await Self.turn(page) }
        try await Self.keeps(page)
        #expect(page.faults == [])
        return try await page.evaluate(Self.place)
      }

      try await page.open(line.site + "/my-books")
      try await page.following { try await page.click("main a[href*='/read/']") }
      try await page.holds("\(Self.isOpen) && \(Self.place) === \(left.text())")
      try await page.breaksNoRule()
      for _ in 0..<5 { try await Self.turn(page) }
      try await Self.keeps(page)
      let further = try await page.evaluate(Self.place)
      try await page.open(line.site + book)
      try await page.holds("\(Self.isOpen) && \(Self.place) === \(further.text())")
      try await page.press("t")
      try await page.holds("document.querySelector('dialog.panel[open] .contents a')")
      // Pictures were kept as well.
      try await page.open(line.site + book + "/0")
      try await page.holds(
        "document.querySelector('.leaf.now iframe')?.contentDocument.querySelector('img')?.naturalWidth > 0"
      )
      try await page.open(line.site + book + "/1")
      try await page.holds(Self.isOpen)
      try await Self.turn(page)
      try await Self.keeps(page)
      let last = try await page.evaluate(Self.place)

      _ = try await line.up {
        try await page.open(line.site + "/my-books")
        try await page.eventually("the place was to be told") {
          try await page.evaluate(Self.untold) == 0
        }
        // Another browser of the same reader opens the book there.
        try await browser.page(.phone) { other in
          try await other.signIn(at: line.site)
          try await other.open(line.site + book)
          try await other.holds("\(Self.isOpen) && \(Self.place) === \(last.text())")
        }
      }
    }
  }

  private static let isOpen = "document.querySelector('.leaf.now iframe') && history.state"
  private static let place = "[history.state?.section, history.state?.place].join()"

  /// Asks what the worker keeps.
  private static func worker(_ question: String) -> String {
    """
    new Promise((done) => { const opening = indexedDB.open("carrel/lib/", 1);
      opening.onsuccess = () => {
        const kept = opening.result.transaction("kept").objectStore("kept");
        \(question)
        opening.result.close();
      };
    })
    """
  }

  /// How many places are still to be told.
  private static let untold = worker(
    #"""
    kept.getAllKeys().onsuccess = ({ target }) =>
      done(target.result.filter((one) => one.startsWith("place ")).length);
    """#)

  /// Whether the page that is seen is the one to go on from.
  private static let isKept = worker(
    #"""
    kept.get(`stop ${location.pathname.replace(/\/[^/]*$/, "")}`).onsuccess = ({ target }) =>
      done(`${target.result}`.endsWith(`/${history.state.section}?shown=${history.state.place}`));
    """#)

  private static func keeps(_ page: BrowserPage) async throws {
    try await page.eventually("the place was to be kept") {
      try await page.evaluate(isKept) == true
    }
  }

  private static func turn(_ page: BrowserPage) async throws {
    let now = try await page.evaluate(place)
    try await page.press("ArrowRight")
    try await page.holds("\(place) !== \(now.text())")
  }

  // MARK: - The scene

  /// With a book of a loan as a file; `body` gets the path of its pages.
  private static func openBook(
    _ body: (Browser, Line, BrowserPage, String) async throws -> Void
  ) async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      for verb in ["borrow", "get"] { try await stage.json(verb, "city:\(title.id)") }
      try await Browser.use { browser in
        try await browser.page(.phone) { page in
          try await body(browser, Line(stage), page, "/read/city/\(title.id)")
        }
      }
    }
  }

  private static func signIn(_ page: BrowserPage, _ site: String, stays: Bool) async throws {
    try await page.open(site + "/sign-in")
    try await page.click("#card")
    try await page.type(Mock.ada)
    try await page.click("#pin")
    try await page.type("1111")
    if stays { try await page.click("input[name=stay]") }
    try await page.click("#pin")
    try await page.following { try await page.press("Enter") }
  }

  private static func open(
    _ body: (Stage, Line, BrowserPage, String) async throws -> Void
  ) async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await stage.json("borrow", "city:\(title.id)")
      try await Browser.use { browser in
        try await browser.page(.phone) { page in
          try await body(stage, Line(stage), page, title.name)
        }
      }
    }
  }
}
