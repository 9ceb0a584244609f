import HTTP
import JSON
import MockKit
import Testing

/// Who is let in.
@Suite(.serialized) struct `The signed door` {
  @Test func `The signed door opens for the account's key, to either verb`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[0]
      #expect(try await mock.get("/items/\(id)").status == 200)
      let answer = try await mock.order("/checkout", "CheckoutRequest", id, ada, .post)
      #expect(answer.status == 201)
    }
  }

  @Test func `The signed door says nothing to whoever signs wrongly`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      var (thief, stranger, neighbor) = (mock, mock, mock)
      thief.key = "guessed"
      stranger.account = "library.nowhere"
      neighbor.library = "nowhere"
      for client in [thief, stranger, neighbor] {
        let answer = try await client.get("/items/a9")
        #expect(answer.status == 401 && answer.body.isEmpty)
      }
      let unsigned = try await mock.ask(.get, "/items/a9", headers: ["3mcl-Authorization": ""])
      #expect(unsigned.status == 401 && unsigned.body.isEmpty)
    }
  }

  @Test func `The signed door wants the target signed as it is sent, query and all`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let path = "/cirrus/library/qs7tmf/data/cloudevents"
      let query = "?startdate=2026-03-16T08:00:00&enddate=2026-03-16T09:00:00"
      let rest = "/data/cloudevents" + query
      #expect(try await mock.get(rest).status == 200)
      for other in [path, path + query.replacing(":", with: "%3A"), path.uppercased() + query] {
        #expect(try await mock.ask(.get, rest, signedFor: other).status == 401, "\(other)")
      }
    }
  }

  @Test func `The signed door wants the date of today, in its one form`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      for (ahead, status) in [
        (0, 200), (240_000, 200), (-240_000, 200), (400_000, 401), (-400_000, 401),
      ] {
        var client = mock
        client.ahead = Int64(ahead)
        #expect(try await client.get("/items/a9").status == status, "\(ahead)")
      }
      mock.change { library, _ in library.settings["skew"] = 30_000 }
      var client = mock
      client.ahead = 60_000
      #expect(try await client.get("/items/a9").status == 401)
      let odd = try await mock.ask(
        .get, "/items/a9", headers: ["3mcl-Datetime": "2026-03-16T09:00:00Z"])
      #expect(odd.status == 401)
    }
  }

  @Test func `The signed door does not care what the version header is called`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      for name in ["3mcl-APIVersion", "3mcl-Version"] {
        #expect(try await mock.ask(.get, "/items/a9", headers: [name: "2.0"]).status == 200)
      }
    }
  }

  @Test func `The signed door tells a good card from a bad one in a word`() async throws {
    try await PlayedCloudLibrary.run(.fines) { mock async throws in
      #expect(try await mock.get("/patron/\(ada)?password=1111").all("result") == ["SUCCESS"])
      #expect(
        try await mock.get("/patron/\(ada)?password=9999").all("result")
          == ["INVALID_CREDENTIALS"])
      #expect(
        try await mock.get("/patron/\(bruno)?password=2222").all("result") == ["CARD_BLOCKED"])
      #expect(try await mock.get("/patron/\(ada)").all("result") == ["INVALID_CREDENTIALS"])
      #expect(try await mock.hillcrest.get("/patron/\(ada)").all("result") == ["SUCCESS"])
    }
  }

  @Test func `The signed door has one sentence for a wrong PIN and another for a blocked card`()
    async throws
  {
    try await PlayedCloudLibrary.run(.fines) { mock async throws in
      let wrong = try await mock.get("/circulation/patron/\(ada)?password=9999")
      #expect(wrong.status == 400 && wrong.message == "Authentication failed")
      let blocked = try await mock.get("/circulation/patron/\(bruno)?password=2222")
      #expect(blocked.status == 403 && blocked.message?.contains("blocked") == true)
    }
  }
}
