import HTTP
import JSON
import MockKit
import TestSupport
import Testing

@Suite struct `A recording` {
  private static let card = "23000000000001"

  /// Signs in, looks at the shelf, borrows, looks again: through a recorder to a vendor of its own.
  private func record(
    _ folder: TemporaryFolder, _ check: (PlayedDesk, [PlayedDesk.Answer], JSONValue) throws -> Void
  ) async throws {
    try await PlayedDesk.run { vendor in
      try await PlayedDesk.run(recordings: folder.path) { desk in
        let begun = try await desk.admin(
          .post, "/record",
          ["file": "tour.jsonl", "to": .string(vendor.base), "known": ["1111"], "headers": []])
        #expect(begun.status == 200, "\(begun.text)")
        let answers = try await tour(desk)
        let told = try await desk.admin(.post, "/record", ["stop": true])
        let seen = vendor.house.main.withState { $0.journal.entries }
        #expect(seen.map(\.operation) == ["sign-in", "shelf", "loans", "shelf", "me.xml"])
        #expect(seen.allSatisfy { $0.request.headers["X-Mock-Tenant"] == nil })
        try check(desk, answers, told.json)
      }
    }
  }

  private func tour(_ desk: PlayedDesk) async throws -> [PlayedDesk.Answer] {
    let signedIn = try await desk.signIn()
    let token = signedIn.json["access_token"]?.string ?? ""
    let title = desk.house.main.withState { state in
      state.libraries[0].lending.order.first {
        state.libraries[0].lending.copiesAvailable(of: $0) > 0
      }
    }
    let bearer: Headers = ["Authorization": "Bearer \(token)", "Cookie": "sid=cookie-of-mine"]
    return [
      signedIn, try await desk.send(.get, "/shelf", headers: bearer),
      try await desk.send(.post, "/loans", ["title": JSONValue(title)], headers: bearer),
      try await desk.send(.get, "/shelf", headers: bearer), try await desk.send(.get, "/me.xml"),
    ]
  }

  @Test func `A recording holds one line an exchange, nothing secret, and leads back to itself`()
    async throws
  {
    try await withTemporaryFolder { folder in
      try await record(folder) { desk, answers, told in
        #expect(answers.map(\.status) == [200, 200, 200, 200, 200])
        #expect(answers[0].json["shelf"]?.string == desk.base + "/shelf")
        #expect(told["exchanges"] == 5)
        #expect(told["findings"] == [])
        let token = answers[0].json["access_token"]?.string ?? ""
        let bytes = try folder.read("tour.jsonl")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.split(separator: "\n").count == 5)
        for secret in [
          token, "1111", Self.card, "cookie-of-mine", String(token.reversed()), "127.0.0.1",
          "Cookie",
        ] {
          #expect(!text.contains(secret), "\(secret) in \(text)")
        }
        #expect(text.contains("http://mock.invalid/shelf"))
        #expect(Scan(knowing: [token, "1111", Self.card]).findings(in: bytes) == [])
      }
    }
  }

  @Test func `a replayed recording gives the recorded answers in order and restarts on reset`()
    async throws
  {
    try await withTemporaryFolder { folder in
      var recorded: [PlayedDesk.Answer] = []
      try await record(folder) { _, answers, _ in recorded = answers }
      try await PlayedDesk.run(recordings: folder.path) { desk in
        let begun = try await desk.admin(.post, "/replay", ["file": "tour.jsonl"])
        #expect(begun.json["exchanges"] == 5)
        for _ in 0..<2 {
          let again = try await tour(desk)
          #expect(again.map(\.status) == recorded.map(\.status))
          #expect(again[0].json["shelf"]?.string == desk.base + "/shelf")
          #expect(again.map { $0.json["loans"] } == recorded.map { $0.json["loans"] })
          #expect(again[1].json["loans"] != again[3].json["loans"])
          _ = try await desk.admin(.post, "/reset")
        }
        #expect(try await desk.admin(.post, "/replay", ["stop": true]).status == 200)
        #expect(try await desk.send(.get, "/titles").status == 200)
      }
    }
  }

  @Test func `A recording says when it was never asked that, and what comes near`() async throws {
    try await withTemporaryFolder { folder in
      try await record(folder) { _, _, _ in }
      try await PlayedDesk.run(recordings: folder.path) { desk in
        _ = try await desk.admin(.post, "/replay", ["file": "tour.jsonl", "match": "strict"])
        let other = try await desk.send(.get, "/shelf?page=2")
        #expect((other.status, other.json["code"]) == (404, "not_recorded"))
        #expect(
          other.json["nearMisses"]?[0]?["differences"]
            == [["field": "query.page", "expected": nil, "found": "2"]])
        _ = try await desk.admin(.post, "/replay", ["file": "tour.jsonl", "match": "loose"])
        #expect(try await desk.send(.get, "/shelf?page=2").status == 200)
        #expect(try await desk.send(.get, "/elsewhere").status == 404)
      }
    }
  }

  @Test func `A recording keeps the service's time or drops it`() async throws {
    try await withTemporaryFolder { folder in
      var exchange = RecordedExchange(method: "GET", target: "/slow", status: 200, milliseconds: 80)
      exchange.body = Array("late".utf8)
      try folder.write(exchange.json.bytes() + [0x0A], to: "slow.jsonl")
      try await PlayedDesk.run(recordings: folder.path) { desk in
        for (timing, least, most) in [("kept", 80, 20_000), ("dropped", 0, 80)] {
          _ = try await desk.admin(
            .post, "/replay", ["file": "slow.jsonl", "timing": .string(timing)])
          let start = ContinuousClock.now
          #expect(try await desk.send(.get, "/slow").text == "late")
          let took = ContinuousClock.now - start
          #expect(took >= .milliseconds(least) && took < .milliseconds(most), "\(timing): \(took)")
        }
      }
    }
  }

  @Test func `A recording is struck by faults as everything is`() async throws {
    try await withTemporaryFolder { folder in
      try await record(folder) { _, _, _ in }
      try await PlayedDesk.run(recordings: folder.path) { desk in
        _ = try await desk.admin(.post, "/replay", ["file": "tour.jsonl"])
        _ = try await desk.admin(
          .post, "/faults", ["name": "f", "kind": "status", "status": 500, "count": "first 1"])
        #expect(try await desk.send(.get, "/me.xml").status == 500)
        #expect(try await desk.send(.get, "/me.xml").status == 200)
        #expect(try await desk.admin(.get, "/requests").json["total"] == 2)
      }
    }
  }

  @Test func `a recording is written only inside its folder and needs an upstream address`()
    async throws
  {
    try await withTemporaryFolder { folder in
      try await PlayedDesk.run(recordings: folder.path) { desk in
        for order in [
          ["file": "../x", "to": "http://127.0.0.1:1"], ["file": "x"],
          ["file": "x", "to": "ftp://127.0.0.1"],
          ["file": "x", "to": ["token": "http://a.example"]],
          ["stop": true], ["file": "x", "to": "http://127.0.0.1:1", "fiel": "y"],
        ] as [JSONValue] {
          #expect(try await desk.admin(.post, "/record", order).status == 400, "\(order)")
        }
        #expect(try await desk.admin(.post, "/replay", ["file": "none"]).status == 400)
        _ = try await desk.admin(
          .post, "/record", ["file": "x", "to": ["/only": "http://127.0.0.1:1"]])
        #expect(try await desk.send(.get, "/else").json["code"] == "no_upstream")
        #expect(try await desk.send(.get, "/only/x").json["code"] == "no_answer")
      }
      try await PlayedDesk.run { desk in
        let none = try await desk.admin(.post, "/record", ["file": "x", "to": "http://a.example"])
        #expect(none.text.contains("--directory"))
      }
    }
  }
}
