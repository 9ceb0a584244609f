import Foundation
import HTTP
import JSON
import JourneySupport
import OPDS
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A file on its way through the gateway` {
  /// How often the library was asked for a file so far. For the shelf a gateway asks by itself.
  private func asked(_ stage: Stage) async throws -> Int {
    let journal = try await stage.mock.admin(.get, "/requests?limit=10000")
    let files = ["formats", "lockFormat", "downloadLink", "downloadRedirect", "content"]
    return (journal["requests"]?.array ?? []).count { request in
      request["operation"]?.string.map(files.contains) == true
    }
  }

  @Test(
    arguments: [
      ["name": "f", "kind": "cut", "operation": "content", "percent": 60],
      ["name": "f", "kind": "wrong-length", "operation": "content"],
      ["name": "f", "kind": "reset-after", "operation": "content"],
      ["name": "f", "kind": "status", "operation": "content", "status": 503],
    ] as [JSONValue])
  func `A file on its way through the gateway is whole or not there at all`(_ fault: JSONValue)
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      #expect(try await stage.json("borrow", "city:\(title.id)").item["result"] == "borrowed")
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app()
        let start = try #require(try await app.ask(gateway.start).feed)
        let shelf = try #require(try await app.follow(start.links.first(.shelf)).feed)
        let file = try #require(
          shelf.everyPublication.flatMap(\.acquisitions).first {
            $0.has(.acquisition) && $0.link.type == .epub
          })
        let before = try await asked(stage)
        for _ in 0..<3 { #expect(try await app.ask(file.link.href, .head).status == 200) }
        #expect(try await asked(stage) == before, "the head of a file asked the library")

        try await stage.mock.add(fault)
        let broken = try await app.ask(file.link.href)
        #expect(broken.status == 502 && broken.code == "network_failure", "\(broken.status)")
        #expect(!broken.bytes.starts(with: Array("PK".utf8)))
        try await stage.mock.removeFaults()
        let whole = try await app.follow(file.link)
        #expect(whole.bytes.starts(with: Array("PK".utf8)))
        #expect(whole.headers["Content-Length"] == "\(whole.bytes.count)")
      }
      // Nothing of it stays behind.
      let passage = stage.home + "/cache/passage"
      let left = (try? FileManager.default.contentsOfDirectory(atPath: passage)) ?? []
      #expect(left == [])
    }
  }
}
