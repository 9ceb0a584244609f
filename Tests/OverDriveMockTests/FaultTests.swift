import HTTP
import HTTPClient
import JSON
import MockKit
import Testing

@Suite struct `A mock that misbehaves on purpose` {
  private func fault(_ fields: JSONObject, _ played: PlayedOverDrive) async throws {
    var object = fields
    if object["name"] == nil { object["name"] = "test" }
    let answer = try await played.send(.post, "/__admin/faults", json: .object(object))
    #expect(answer.status == 201)
  }

  @Test func `the OverDrive mock repeats a fault as often as told, with the vendor's error body`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      try await fault(
        ["kind": "status", "status": 500, "operation": "library", "count": "first 2"], played)
      var codes: [Int] = []
      for _ in 0..<3 {
        codes.append(try await played.send(.get, "/v1/libraries/4225", token: token).status)
      }
      #expect(codes == [500, 500, 200])
      try await fault(["kind": "rate-limit", "retryAfter": 7], played)
      let limited = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect((limited.status, limited.headers["Retry-After"]) == (429, "7"))
      #expect(limited.code != nil)
    }
  }

  @Test(arguments: [
    "malformed", "wrong-type", "empty", "truncate", "garbage", "gateway-page", "wrong-charset",
  ])
  func `A mock that misbehaves on purpose spoils a body`(_ kind: String) async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      try await fault(["kind": .string(kind)], played)
      let answer = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect(answer.status == 200)
      #expect(answer.json == .null)
    }
  }

  @Test(arguments: [
    "reset", "reset-after", "refuse", "limit-bytes", "cut", "wrong-length",
  ])
  func `A mock that misbehaves on purpose breaks a connection`(_ kind: String) async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      try await fault(
        ["kind": .string(kind), "bytes": 5, "percent": 50, "operation": "library"], played)
      await #expect(throws: TransportError.self) {
        try await played.send(.get, "/v1/libraries/4225", token: token)
      }
    }
  }

  @Test(arguments: ["slicer", "slow-close", "bandwidth", "latency"])
  func `A mock that misbehaves on purpose delivers slowly and yet whole`(_ kind: String)
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      let fields: JSONObject = [
        "kind": .string(kind), "bytes": 100, "milliseconds": 5, "bytesPerSecond": 1_000_000,
      ]
      try await fault(fields, played)
      let answer = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect(answer.json["id"] == 4225)
    }
  }

  @Test func `A mock that misbehaves on purpose changes the shape of a document and keeps it one`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      try await fault(["kind": "wrong-shape"], played)
      let reshaped = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect(reshaped.json["formats"]?["id"] != nil)
      #expect(reshaped.json["links"]?.array?.count == 1)
      try await fault(["kind": "wrong-scalar"], played)
      let respelled = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect(respelled.json["id"] == "4225")
      #expect(respelled.json["name"]?.integer != nil)
      try await fault(["kind": "padded", "bytes": 100_000], played)
      let padded = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect(padded.body.count > 100_000)
      #expect(padded.json["id"] == 4225)
      try await fault(["kind": "one-text", "bytes": 70_000], played)
      let text = try await played.send(.get, "/v1/libraries/4225", token: token)
      #expect(text.json.string?.count == 70_000)
    }
  }

  @Test
  func `the OverDrive mock can redirect a request or fail after carrying it out`() async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken()
      try await fault(["kind": "redirect", "to": "http://elsewhere.example/"], played)
      let moved = try await played.borrow(played.ids[0], token)
      #expect((moved.status, moved.headers["Location"]) == (302, "http://elsewhere.example/"))
      try await fault(["kind": "status-after", "status": 500], played)
      #expect(try await played.borrow(played.ids[0], token).status == 500)
      _ = try await played.send(.delete, "/__admin/faults")
      let list = try await played.send(.get, "/v1/patrons/me/checkouts", token: token)
      #expect(list.json["totalItems"] == 1)
    }
  }

  @Test func `A mock that misbehaves on purpose carries a request out twice, or before the break`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken()
      try await fault(["kind": "duplicate", "operation": "checkOut"], played)
      #expect(try await played.borrow(played.ids[0], token).code == "TitleAlreadyCheckedOut")
      _ = try await played.send(.delete, "/__admin/faults")
      try await fault(["kind": "reset-after", "operation": "checkOut"], played)
      await #expect(throws: TransportError.self) { try await played.borrow(played.ids[1], token) }
      let list = try await played.send(.get, "/v1/patrons/me/checkouts", token: token)
      #expect(list.json["totalItems"] == 2)
    }
  }

  @Test func `A mock that misbehaves on purpose lags behind, forgets a token, and mixes a list`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken()
      let path = "/v1/patrons/me/checkouts"
      _ = try await played.send(.get, path, token: token)
      _ = try await played.borrow(played.ids[0], token)
      try await fault(["kind": "stale", "operation": "checkouts"], played)
      #expect(try await played.send(.get, path, token: token).json["totalItems"] == 0)
      try await fault(["kind": "reorder", "operation": "products"], played)
      let products = "/v1/collections/\(played.collection)/products"
      let mixed = try await played.send(.get, products, token: token)
      #expect(mixed.json["products"]?[0]?["id"]?.string != played.ids[0])
      try await fault(["kind": "token-expired", "count": "first 1"], played)
      #expect(try await played.send(.get, path, token: token).status == 401)
    }
  }
}

@Suite struct `The admin interface` {
  @Test func `The admin interface verifies what was asked and explains what was not`() async throws
  {
    try await PlayedOverDrive.run { played in
      _ = try await played.borrow(played.ids[0], try await played.patronToken())
      let kept = try await played.send(
        .post, "/__admin/verify", json: ["match": ["operation": "checkOut"], "count": 1])
      #expect(kept.status == 200)
      let order = try await played.send(
        .post, "/__admin/verify",
        json: ["order": [["operation": "patronToken"], ["operation": "checkOut", "status": 201]]])
      #expect(order.status == 200)
      let missed = try await played.send(
        .post, "/__admin/verify",
        json: ["match": ["operation": "checkOut", "status": 400], "atLeast": 1])
      #expect(missed.status == 422)
      let difference = missed.json["nearMisses"]?[0]?["differences"]?[0]
      #expect(difference == ["field": "status", "expected": 400, "found": 201])
      let slip = try await played.send(.post, "/__admin/find", json: ["operatoin": "x"])
      #expect(slip.status == 400)
    }
  }

  @Test func `The admin interface moves the clock, the Date field and everything due with it`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken()
      _ = try await played.borrow(played.ids[0], token)
      let moved = try await played.send(.post, "/__admin/clock", json: ["advance": "21d"])
      #expect(moved.json["now"] == "2026-04-06T09:00:00Z")
      let state = try await played.send(.get, "/__admin/state")
      let loans = state.json["libraries"]?[0]?["loans"]?.array ?? []
      #expect(!loans.contains { $0["card"]?.string == ada })
      let late = try await played.send(.get, "/v1/patrons/me", token: token)
      #expect(late.headers["Date"] == "Mon, 06 Apr 2026 09:00:00 GMT")
    }
  }

  @Test func `The admin interface keeps tenants apart, by header and by path`() async throws {
    try await PlayedOverDrive.run { played in
      _ = try await played.send(
        .post, "/__tenant/two/__admin/clock", json: ["set": "2030-01-01T00:00:00Z"])
      let two = try await played.send(
        .get, "/__admin/clock", headers: [MockHouse.tenantHeader: "two"])
      #expect(two.json["now"] == "2030-01-01T00:00:00Z")
      #expect(try await played.send(.get, "/__admin/clock").json["now"] == "2026-03-16T09:00:00Z")
      let ready = try await played.send(.get, "/__tenant/two/__admin/ready")
      #expect(ready.json["base"]?.string == played.base + "/__tenant/two")
    }
  }

  @Test func `The admin interface changes the shelves and goes back to the beginning`() async throws
  {
    try await PlayedOverDrive.run { played in
      let change: JSONValue = [
        "libraries": [
          [
            "id": "4225", "cards": [["card": .string(ada), "block": "fines"]],
            "titles": [["id": .string(played.ids[0]), "copies": 0]],
          ]
        ]
      ]
      #expect(try await played.send(.put, "/__admin/state", json: change).status == 200)
      #expect(try await played.signIn().code == "unauthorized_client")
      #expect(try await played.send(.post, "/__admin/reset").status == 200)
      #expect(try await played.signIn().status == 200)
      let begun = try await played.send(
        .post, "/__admin/scenario", json: ["name": "fines", "seed": 9])
      #expect(begun.json["scenario"] == "fines")
    }
  }
}
