import Foundation
import JSON
import JourneySupport
import Testing

@Suite struct `A library that can only be seen` {
  @Test func `A library that can only be seen is linked, and every book leads to its page there`()
    async throws
  {
    try await Stage.play { stage in
      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
      let seen = """
          nypl:
            provider: bibliocommons
            name: New York Public Library
            endpoints:
              catalog: https://nypl.example.com

        """
      try Data((settings + seen).utf8).write(to: URL(filePath: stage.settings))
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.mock.truth().titles[0].name
      #expect(try await stage.json("show", title).item["elsewhere"] == [])
      let linked = try await stage.json(
        "link", "bibliocommons", "--library", "nypl", "--credentials-stdin", input: "{}")
      #expect(linked.item["name"] == "nypl")
      let page = try #require(try await stage.json("show", title).item["elsewhere"]?[0])
      #expect(page["library"] == "New York Public Library" && page["account"] == "nypl")
      let address = try #require(page["address"]?.string)
      #expect(address.hasPrefix("https://nypl.example.com/v2/search?query="))
      let text = try await stage.carrel("show", title).output
      #expect(text.contains("Look for it at New York Public Library: \(address)"))
      // There is nothing else to be had there, and nobody is asked.
      #expect(try await stage.json("sync").items.allSatisfy { $0["account"] != "nypl" })
      let able = try await stage.json("provider", "list").items.first {
        $0["id"] == "bibliocommons"
      }
      #expect(able?["capabilities"] == ["outlook"])
    }
  }
}
