import BrowserSupport
import Foundation
import HTTP
import JSON
import TestSupport
import Testing

/// A gateway on this machine's own address, where browsers trust a service worker without TLS. It can
/// go away and come back, as a network does.
private final class Line: Sendable {
  let site: String
  private let stage: Stage
  private let port: Int

  init(_ stage: Stage) {
    port = Int.random(in: 20_000..<40_000)
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
  @Test func `the shelf stands as it was last seen, and goes when its reader leaves`() async throws
  {
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

  @Test func `nothing of a reader is kept on a machine that others use`() async throws {
    try await Self.open { _, line, page, _ in
      try await line.up {
        try await Self.signIn(page, line.site, stays: false)
        try await page.open(line.site + "/my-books")
        try await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        try await page.open(line.site + "/my-books")
        // As long as keeping would take, and longer.
        try await Task.sleep(for: .seconds(1))
        let names = try await page.evaluate("caches.keys().then((all) => all.join(' '))")
        #expect(names.string?.contains("shelf") == false, "\(names)")
      }
      try await page.open(line.site + "/my-books")
      #expect(
        try await page.evaluate("document.querySelector('h1').textContent") == "You are offline")
    }
  }

  // MARK: - The scene

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
