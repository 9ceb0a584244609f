import BrowserSupport
import HTTPServer
import JSON
import TestSupport
import Testing

@testable import Web

extension LobbyRoom {
  /// A page in Chromium, as the reader sees it who has signed in; behind it a real socket.
  func show(
    _ path: String, on screens: [Screen], before: String? = nil,
    _ body: (BrowserPage) async throws -> Void
  ) async throws {
    let server = Server(ServerSettings([.loopback(port: 0)]), handler)
    try server.start()
    let site = "http://127.0.0.1:\(try #require(server.addresses[0].port))"
    do {
      try await Browser.use { browser in
        for screen in screens {
          try await browser.page(screen) { page in
            if let before {
              try await page.ask(
                "Page.addScriptToEvaluateOnNewDocument", ["source": .string(before)])
            }
            try await page.ask(
              "Network.setCookie",
              [
                "name": .string(PageCookie.pass.rawValue), "url": .string(site),
                "value": .string(cookie(PageCookie.pass.rawValue) ?? ""), "sameSite": "Lax",
                "httpOnly": true,
              ])
            try await page.open(site + path)
            try await body(page)
          }
        }
      }
    } catch {
      await server.stop(within: .seconds(1))
      throw error
    }
    await server.stop(within: .seconds(1))
  }
}
