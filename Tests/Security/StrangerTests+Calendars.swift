import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// Shares a network address with patrons.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A neighbor at the same address` {
  @Test(arguments: Engine.allCases)
  func `wrong PINs of one address keep no right calendar address from there`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        let made = try await ada.post("/settings/calendar", ["do": "new"])
        let page = String(decoding: made.body, as: UTF8.self)
        let path = try #require(page.firstMatch(of: /\/lib(\/calendar\/[A-Za-z0-9_-]+\.ics)/)?.1)
        var pupil = Visitor(gateway)
        for guess in 0..<31 { _ = try await pupil.feed(as: "2300000000\(1_000 + guess)", "9999") }
        #expect(try await pupil.feed(as: "23000000009999", "9999") == 429)
        var calendar = Visitor(gateway)
        #expect(try await calendar.send(String(path)).status.code == 200)
        // A wrong one counts as any other guess.
        #expect(
          try await calendar.send("/calendar/AAAAAAAAAAAAAAAAAAAAAAAAAAA.ics").status
            == .tooManyRequests)
      }
    }
  }
}
