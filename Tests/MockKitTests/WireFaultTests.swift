import HTTP
import HTTPClient
import JSON
import MockKit
import Testing

@Suite struct `A fault on the wire` {
  private func fault(_ kind: String, _ fields: JSONObject, _ desk: PlayedDesk) async throws {
    var fault = fields
    fault["name"] = "test"
    fault["kind"] = .string(kind)
    fault["operation"] = "titles"
    #expect(try await desk.admin(.post, "/faults", .object(fault)).status == 201)
  }

  @Test func `A fault on the wire breaks the connection before, during or instead of the answer`()
    async throws
  {
    try await PlayedDesk.run { desk in
      for (kind, fields) in [
        ("reset", [:]), ("refuse", [:]), ("limit-bytes", ["bytes": 40]),
        ("cut", ["percent": 50]), ("wrong-length", [:]),
      ] as [(String, JSONObject)] {
        try await fault(kind, fields, desk)
        await #expect(throws: TransportError.self, "\(kind)") {
          try await desk.send(.get, "/titles")
        }
      }
      try await fault("timeout", [:], desk)
      await #expect(throws: TransportError.deadlineExceeded(.waiting)) {
        try await desk.send(.get, "/titles", within: .milliseconds(100))
      }
    }
  }

  @Test func `A fault on the wire makes the way narrow, cuts the answer up, or is late to close`()
    async throws
  {
    try await PlayedDesk.run { desk in
      let whole = try await desk.send(.get, "/titles").body
      for (kind, fields, least) in [
        ("bandwidth", ["bytesPerSecond": .integer(whole.count * 10)], 50),
        ("slicer", ["bytes": 50], 5), ("slow-close", ["milliseconds": 60], 60),
        ("latency", ["milliseconds": 60, "jitter": 10], 60),
      ] as [(String, JSONObject, Int)] {
        try await fault(kind, fields, desk)
        let start = ContinuousClock.now
        #expect(try await desk.send(.get, "/titles").body == whole, "\(kind)")
        #expect(ContinuousClock.now - start >= .milliseconds(least), "\(kind)")
      }
    }
  }

  @Test func `A fault on the wire changes the order of a list, always the same way for a seed`()
    async throws
  {
    func mixed(_ seed: UInt64) async throws -> (JSONValue, JSONValue) {
      try await PlayedDesk.run(seed: seed) { desk in
        let plain = try await desk.send(.get, "/titles").json
        try await fault("reorder", [:], desk)
        let mixed = try await desk.send(.get, "/titles").json
        return (plain, mixed)
      }
    }
    let (plain, one) = try await mixed(4)
    #expect(plain != one)
    #expect(Set(plain["titles"]?.array ?? []) == Set(one["titles"]?.array ?? []))
    #expect(try await mixed(4).1 == one)
  }
}
