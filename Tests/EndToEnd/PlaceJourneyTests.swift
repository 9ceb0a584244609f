import Foundation
import HTTP
import JourneySupport
import OPDS
import TestSupport
import Testing

/// One book on two devices: an app that knows the work, and the terminal that has the file.
@Suite(.timeLimit(.minutes(3))) struct `A place in a book` {
  @Test func `A place in a book goes from a phone to the terminal, where it is offered, and back`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await RunningGateway.serve(stage) { gateway in
        try await stage.json("borrow", "city:\(title.id)")
        try await stage.json("get", "city:\(title.id)")
        let app = gateway.app(accept: "application/opds+json")
        let start = try #require(try await app.ask(gateway.start).feed)
        let found = try await app.search(title.name, from: start)
        let book = try #require(found.everyPublication.first { $0.title == title.name })
        let whole = try #require(try await app.follow(book.links.first(.own)).entry)
        let place = try #require(whole.links.first(.progression))
        let now = ISO8601DateFormatter().string(from: Date())
        let told = """
          {"modified": "\(now)", "progression": 0.99,
           "device": {"id": "urn:uuid:7", "name": "Ada’s phone"}}
          """
        let kept = try await app.ask(
          place.href, .put, ["Content-Type": "application/opds-progression+json"],
          body: Array(told.utf8))
        #expect(kept.status == 200)

        try await withTemporaryFolder { folder in
          let terminal = try await Terminal(
            80, 24, in: folder,
            ["env", "TZ=UTC", Mock.program("carrel"), "--home", stage.home, "read", title.name])
          let jacket = try await terminal.shows("On Ada’s phone you were at")
          #expect(jacket.contains("c goes on from there"))
          try await terminal.press("c")
          try await terminal.awaits("the page") { !$0.contains("you were at") }
          try await terminal.press("q")
          try await terminal.shows("left with 0")
          try await terminal.close()
        }
        let back = try await app.ask(place.href)
        let said = String(decoding: back.bytes, as: UTF8.self)
        #expect(said.contains("\"the terminal\"") && said.contains("#epubcfi(/6/"))
      }
    }
  }
}
