import Foundation
import JSON
import JourneySupport
import Testing

@Suite struct `A reader who has nothing but the address of a catalogue` {
  /// What the mock says of itself under the name of that library.
  private func address(_ library: String, _ stage: Stage) throws -> String {
    let told = stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == library }
    return try #require(told?["endpoints"]?["catalog"]?.string)
  }

  /// The mock is on this machine, where no address given by a reader may lead by itself.
  private func allow(_ stage: Stage) throws {
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    try Data(("http:\n  allow_hosts: [127.0.0.1]\n  patron_hosts: [127.0.0.1]\n" + text).utf8)
      .write(to: URL(filePath: stage.settings))
  }

  @Test(arguments: ["lantern", "beacon"])
  func `a library linked by its catalog address lends a title and takes it back`(_ library: String)
    async throws
  {
    try await Stage.play { stage in
      try allow(stage)
      let address = try address(library, stage)
      let linked = try await stage.json(
        "link", "opdslibrary", "--library", address, "--name", "village", "--credentials-stdin",
        input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
      #expect(linked.item["library"]?.string == address)
      let harvest = try await stage.json("harvest", "village").item
      #expect(harvest["complete"] == true)
      #expect((harvest["editions"]?.integer ?? 0) > 10)
      let found = try await stage.json("search", "the", "--available", "--limit", "200").items
      let offer = try #require(
        found.compactMap { $0["offers"]?[0] }.first {
          $0["account"]?.string == "village" && $0["terms"]?["kind"]?.string == "loan"
        })
      let id = try #require(offer["id"]?.string)
      #expect(try await stage.json("borrow", id).item["result"] == "borrowed")
      let loans = try await stage.json("loans").items
      #expect(loans.contains { $0["item"] == offer["item"] && $0["account"]?.string == "village" })
      #expect(try await stage.json("return", id).item["result"] == "returned")
    }
  }

  @Test
  func `a catalog linked by its address without a card lists open-access titles`() async throws {
    try await Stage.play { stage in
      try allow(stage)
      try await stage.json(
        "link", "opdslibrary", "--library", try address("calibre", stage), "--name", "shelf",
        "--credentials-stdin", input: "{}")
      #expect(try await stage.json("harvest", "shelf").item["complete"] == true)
      let found = try await stage.json("search", "the", "--limit", "50").items
      #expect(found.contains { $0["offers"]?[0]?["terms"]?["kind"]?.string == "open_access" })
    }
  }

  @Test(arguments: ["http://127.0.0.1:9/opds", "http://10.1.2.3/opds", "http://router.local/"])
  func `a catalog address in the local network is refused unless its host is allowed`(
    _ address: String
  ) async throws {
    try await Stage.play { stage in
      let linking = try await stage.carrel(
        "link", "opdslibrary", "--library", address, "--credentials-stdin", input: "{}")
      #expect(linking.code != 0)
      #expect(linking.error.contains("patron_hosts"))
      let looking = try await stage.carrel("opds", "get", address)
      #expect(looking.code != 0)
      #expect(looking.error.contains("allow_hosts"))
    }
  }

  @Test func `carrel opds get shows feeds of OPDS 1 and OPDS 2`() async throws {
    try await Stage.play { stage in
      try allow(stage)
      let start = try await stage.json("opds", "get", try address("lantern", stage)).item
      #expect(start["kind"] == "navigation")
      let all = (start["entries"]?.array ?? []).first { $0["title"]?.string == "All Books" }
      let books = try await stage.json("opds", "get", all?["href"]?.string ?? "").item
      #expect(books["kind"] == "acquisition")
      let book = try #require(books["entries"]?[0])
      #expect(book["authors"]?[0] != nil)
      #expect(book["offers"]?[0]?["availability"]?["status"]?.string != nil)
      #expect((books["facets"]?.array ?? []).contains { $0["active"] == true })
      let json = try await stage.json("opds", "get", try address("beacon", stage)).item
      #expect(json["kind"] == "navigation")
      let text = try await stage.carrel("opds", "get", all?["href"]?.string ?? "")
      #expect(text.output.contains("All Books"))
    }
  }

  @Test func `carrel opds get explains why a file is not a feed`() async throws {
    try await Stage.play { stage in
      let ending = try await stage.carrel("opds", "get", "-", input: "<html><body>Hi</body></html>")
      #expect(ending.code == 7)
      #expect(ending.error.contains("a feed of a catalogue"))
    }
  }
}
