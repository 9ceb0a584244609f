import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A reader after an upgrade` {
  /// On a terminal of its own, whose lines are all that it is told.
  private func harvestOnTerminal(_ stage: Stage) async throws -> String {
    var variables = Stage.variables
    variables["TERM"] = "xterm"
    let line = "'\(Mock.program("carrel"))' --home '\(stage.home)' harvest"
    let finished = try await run(
      "script", ["-qec", line, "/dev/null"], environment: variables, within: .seconds(60))
    #expect(finished.end == .exited(0), "\(finished.outputText)")
    return finished.outputText
  }

  @Test(arguments: Engine.allCases)
  func `a harvest after an upgrade rebuilds the search index and finds the same titles`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let found = try await stage.json("search", "the", "--limit", "1000").items.map { $0["id"] }
      let fresh = try await harvestOnTerminal(stage)
      #expect(!fresh.contains("making the search anew") && !fresh.contains("are one work"))

      _ = try await stage.rows("DELETE FROM catalog_words")
      _ = try await stage.rows("DELETE FROM catalog_face")
      _ = try await stage.rows("UPDATE catalog_pulse SET indexed_by = 0, described_by = 0")
      _ = try await stage.rows("UPDATE catalog_matching SET version = 0")
      let told = try await harvestOnTerminal(stage)
      #expect(told.contains("telling which are one work: "))
      #expect(told.contains("steps left"))
      // The line is gone before anything else is said.
      #expect(told.contains("\u{1b}[K\r\u{1b}[Kcity: "))
      let again = try await stage.json("search", "the", "--limit", "1000").items.map { $0["id"] }
      #expect(!found.isEmpty && again == found)
      #expect(
        try await stage.rows("SELECT count(*) FROM catalog_face")
          == stage.rows("SELECT count(*) FROM catalog_edition"))
    }
  }
}
