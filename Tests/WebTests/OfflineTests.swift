import Circulation
import FoundationEssentials
import HTTP
import HTTPServer
import JSON
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The site as an app` {
  private static let home = ProxyPolicy.PublicAddress(
    scheme: "https", host: "books.example.org", basePath: "/lib")

  @Test(arguments: [nil, home] as [ProxyPolicy.PublicAddress?])
  func `The site as an app tells a device how to install it, below any base path`(
    address: ProxyPolicy.PublicAddress?
  ) async throws {
    let base = address == nil ? "" : "/lib"
    try await LobbyRoom.open(publicURL: address) { room in
      let page = try await room.ask("\(base)/")
      #expect(page.text.contains("<link rel=\"manifest\" href=\"\(base)/manifest.webmanifest\">"))
      #expect(page.text.contains("rel=\"apple-touch-icon\""))
      #expect(page.text.contains("name=\"theme-color\""))
      let policy = try #require(page.head["Content-Security-Policy"])
      #expect(policy.contains("manifest-src 'self'") && policy.contains("worker-src 'self'"))

      let answer = try await room.ask("\(base)/manifest.webmanifest")
      #expect(answer.head["Content-Type"] == "application/manifest+json")
      let manifest = try JSONValue(parsing: answer.text)
      for key in ["id", "start_url", "scope"] { #expect(manifest[key]?.string == "\(base)/") }
      #expect(manifest["name"]?.string?.isEmpty == false)
      #expect(manifest["short_name"]?.string == "Carrel")
      #expect(manifest["display"]?.string == "standalone")
      let icons = try #require(manifest["icons"]?.array)
      #expect(icons.contains { $0["purpose"]?.string == "maskable" })
      for icon in icons {
        let source = try #require(icon["src"]?.string)
        let picture = try await room.ask(source)
        #expect(picture.status == 200 && picture.head["Content-Type"] == icon["type"]?.string)
      }
      #expect(Set(icons.compactMap { $0["sizes"]?.string }) == ["192x192", "512x512", "any"])
    }
  }

  @Test func `The site as an app has icons of the size that is told`() throws {
    for (asset, side) in [(SiteIcon.small, 192), (SiteIcon.large, 512), (SiteIcon.touch, 180)] {
      let bytes = asset.body.bytes
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      let sizes = [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
      #expect(sizes == [side, side])
    }
  }

  @Test func `The site as an app brings a small worker that is looked at anew each time`()
    async throws
  {
    try await LobbyRoom.open(publicURL: Self.home) { room in
      let worker = try await room.ask("/lib/sw.js")
      #expect(worker.head["Cache-Control"] == "no-cache")
      #expect(worker.head["Content-Type"]?.hasPrefix("text/javascript") == true)
      #expect(worker.text.contains("const base = \"/lib/\""))
      #expect(worker.text.contains("\"/lib\(SiteScript.asset.path.print())\""))
      #expect(!worker.text.contains("<") || !worker.text.contains("</script"))
      #expect(worker.text.utf8.count < 11_500, "\(worker.text.utf8.count)")
    }
  }

  @Test func `The site as an app says nothing of anybody where there is no network`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let page = try await room.ask("/offline")
      #expect(page.status == 200 && page.text.contains("You are offline"))
      #expect(!page.text.contains(room.ada.patron.rawValue) && !page.text.contains("data-reader"))
      #expect(!page.text.contains("Sign out"))
    }
  }

  @Test func `The site as an app lets a device keep things only where its reader stays signed in`()
    async throws
  {
    try await LobbyRoom.open { room in
      #expect(try await room.ask("/").text.contains("data-reader") == false)
      try await room.signIn()
      let shared = try await room.ask("/my-books").text
      #expect(shared.contains("data-reader=") && !shared.contains("data-stays"))
      #expect(!shared.contains("id=\"stale\"") && shared.contains("data-shelf"))
      try await room.ask("/sign-out", form: ["seal": try await room.ask("/").value("seal") ?? ""])
      try await room.signIn(stay: true)
      let own = try await room.ask("/my-books").text
      #expect(own.contains("data-stays") && own.contains("id=\"stale\" hidden"))
      let name = try #require(own.firstMatch(of: /data-reader="([0-9a-f]{16})"/)?.1)
      #expect(!own.contains(room.ada.patron.rawValue) && shared.contains(name))
      #expect(try await room.ask("/my-books?show=holds").text.contains("data-shelf") == false)
    }
  }
}
