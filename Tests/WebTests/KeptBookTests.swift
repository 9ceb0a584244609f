import BrowserSupport
import FoundationEssentials
import HTTP
import HTTPServer
import JSON
import Markup
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A book of three sections, at the addresses that the reader's pages have, and what is told of places
/// in it. Its parts have another ticket at each request, as they have another one each hour.
private final class PaperPlaces: Sendable {
  private let told = Mutex<[FormFields]>([])
  private let count = Mutex(0)
  private let over = Mutex(false)

  var places: [FormFields] { told.withLock { $0 } }

  /// The session was ended elsewhere.
  func endSession() { over.withLock { $0 = true } }
  private var isOver: Bool { over.withLock { $0 } }

  private var ticket: String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return "sameforthewholeloan.hour\(number).signed"
  }

  func add(to router: inout Router<Int>) {
    let book = Path.root / "read" / "town" / "t1"
    router.on(.get, at: Path.root / "my-books", note: 0) { [self] request in
      isOver ? .redirect(to: request.link("/sign-in")) : Self.page(request) { "Books" }
    }
    router.on(.get, at: Path.root / "sign-in", note: 0) { [self] request in
      Self.page(request, isSignedIn: !isOver) { tag("h1") { "Sign in" } }
    }
    // As where strangers may look around.
    router.on(.get, at: Path.root / "open", note: 0) { [self] request in
      Self.page(request, isSignedIn: !isOver) {
        tag("h1") { "Open" }
        tag(
          "button", .init("type", "button"), .init("hidden", true),
          .init("data-keep", "/read/town/t1/offline.json"), .init("data-title", "Three <Parts>"),
          .init("data-word-keep", "Keep"), .init("data-word-going", "Keeping"),
          .init("data-word-kept", "Kept"), .init("data-word-failed", "Failed"))
      }
    }
    router.on(.get, at: book / "offline.json", note: 0) { [self] _ in
      let parts = "/book/\(ticket)/"
      let pages = (0..<3).flatMap { ["/read/town/t1/\($0)?kept=1", "\(parts)s/\($0)"] }
      // One as it was kept before tickets had three parts.
      let older = "/book/keptbefore\(String(repeating: "x", count: 18)).signed/s/9"
      let list: JSONValue = [
        "pages": .array((pages + [older]).map(JSONValue.string)), "bytes": 1000,
        "start": "/read/town/t1/1",
      ]
      return .text(list.text(), .json)
    }
    router.on(.get, at: book / .number("section"), note: 0) { [self] request, section in
      isOver
        ? .redirect(to: request.link("/sign-in"))
        : Self.page(request) { tag("h1") { "Section \(section)" } }
    }
    router.on(.get, at: Path.root / "book" / .text("ticket") / .rest("part"), note: 0) {
      [self] _, name in
      // "x" is of a loan that has ended.
      isOver || name.1 == ["x"]
        ? .text("", status: .forbidden) : .text("Part \(name.1.joined(separator: "/"))")
    }
    router.on(.post, at: book, note: 0) { [self] request in
      told.withLock { $0.append(request.form ?? FormFields()) }
      return .text("{}", .json)
    }
  }

  private static func page(
    _ request: Request, isSignedIn: Bool = true, @Children _ main: () -> [Node]
  ) -> Response {
    WebRoutes.page(
      PageFrame(
        title: "Book", links: SiteLinks(request),
        top: [hidden(FormSeal.field, "fresh")],
        keeper: isSignedIn ? PageFrame.Keeper(name: "0123456789abcdef", stays: true) : nil
      ).page(main))
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A book that is kept on a device` {
  private static func handler(_ book: PaperPlaces) -> Handler {
    var router = Router<Int>(refuse: WebRoutes.refusal)
    WebRoutes.addAssets(to: &router, open: 0)
    book.add(to: &router)
    return router.handler
  }

  /// The gateway on this port for as long as `body` runs; nought for any.
  private static func online<R>(
    _ book: PaperPlaces, _ port: inout Int, _ body: (String) async throws -> R
  ) async throws -> R {
    let server = Server(ServerSettings([.loopback(port: port)]), handler(book))
    try server.start()
    port = Int(try #require(server.addresses[0].port))
    let result: Result<R, any Error>
    do { result = .success(try await body("http://127.0.0.1:\(port)")) } catch {
      result = .failure(error)
    }
    await server.stop(within: .zero)
    return try result.get()
  }

  private static let heading = "document.querySelector('h1').textContent"
  private static let tell = """
    fetch("/read/town/t1", {method: "POST", body: new URLSearchParams({seal: "old", do: "place",
      section: "2", start: "40"})}).then((reply) => reply.text())
    """

  @Test func `a book kept on a device opens offline, and its place is sent when online again`()
    async throws
  {
    let book = PaperPlaces()
    try await Browser.use { browser in
      try await browser.page(.phone) { page in
        var port = 0
        let site = try await Self.online(book, &port) { site in
          try await page.open(site + "/open")
          try await page.holds("document.querySelector('[data-keep]').hidden === false")
          try await page.click("[data-keep]")
          try await page.holds("document.querySelector('[data-keep]').textContent === 'Kept'")
          #expect(page.faults == [])
          return site
        }
        // Where it was when it was kept; then where it was last.
        try await page.open(site + "/read/town/t1")
        #expect(try await page.evaluate(Self.heading) == "Section 1")
        #expect(
          try await page.evaluate(
            "fetch('/book/sameforthewholeloan.another.other/s/2').then((r) => r.text())")
            == "Part s/2")
        #expect(
          try await page.evaluate(
            "fetch('/book/keptbefore999999999999999999.other/s/9').then((r) => r.text())")
            == "Part s/9")
        #expect(try await page.evaluate(Self.tell) == "{}")
        let before = Date().timeIntervalSince1970 * 1000
        try await page.open(site + "/read/town/t1")
        #expect(try await page.evaluate(Self.heading) == "Section 2")
        try await page.open(site + "/read/town/t1/0?at=anywhere")
        #expect(try await page.evaluate(Self.heading) == "Section 0")
        try await page.open(site + "/elsewhere")
        #expect(try await page.evaluate(Self.heading) == "You are offline")
        try await page.holds("document.querySelector('#kept a')?.textContent === 'Three <Parts>'")
        #expect(book.places.isEmpty)

        _ = try await Self.online(book, &port) { site in
          try await page.open(site + "/open")
          try await page.eventually("the place was to be told") { !book.places.isEmpty }
          let told = try #require(book.places.first)
          #expect(told["do"] == "place" && told["section"] == "2" && told["seal"] == "fresh")
          // With the time when it was so, and not when it could be told.
          let when = try #require(told["when"].flatMap { Double($0) })
          #expect(when > before - 60_000 && when <= before + 1_000)
          // Told once.
          try await page.open(site + "/open")
          try await page.holds("document.querySelector('[data-keep]').textContent === 'Kept'")
          #expect(book.places.count == 1)
          try await page.click("[data-keep]")
          try await page.holds("document.querySelector('[data-keep]').textContent === 'Keep'")
        }
        try await page.open(site + "/read/town/t1")
        #expect(try await page.evaluate(Self.heading) == "You are offline")
      }
    }
  }

  @Test func `A book that is kept on a device goes when another reader comes to the device`()
    async throws
  {
    let book = PaperPlaces()
    try await Browser.use { browser in
      try await browser.page(.phone) { page in
        var port = 0
        try await Self.online(book, &port) { site in
          try await page.open(site + "/open")
          try await page.holds("document.querySelector('[data-keep]').hidden === false")
          try await page.click("[data-keep]")
          try await page.holds("document.querySelector('[data-keep]').textContent === 'Kept'")
          try await page.evaluate(
            """
            navigator.serviceWorker.ready.then((known) => new Promise((done) => {
              const line = new MessageChannel(); line.port1.onmessage = done;
              known.active.postMessage({do: "hello", reader: "another", stays: false}, [line.port2]);
            })).then(() => true)
            """)
          #expect(
            try await page.evaluate(
              "caches.keys().then((all) => all.filter((one) => one.includes('book')).length)") == 0)
        }
      }
    }
  }

  /// How a browser meets the gateway again: by a page that leads to the sign-in page, by a part of a
  /// book, by a page that strangers may see.
  @Test(
    arguments: ["/read/town/t1/0", "fetch('/book/a.b.c/s/0').then((r) => r.status)", "/open"])
  func `a book kept on a device goes at the first contact after its session was ended elsewhere`(
    contact: String
  ) async throws {
    let book = PaperPlaces()
    let kept = """
      caches.keys().then((all) => all.filter((one) => /book|shelf/.test(one)).length)
      """
    try await Browser.use { browser in
      try await browser.page(.phone) { page in
        var port = 0
        let site = try await Self.online(book, &port) { site in
          try await page.open(site + "/open")
          try await page.holds("document.querySelector('[data-keep]').hidden === false")
          try await page.click("[data-keep]")
          try await page.holds("document.querySelector('[data-keep]').textContent === 'Kept'")
          // One part that is refused is no end of a session.
          #expect(
            try await page.evaluate("fetch('/book/a.b.c/x').then((r) => r.status)") == 403)
          #expect(try await page.evaluate(kept) == 1)
          return site
        }
        // Without a network this cannot be known.
        try await page.open(site + "/read/town/t1/0")
        #expect(try await page.evaluate(Self.heading) == "Section 0")
        book.endSession()
        try await Self.online(book, &port) { site in
          if contact.hasPrefix("/") {
            try await page.open(site + contact)
          } else {
            #expect(try await page.evaluate(contact) == 403)
          }
          try await page.eventually("nothing was to be kept") {
            try await page.evaluate(kept) == 0
          }
        }
        try await page.open(site + "/read/town/t1/0")
        #expect(try await page.evaluate(Self.heading) == "You are offline")
      }
    }
  }
}
