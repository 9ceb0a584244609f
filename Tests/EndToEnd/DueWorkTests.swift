import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct `A gateway that runs` {
  @Test(arguments: Engine.allCases)
  func `A gateway that runs reads catalogs and shelves by itself`(_ engine: Engine) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { _ in
        let ended =
          "SELECT kind, outcome FROM schedule_job WHERE ended_at IS NOT NULL ORDER BY kind"
        try await eventually { try await stage.rows(ended).count == 8 }
        #expect(
          try await stage.rows(ended)
            == [
              "expiry", "harvest", "notices", "roster", "settling", "sweep", "sync", "watch",
            ].map { [$0, "done"] })
        #expect(try await !stage.rows("SELECT account FROM desk_account").isEmpty)
        #expect(try await stage.json("search", "the").items.isEmpty == false)
      }
      // Stopped in order, it holds nothing back.
      #expect(try await stage.rows("SELECT kind FROM schedule_job WHERE owner IS NOT NULL") == [])
    }
  }

  @Test func `A gateway that runs notes why it can do nothing while the vault is locked`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try FileManager.default.removeItem(atPath: stage.vaultKey)
      try await RunningGateway.serve(stage) { gateway in
        let failed = "SELECT kind, note FROM schedule_job WHERE outcome = 'failed' ORDER BY kind"
        try await eventually { try await stage.rows(failed).count == 2 }
        let rows = try await stage.rows(failed)
        #expect(rows.map(\.first) == ["harvest", "sync"])
        #expect(rows.allSatisfy { $0[1].hasPrefix("vault_") })
        // The log says the same of each, and names no card.
        let said = gateway.log.split(separator: "\n").filter { $0.contains("due work failed") }
        #expect(said.count >= 2 && said.allSatisfy { $0.contains("why=\"vault_unusable: ") })
        #expect(!gateway.log.contains("city-card"))
      }
    }
  }

  @Test func `A gateway that runs keeps a reader's calendar under a secret address`() async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.bruno, "2222", as: "bruno")
      try await stage.json("sync")
      // What the gateway would read meanwhile would change what the books are called.
      try await stage.json("harvest")
      try await RunningGateway.serve(stage) { gateway in
        let address = try #require(
          try await stage.json("calendar", "new").item["address"]?.string)
        // The command does not know of the proxy that stands before this gateway.
        let path = try #require(address.firstRange(of: "/calendar/"))
        let feed = gateway.site + address[path.lowerBound...]
        let app = gateway.app(credentials: false)
        let first = try await app.ask(feed)
        #expect(first.status == 200 && first.headers["Cache-Control"] == "private, no-cache")
        let text = String(decoding: first.bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "SUMMARY:Due: ").count == 3)
        #expect(text == (try await stage.carrel("calendar", "export").output))
        let tag = try #require(first.headers["ETag"])
        #expect(try await app.ask(feed, .get, ["If-None-Match": tag]).status == 304)
        #expect(try await app.ask(gateway.site + "/calendar/guess.ics").status == 404)
        try await stage.json("calendar", "revoke", "--yes")
        #expect(try await app.ask(feed).status == 404)
        let secret = address[path.upperBound...].dropLast(4)
        for table in try await stage.tables() {
          let rows = try await stage.rows("SELECT * FROM \(table)").joined().joined()
          #expect(!rows.contains(secret), "\(table)")
        }
      }
    }
  }
}
