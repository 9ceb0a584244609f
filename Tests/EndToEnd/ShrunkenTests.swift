import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A catalogue that suddenly lists three titles of a hundred` {
  private static let library = "lantern"

  private func link(_ stage: Stage) async throws {
    let told = stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == Self.library }
    let address = try #require(told?["endpoints"]?["catalog"]?.string)
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    try Data(("http:\n  patron_hosts: [127.0.0.1]\n" + text).utf8)
      .write(to: URL(filePath: stage.settings))
    try await stage.json(
      "link", "opdslibrary", "--library", address, "--name", "village", "--credentials-stdin",
      input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
  }

  private func turn(_ quirks: [JSONValue], _ stage: Stage) async throws {
    let library: JSONValue = [
      "id": .string(Self.library), "settings": ["quirks": .array(quirks)],
    ]
    try await stage.mock.admin(.put, "/state", ["libraries": [library]])
  }

  @Test(arguments: Engine.allCases)
  func `a harvest of a suddenly shrunken catalog is reported and removes no title`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await link(stage)
      let before = try #require(
        try await stage.json("harvest", "village").item["editions"]?.integer)
      #expect(before > 20)
      let found = try await stage.json("search", "the", "--limit", "1000").items.count
      try await turn(["shrunken"], stage)
      for reading in 1...3 {
        let ending = try await stage.json("harvest", "village", "--full", exit: 3)
        #expect(ending.failure["code"] == "catalogue_shrunk")
        #expect(ending.failure["message"]?.string?.contains("of \(before) titles only") == true)
        #expect(ending.document["partial"] == true)
        let item = ending.item
        #expect(item["complete"] == true && item["error"]?["code"] == "catalogue_shrunk")
        #expect(item["editions"]?.integer == before && item["removed"] == 0)
        let lacking = item[reading == 1 ? "missing" : "held_back"]?.integer ?? 0
        #expect(lacking > before / 2)
        let still = try await stage.json("search", "the", "--limit", "1000").items.count
        #expect(still == found)
      }
      let told = try await stage.carrel("harvest", "village", "--full")
      #expect(told.code == 3 && told.error.contains("none was taken to have left"))
      #expect(!told.output.contains("stopped"))

      try await turn([], stage)
      let again = try await stage.json("harvest", "village", "--full").item
      #expect(again["editions"]?.integer == before && again["error"] == .null)

      // What of a feed could not be read is told, and the rest is there.
      try await turn(["bad-entry"], stage)
      let faulty = try await stage.carrel("harvest", "village", "--full")
      #expect(faulty.code == 0 && faulty.output.contains("\(before) in all"))
      #expect(faulty.error.contains("warning: "), "\(faulty.error)")
    }
  }
}
