import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import OverDriveMock

/// A mock on a free port for the length of one test, and a client that speaks to it as a partner.
struct PlayedOverDrive: Sendable {
  let house: MockHouse
  let base: String
  let client: Client

  static func run<R>(
    _ scenario: Scenario = .threeCards, seed: UInt64 = 1,
    _ body: (PlayedOverDrive) async throws -> R
  ) async throws -> R {
    let house = MockHouse(scenario, seed: seed, dialects: [OverDriveDialect.dialect])
    return try await OpenHouse.run(house) { open in
      try await body(PlayedOverDrive(house: house, base: open.base, client: open.client))
    }
  }

  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let body: [UInt8]
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var code: String? { json["errorCode"]?.string ?? json["error"]?.string }
  }

  func send(
    _ method: HTTP.Method, _ path: String, token: String? = nil, json: JSONValue? = nil,
    form: FormFields? = nil, headers: Headers = [:]
  ) async throws -> Answer {
    let text = path.hasPrefix("http") ? path : base + path
    var request = HTTPClient.Request(
      method,
      try Address(
        text.replacing(" ", with: "%20").replacing("{", with: "%7B").replacing("}", with: "%7D")))
    request.headers = headers
    request.redirects = .returned
    if let token { request.headers.set("Authorization", "Bearer \(token)") }
    if let json {
      request.headers.set("Content-Type", "application/json; charset=utf-8")
      request.body = .bytes(json.bytes())
    }
    if let form {
      request.headers.set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
      request.headers.set("Authorization", "Basic Q0FSUkVMTU9DSzptb2NrLXNlY3JldA==")
      request.body = .bytes(Array(form.encoded.utf8))
    }
    let reply = try await client.send(request)
    return Answer(status: reply.status.code, headers: reply.headers, body: reply.body)
  }

  func clientToken() async throws -> String {
    let answer = try await send(.post, "/token", form: ["grant_type": "client_credentials"])
    return answer.json["access_token"]?.string ?? ""
  }

  func signIn(
    _ card: String = ada, _ pin: String = "1111",
    scope: String = "websiteid:100300 authorizationname:mockville", extra: FormFields = [:]
  ) async throws -> Answer {
    var form: FormFields = [
      "grant_type": "password", "username": card, "password": pin, "scope": scope,
    ]
    for field in extra.fields { form.add(field.name, field.value) }
    return try await send(.post, "/patrontoken", form: form)
  }

  func patronToken(_ card: String = ada, _ pin: String = "1111") async throws -> String {
    try await signIn(card, pin).json["access_token"]?.string ?? ""
  }

  /// The ids of the consortium's shelf, in catalogue order.
  var ids: [String] {
    house.main.withState { $0.library("4225", of: "overdrive")?.lending.order ?? [] }
  }

  var collection: String {
    house.main.withState {
      $0.library("4225", of: "overdrive")?.settings["collection_token"]?.string ?? ""
    }
  }

  func advance(_ days: Int64) {
    house.main.withState { state in
      ClockStep.advance(milliseconds: days * LendingRules.day).apply(to: &state)
    }
  }

  func borrow(_ id: String, _ token: String) async throws -> Answer {
    try await send(
      .post, "/v1/patrons/me/checkouts", token: token,
      json: ["fields": [["name": "reserveId", "value": .string(id)]]])
  }

  func hold(_ id: String, _ token: String) async throws -> Answer {
    try await send(
      .post, "/v1/patrons/me/holds", token: token,
      json: [
        "fields": [
          ["name": "reserveId", "value": .string(id)],
          ["name": "ignoreHoldEmail", "value": "true"],
        ]
      ])
  }
}

let ada = "23000000000001"
let bruno = "23000000000002"
let chinua = "23000000000003"
