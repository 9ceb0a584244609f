import Foundation
import JSON
import JourneySupport
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

  @Test func `An account that only has lists is linked by an address, and lends nothing`()
    async throws
  {
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

  @Test func `An account that only has lists is not kept for a profile that nobody has`()
    async throws
  {
    try await Stage.play { stage in
      _ = try name(stage)
      let refused = try await stage.json(
        "link", "goodreads-feed", "--name", "shelves", "--credentials-stdin",
        input: #"{"profile": "999999999"}"#, exit: 4)
      #expect(refused.failure["code"] == "credentials_rejected")
      #expect(try await stage.json("account", "list").items == [])
    }
  }

  private func profile(_ stage: Stage) throws -> String {
    let libraries = stage.mock.ready["libraries"]?.array ?? []
    let played = libraries.first { $0["provider"] == "bookwyrm" }?["endpoints"]
    return try #require(played?["profile"]?.string)
  }

  @Test
  func `a list account at any BookWyrm instance is linked and read by its profile address`()
    async throws
  {
    try await Stage.play { stage in
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      let profile = try profile(stage)
      let linked = try await stage.json(
        "link", "bookwyrm", "--name", "wyrm", "--credentials-stdin",
        input: #"{"profile": "\#(profile)/books/cooking-9"}"#)
      #expect(linked.item["state"] == "linked" && linked.item["library"] == "bookwyrm")
      let came = try await stage.json("list", "sync").item
      #expect(came["state"] == "fresh" && came["whole"] == true)
      let names = try await stage.json("list", "ls").items.compactMap { $0["name"]?.string }
      let shelves = ["To Read", "Currently Reading", "Read", "Stopped Reading", "Cooking"]
      #expect(Set(names) == Set(shelves.map { "wyrm/\($0)" }))
      let wanted = try await stage.json("list", "show", "wyrm/To Read").items
      #expect(!wanted.isEmpty)
      #expect(wanted.allSatisfy { $0["authors"]?.array?.isEmpty == false })
      let again = try await stage.json("list", "sync").item
      #expect(again["arrived"] == [] && again["left"] == [])
    }
  }

  @Test
  func `linking a BookWyrm account explains what is wrong with a profile address`() async throws {
    try await Stage.play { stage in
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      let profile = try profile(stage)
      for (text, words) in [
        (profile + "x", "public"), (profile + "/books/cooking-99", "public"),
        ("dana", "@NAME@INSTANCE"),
      ] {
        let refused = try await stage.carrel(
          "link", "bookwyrm", "--name", "wyrm", "--credentials-stdin",
          input: #"{"profile": "\#(text)"}"#)
        #expect(refused.code != 0 && refused.error.contains(words), "\(text)")
        #expect(!refused.error.contains("card"))
      }
      #expect(try await stage.json("account", "list").items == [])
    }
  }
}
