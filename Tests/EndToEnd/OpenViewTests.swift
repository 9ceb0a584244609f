import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A reader who also reads scans online` {
  /// The mock's library of scans besides the lender of the stage.
  private func link(_ stage: Stage) async throws {
    let library = try #require(
      stage.mock.ready["libraries"]?.array?.first { $0["provider"]?.string == "hathitrust" })
    let address = try #require(library["endpoints"]?["catalog"]?.string)
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    let scans = """
        scans:
          provider: hathitrust
          country: us
          endpoints:
            catalog: \(address)

      """
    try Data(text.replacing("libraries:\n", with: "libraries:\n\(scans)").utf8)
      .write(to: URL(filePath: stage.settings))
    try await stage.link(Mock.ada, "1111", as: "city")
    let linked = try await stage.json("link", "hathitrust")
    #expect(linked.item["card"] == .null)
  }

  private func questions(_ stage: Stage) async throws -> Int {
    try await stage.mock.admin(.get, "/requests?provider=hathitrust&limit=2000")["requests"]?
      .array?.count ?? -1
  }

  @Test(arguments: Engine.allCases)
  func `A reader who also reads scans online finds open views beside what is lent`(_ engine: Engine)
    async throws
  {
    try await Stage.play(engine) { stage in
      try await link(stage)
      #expect(try await stage.json("sync").items.map { $0["account"] } == ["city"])
      #expect(try await stage.json("harvest").items.map { $0["provider"] } == ["overdrive"])
      #expect(try await stage.json("account", "check").items.allSatisfy { $0["error"] == .null })
      let found = try await stage.json("search", "the", "--limit", "200").items
      let open = found.flatMap { $0["offers"]?.array ?? [] }.filter {
        $0["provider"]?.string == "hathitrust"
      }
      #expect(!open.isEmpty)
      #expect(open.allSatisfy { $0["availability"]?["status"] == "open_access" })
      #expect(open.allSatisfy { $0["formats"]?[0]?["drm"] == "streaming" })
      let asked = try await questions(stage)
      #expect((1...2).contains(asked), "\(asked)")
      // What was asked is known for a while, what was answered is in the catalogue.
      _ = try await stage.json("search", "the", "--limit", "200")
      let again = try await questions(stage)
      #expect(again - asked <= 2)
      // What is open to everybody can be taken, too.
      let view = try #require(open[0]["id"]?.string)
      #expect(try await stage.json("borrow", view).item["result"] == "borrowed")
      let gone = try await stage.json("borrow", "scans:000000001", exit: 5)
      #expect(gone.failure["code"] == "title_gone")
    }
  }

  @Test func `a second search does not query HathiTrust again while it is down`() async throws {
    try await Stage.play(.sqlite) { stage in
      try await link(stage)
      try await stage.mock.add([
        "name": "down", "kind": "status", "status": 503, "provider": "hathitrust",
      ])
      _ = try await stage.json("harvest")
      #expect(try await stage.json("search", "the").items.count > 1)
      let asked = try await questions(stage)
      _ = try await stage.json("search", "the")
      #expect(try await questions(stage) == asked)
    }
  }
}
