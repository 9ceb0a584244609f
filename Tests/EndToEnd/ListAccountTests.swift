import Foundation
import JSON
import Testing

/// An account where books are only listed is no lender, and gets in nobody's way.
@Suite(.timeLimit(.minutes(3))) struct `An account that only has lists` {
  private func name(_ stage: Stage) throws -> String {
    let libraries = stage.mock.ready["libraries"]?.array ?? []
    let played = try #require(libraries.first { $0["provider"] == "goodreads" }?["endpoints"])
    let feeds = try #require(played["feeds"]?.string)
    var text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    text += "  shelves:\n    provider: goodreads-feed\n    name: Shelves\n"
    text += "    endpoints:\n      feeds: \(feeds)\n"
    try text.write(toFile: stage.settings, atomically: true, encoding: .utf8)
    return try #require(played["profile"]?.string)
  }

  @Test func `is linked by an address, and lends nothing`() async throws {
    try await Stage.play { stage in
      let profile = try name(stage)
      try await stage.json(
        "link", "overdrive", "--library", "city", "--name", "city", "--credentials-stdin",
        input: "\(Mock.ada)\n1111\n")
      let linked = try await stage.json(
        "link", "goodreads-feed", "--name", "shelves", "--credentials-stdin",
        input: #"{"profile": "\#(profile)"}"#)
      #expect(linked.item["state"] == "linked")
      #expect(try await stage.json("account", "list").items.count == 2)
      #expect(try await stage.json("account", "check").items.allSatisfy { $0["error"] == .null })
      let synced = try await stage.json("sync")
      #expect(synced.items.count == 1)
      try await stage.json("harvest", "city")
      let titles = try await stage.mock.truth().titles
      let found = try await stage.json("search", titles[0].name)
      #expect(!found.items.isEmpty && found.document["troubles"]?.array?.isEmpty != false)
      #expect(try await stage.json("loans").items == [])
    }
  }

  @Test func `is not kept for a profile that nobody has`() async throws {
    try await Stage.play { stage in
      _ = try name(stage)
      let refused = try await stage.json(
        "link", "goodreads-feed", "--name", "shelves", "--credentials-stdin",
        input: #"{"profile": "999999999"}"#, exit: 4)
      #expect(refused.failure["code"] == "credentials_rejected")
      #expect(try await stage.json("account", "list").items == [])
    }
  }
}
