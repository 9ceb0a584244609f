import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import MockKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct `A loan that is locked with a licence` {
  /// The lender's own root, as it gives it to whoever asks.
  private func trust(_ stage: Stage, _ catalog: String) async throws {
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    let base = catalog.hasSuffix("/") ? String(catalog.dropLast()) : catalog
    let reply = try await client.send(.init(.get, try Address("\(base)/lcp/root.pem")))
    await client.shutdown()
    let file = stage.key("lcp-roots.pem")
    try Data(reply.body).write(to: URL(filePath: file))
    try stage.addSettings(
      "http:\n  patron_hosts: [127.0.0.1]\nlcp:\n  roots_file: \(file)\n")
  }

  private func lockedBook(_ stage: Stage) async throws -> JSONValue {
    let found = try await stage.json("search", "the", "--available", "--limit", "200").items
    let offers = found.flatMap { $0["offers"]?.array ?? [] }
    return try #require(
      offers.first {
        $0["drm"]?.string == "lcp" && $0["format"]?.string == "epub"
          && $0["terms"]?["kind"]?.string == "loan"
      })
  }

  /// Whether these words stand in any file of the house.
  private func stands(_ words: String, in folder: String) throws -> Bool {
    let all = try #require(FileManager.default.enumerator(atPath: folder))
    for case let name as String in all {
      guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      if bytes.range(of: Data(words.utf8)) != nil { return true }
    }
    return false
  }

  @Test func `a loan with an LCP license is downloaded, read in the terminal and stored encrypted`()
    async throws
  {
    try await Stage.play { stage in
      let told = stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == "lantern" }
      let catalog = try #require(told?["endpoints"]?["catalog"]?.string)
      try await trust(stage, catalog)
      try await stage.json(
        "link", "opdslibrary", "--library", catalog, "--name", "village", "--credentials-stdin",
        input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
      try await stage.json("harvest", "village")
      let id = try #require(try await lockedBook(stage)["id"]?.string)
      let borrowed = try await stage.json("borrow", id).item
      #expect(borrowed["result"] == "borrowed")
      let name = try #require(borrowed["title"]?.string)
      let fetched = try await stage.json("get", name)
      #expect(fetched.items.first?["state"]?.string == "done", "\(fetched)")
      try await withTemporaryFolder { folder in
        let words = [Mock.program("carrel"), "--home", stage.home, "read", name, "--linear"]
        let terminal = try await Terminal(100, 40, in: folder, words)
        // Its lender handed over what opens it, so nobody is asked.
        try await eventually("the end of the story") {
          if try await terminal.screen().contains("Here the story ends.") { return true }
          try await terminal.press("Enter")
          return false
        }
        try await terminal.close()
      }
      let piped = try await stage.carrel("read", name, "--linear")
      #expect(piped.code == 6 && !piped.output.contains("Here the story ends."))
      #expect(try !stands("Here the story ends.", in: stage.home))
      #expect(try await stage.json("return", name).item["result"] == "returned")
      #expect(try await stage.carrel("read", name, "--linear").code != 0)
    }
  }

  @Test
  func `the terminal asks for an LCP passphrase with the lender's hint and does not show it`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let press = try LicensePress()
      let key = Digest.sha256.hash("content")
      var order = LicensePress.Order(
        id: "1", issued: "2026-01-01T00:00:00Z", passphrase: Digest.sha256.hash("whale"),
        contentKey: key,
        links: [
          ["rel": "hint", "href": "https://lender.example/hint"],
          ["rel": "publication", "href": "https://lender.example/book"],
        ])
      order.hint = "What Ahab chased"
      let title = Title(
        id: "1", name: "A Locked Book", authors: ["A Whale"], copies: .unlimited,
        added: Moment(milliseconds: 0))
      let book = try MockBook(title).locked(with: key, license: press.license(order))
      try folder.write(book, to: "book.epub")
      try folder.write(Array(press.root.pem.utf8), to: "roots.pem")
      let settings = "lcp:\n  roots_file: \(folder.path("roots.pem"))\n"
      try folder.write(Array(settings.utf8), to: "carrel.yaml")
      let words = [
        Mock.program("carrel"), "--home", folder.path("home"), "--config",
        folder.path("carrel.yaml"), "read", folder.path("book.epub"),
      ]
      let terminal = try await Terminal(80, 24, in: folder, words)
      let asked = try await terminal.shows("Passphrase:")
      #expect(asked.contains("Hint: What Ahab chased"))
      try await terminal.type("fish")
      try await terminal.press("Enter")
      try await terminal.shows("does not open the book")
      try await terminal.type("whale")
      try await terminal.press("Enter")
      try await terminal.shows("space opens")
      try await terminal.press("Space", "Space", "Space")
      try await terminal.shows("Here the story ends.")
      try await terminal.press("q")
      try await terminal.shows("left with 0")
      // The second time its key is known.
      let again = try await Terminal(80, 24, in: try TemporaryFolder(), words)
      try await again.shows("space opens")
      try await again.close()
      try await terminal.close()
      #expect(try !stands("Here the story ends.", in: folder.path("home")))
    }
  }
}
