import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The doctor on encryption` {
  @Test func `an address without encryption that cards go to is named with its setting`()
    async throws
  {
    try await Stage.play { stage in
      let library = """
          plain:
            provider: opdslibrary
            name: Plain
            endpoints:
              catalog: http://192.0.2.7:8000/opds
          secure:
            provider: opdslibrary
            name: Secure
            endpoints:
              catalog: https://192.0.2.8/opds

        """
      try stage.addSettings("http:\n  deadline: 1s\n")
      let added = try String(contentsOfFile: stage.settings, encoding: .utf8)
      try (added.replacing("libraries:\n", with: "libraries:\n" + library, maxReplacements: 1))
        .write(toFile: stage.settings, atomically: true, encoding: .utf8)
      let items = try await stage.carrel("doctor", "--json").document["items"]?.array ?? []
      let warned = items.filter { $0["check"]?.string == "encryption" }
      // Those of the mock are on this machine.
      #expect(warned.count == 1 && warned.first?["state"]?.string == "warn")
      let message = try #require(warned.first?["message"]?.string)
      #expect(message.contains("http://192.0.2.7:8000 without encryption"))
      #expect(message.contains("libraries.plain.endpoints.catalog"))
    }
  }
}
