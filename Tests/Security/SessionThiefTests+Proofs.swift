import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// What a thief of a session, or of a PIN, does to the patron and to what the patron has set up.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A thief who stays` {
  @Test(arguments: Engine.allCases)
  func `a thief who types wrong proofs has ten, and keeps the patron's own session from none`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var stolen = Visitor(gateway)
        #expect(try await stolen.signIn(Mock.ada, "1111") == 303)
        var ada = Visitor(gateway, at: "198.51.100.1")
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        try await `A thief of a session`.age(stage)
        func proof(_ word: String) -> FormFields { ["do": "new", "proof": word] }
        for guess in 0..<10 {
          let reply = try await stolen.post("/settings/calendar", proof("90\(10 + guess)"))
          #expect(reply.status.code == 403)
        }
        // Not even the right one is heard there any longer.
        #expect(try await stolen.post("/settings/calendar", proof("1111")).status.code == 429)
        #expect(try await ada.post("/settings/calendar", proof("1111")).status.code == 200)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a stolen session removes no notification channel without a fresh proof`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json(
        "notify", "add", "webhook", "--name", "mine", "--credentials-stdin",
        input: #"{"address": "https://hooks.example.org/ada"}"#)
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        #expect(try await ada.post("/settings/calendar", ["do": "new"]).status.code == 200)
        try await `A thief of a session`.age(stage)
        var thief = ada
        let remove: FormFields = ["do": "remove", "name": "mine"]
        let asked = try await thief.post("/settings/notices", remove)
        #expect(`A thief of a session`.isAsked(asked))
        #expect(try await stage.rows("SELECT count(*) FROM notice_channel") == [["1"]])
        // What only takes a right away is done at once: the patron may be in a hurry.
        #expect(try await thief.post("/settings/calendar", ["do": "revoke"]).status.code < 400)
        #expect(try await stage.rows("SELECT count(*) FROM registry_calendar") == [["0"]])
        var proved = remove
        proved.add("proof", "1111")
        #expect(try await ada.post("/settings/notices", proved).status.code == 303)
        #expect(try await stage.rows("SELECT count(*) FROM notice_channel") == [["0"]])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `an address where a thief's app signed in is a stranger's after signing out everywhere`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var thief = Visitor(gateway, at: "203.0.113.77")
        let first = try await thief.feed(as: Mock.ada, "1111")
        #expect(first == 200)
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        #expect(try await ada.post("/settings/sessions", ["do": "everywhere"]).status.code == 303)
        // Strangers use up what they have.
        for guess in 0..<10 {
          var stranger = Visitor(gateway, at: "203.0.113.\(100 + guess)")
          #expect(try await stranger.signIn(Mock.ada, "90\(10 + guess)") == 401)
        }
        #expect(try await thief.feed(as: Mock.ada, "8000") == 429)
      }
    }
  }
}
