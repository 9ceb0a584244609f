import BrowserSupport
import JSON
import JourneySupport
import TestSupport
import Testing

extension Scenery {
  private static func longestWord(_ title: String) -> String {
    let words: [Substring] = title.split { !$0.isLetter }
    return words.max { $0.count < $1.count }.map(String.init) ?? title
  }

  /// A gateway over two cards with some books about, and a browser before it.
  static func open(
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
          scenery.lent = "/read/city/\(lent.id)"
          scenery.book = try await browser.page(.desk.plain) { page in
            try await page.signIn(at: gateway.site)
            try await page.open(gateway.site + "/search?q=\(scenery.word)")
            let link = try await page.evaluate(
              "document.querySelector('main a[href*=\"/works/\"]').pathname")
            return String((link.string ?? "").dropFirst("/lib".count))
          }
          scenery.account = try await browser.page(.desk.plain) { page in
            try await page.signIn(at: gateway.site)
            try await page.open(gateway.site + "/accounts")
            let link = try await page.evaluate(
              "document.querySelector('main a[href*=\"/accounts/of/\"]').pathname")
            return String((link.string ?? "").split(separator: "/").last ?? "")
          }
          try await scenery.mark(browser)
          try await body(scenery, browser)
        }
      }
    }
  }

  /// A bookmark, a highlight and a note in the book that is on loan.
  private func mark(_ browser: Browser) async throws {
    try await browser.page(.desk) { page in
      try await page.signIn(at: site)
      try await page.open(site + lent + "/1")
      try await page.holds("document.querySelector('.leaf.now iframe') && history.state")
      for fields in [
        "do: 'bookmark', start: 0, end: 90",
        "do: 'highlight', start: 120, end: 210, color: 'green'",
        "do: 'highlight', start: 260, end: 330, color: 'yellow', note: 'Ask Bruno about this.'",
      ] {
        let status = try await page.evaluate(
          """
          (() => { const d = JSON.parse(document.querySelector('#reading').textContent);
            return fetch(d.book, {method: 'POST', headers: {Accept: 'application/json'},
              body: new URLSearchParams({seal: d.seal, section: 1, \(fields)})}).then(r => r.status) })()
          """)
        #expect(status == 200)
      }
    }
  }
}
