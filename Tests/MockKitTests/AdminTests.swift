import HTTP
import JSON
import MockKit
import Testing

@Suite struct `The admin interface's description` {
  @Test func `The admin interface's description names every order that there is, and no other`()
    async throws
  {
    try await PlayedDesk.run { desk in
      let described = try await desk.admin(.get, "/openapi.json").json["paths"]?.object ?? [:]
      #expect(described.names.count == 16)
      let methods: [HTTP.Method] = [.get, .put, .post, .delete, .patch]
      for path in described.names {
        for method in methods {
          let operation = described[path]?[method.rawValue.lowercased()]
          if path.hasSuffix("/shutdown"), method == .post { continue }
          let body = operation?["requestBody"]?["content"]?["application/json"]?["example"]
          let status = try await desk.send(method, path, body).status
          #expect((status == 405) == (operation == nil), "\(method) \(path): \(status)")
          // What needs a folder or a library is refused for that, and is there.
          if operation != nil, status != 400 {
            let told = operation?["responses"]?.object?.names ?? []
            #expect(told.contains(String(status)), "\(method) \(path): \(status)")
          }
        }
      }
      #expect(try await desk.admin(.get, "/nothing").status == 404)
    }
  }

  @Test func `The admin interface's description has everything that was promised`() async throws {
    try await PlayedDesk.run { desk in
      let paths = try await desk.admin(.get, "/openapi.json").json["paths"]
      for (method, path) in [
        ("get", "state"), ("put", "state"), ("post", "reset"), ("post", "scenario"),
        ("get", "clock"), ("post", "clock"), ("get", "faults"), ("post", "faults"),
        ("delete", "faults"), ("get", "requests"), ("delete", "requests"), ("post", "verify"),
        ("post", "find"), ("get", "near-misses"), ("post", "record"), ("post", "replay"),
        ("get", "health"), ("get", "openapi.json"), ("post", "shutdown"),
      ] {
        #expect(paths?["/__admin/\(path)"]?[method] != nil, "\(method) \(path)")
      }
    }
  }

  @Test func `The admin interface's description is closed to pages from elsewhere`() async throws {
    try await PlayedDesk.run { desk in
      let stranger = try await desk.send(
        .post, "/__admin/reset", headers: ["Origin": "https://elsewhere.example"])
      #expect(stranger.status == 403)
    }
  }
}

@Suite struct `The journal` {
  private let ada = "23000000000001"

  @Test func `The journal shows neither token nor PIN, and lets both be matched`() async throws {
    try await PlayedDesk.run { desk in
      let token = try await desk.signIn().json["access_token"]?.string ?? ""
      #expect(token.count == 64)
      _ = try await desk.shelf(token)
      _ = try await desk.send(.get, "/titles?access_token=\(token)&x=1111")
      _ = try await desk.send(.post, "/loans", ["fields": [["name": "pin", "value": "9876"]]])
      _ = try await desk.send(.get, "/me.xml")
      _ = try await desk.send(.get, "/titles/\(token)/partner%2Fsecret%2B1")

      let bearer: JSONValue = ["headers": ["Authorization": .string("Bearer \(token)")]]
      let found = try await desk.admin(.post, "/find", bearer)
      #expect(found.json["requests"]?.array?.count == 1)
      let kept = try await desk.admin(.post, "/verify", ["match": bearer, "count": 1])
      #expect(kept.status == 200)
      let pin: JSONValue = ["match": ["bodyContains": "pin=1111"], "count": 1]
      #expect(try await desk.admin(.post, "/verify", pin).status == 200)
      let missed = try await desk.admin(
        .post, "/verify",
        ["match": ["operation": "shelf", "headers": ["authorization": "Bearer secretsecret"]]])
      #expect(missed.status == 422)
      let near = try await desk.admin(.get, "/near-misses?operation=shelf&method=POST")
      #expect(near.json["nearMisses"]?.array?.isEmpty == false)
      let journal = try await desk.admin(.get, "/requests")
      #expect(journal.json["total"] == 6)
      for answer in [found, kept, missed, near, journal] {
        for secret in [token, String(token.reversed()), "1111", "9876", "secretsecret", "partner"] {
          #expect(!answer.text.contains(secret), "\(secret) in \(answer.text)")
        }
      }
      #expect(journal.text.contains("Ada"))
      #expect(journal.text.contains(ada))
    }
  }

  @Test func `The journal is filtered by vendor, path and body`() async throws {
    try await PlayedDesk.run { desk in
      _ = try await desk.signIn()
      _ = try await desk.send(.get, "/titles")
      for (query, count) in [
        ("?provider=desk", 2), ("?provider=other", 0), ("?path=/tit", 1), ("?body=card%3D23", 1),
        ("?operation=titles", 1),
      ] as [(String, Int)] {
        #expect(try await desk.admin(.get, "/requests" + query).json["total"] == .integer(count))
      }
      #expect(try await desk.admin(.delete, "/requests").status == 204)
      #expect(try await desk.admin(.get, "/requests").json["total"] == 0)
    }
  }

  @Test func `The journal is verified by number and order, and tells what was different`()
    async throws
  {
    try await PlayedDesk.run { desk in
      for _ in 0..<2 { _ = try await desk.send(.get, "/titles?page=1") }
      _ = try await desk.signIn()
      let titles: JSONValue = ["operation": "titles"]
      for (member, number, status) in [
        ("count", 2, 200), ("count", 3, 422), ("atLeast", 2, 200), ("atLeast", 3, 422),
        ("atMost", 2, 200), ("atMost", 1, 422),
      ] as [(String, Int, Int)] {
        let answer = try await desk.admin(
          .post, "/verify", .object(["match": titles, member: .integer(number)]))
        #expect(answer.status == status, "\(member) \(number)")
      }
      let order = try await desk.admin(
        .post, "/verify", ["order": [titles, titles, ["operation": "sign-in"]]])
      #expect(order.status == 200)
      let wrong = try await desk.admin(
        .post, "/verify", ["order": [["operation": "sign-in"], titles]])
      #expect((wrong.status, wrong.json["found"]) == (422, 1))
      let missed = try await desk.admin(
        .post, "/verify", ["match": ["operation": "titles", "query": ["page": "2"]]])
      #expect(
        missed.json["nearMisses"]?[0]?["differences"]?[0]
          == ["field": "query.page", "expected": "2", "found": "1"])
    }
  }

  @Test func `The journal tells what chance decided about faults`() async throws {
    try await PlayedDesk.run { desk in
      var fault: JSONObject = ["name": "dice", "kind": "status", "status": 500]
      fault["probability"] = JSONValue(0.5)
      _ = try await desk.admin(.post, "/faults", .object(fault))
      _ = try await desk.admin(
        .post, "/faults", ["name": "slow", "kind": "latency", "milliseconds": 1, "jitter": 3])
      for _ in 0..<8 { _ = try await desk.send(.get, "/titles") }
      let requests = try await desk.admin(.get, "/requests").json["requests"]?.array ?? []
      let draws = requests.compactMap { $0["draws"]?[0] }
      #expect(draws.count == 8)
      #expect(Set(draws.map { $0["strikes"] }) == [true, false])
      for request in requests where request["draws"]?[0]?["strikes"] == true {
        #expect(request["reply"]?["status"] == 500)
      }
      let waits = requests.flatMap { $0["faults"]?.array ?? [] }.compactMap(\.string)
      #expect(waits.contains { $0.hasPrefix("slow: ") && $0.hasSuffix(" ms") })
    }
  }
}
