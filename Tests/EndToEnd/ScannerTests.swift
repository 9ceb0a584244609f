import JSON
import JourneySupport
import TestSupport
import Testing

/// Books at a house whose settings name a scanner for malware.
@Suite(.timeLimit(.minutes(5))) struct `A house with a scanner for malware` {
  @Test
  func `a gateway with a malware scanner scans each download and reports the result`() async throws
  {
    try await Stage.play { stage in
      try await withTemporaryFolder { folder in
        let played = try PlayedScanner(in: folder)
        defer { played.stop() }
        try stage.addSettings("scanner:\n  address: \(played.path)\n")
        try await stage.link(Mock.ada, "1111", as: "city")
        try await stage.json("harvest")
        let title = try await stage.openTitle()
        try await stage.json("borrow", "city:\(title.id)")
        func scanner() async throws -> String? {
          try await stage.carrel("doctor", "--json").items
            .first { $0["check"]?.string == "scanner" }?["state"]?.string
        }
        #expect(try await scanner() == "ok")

        // What every such book begins with.
        played.find(Array("PK".utf8))
        let found = try await stage.json("get", "city:\(title.id)", exit: 6)
        #expect(found.failure["code"] == "malware_found")
        #expect(played.seen.count == 1)
        let told = try await stage.carrel("queue")
        #expect(told.output.contains("the scanner found malware in the file"))

        played.find(PlayedScanner.malware)
        #expect(try await stage.json("get", "city:\(title.id)").item["state"] == "done")
        #expect(played.seen.count == 2)
        played.stop()
        #expect(try await scanner() == "fail")
      }
    }
  }
}
