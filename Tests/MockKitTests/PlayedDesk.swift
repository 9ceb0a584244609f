import HTTP
import HTTPClient
import HTTPServer
import JSON
import MockKit
import MockSupport

/// A small vendor of the tests' own: a form to sign in, a shelf behind a token, and some XML.
enum Desk {
  static let dialect = Dialect(
    name: "desk", libraries: libraries,
    operation: { request in
      ["sign-in", "titles", "shelf", "loans", "me.xml"].contains(request.path.first ?? "")
        ? request.path[0] : nil
    },
    answer: answer,
    failure: { status, _ in
      .bytes(JSONValue.object(["desk": .integer(status.code)]).bytes(), .json, status: status)
    })

  @Sendable private static func libraries(_ scenario: Scenario, _ seed: UInt64, _ now: Moment)
    -> [MockLibrary]
  {
    var lending = LendingLibrary()
    for card in scenario.cards { lending.add(card) }
    for index in 0..<scenario.titles {
      lending.add(SeededTitles(seed: seed).title(index, addedBefore: now))
    }
    scenario.arrange(&lending, now)
    return [
      MockLibrary(
        id: "1", provider: "desk", name: "Desk", lending: lending,
        settings: ["client_secret": "partner/secret+1"])
    ]
  }

  @Sendable private static func answer(_ request: MockRequest, _ state: inout WorldState)
    -> Response
  {
    let lending = state.libraries[0].lending
    switch request.path.first {
    case "sign-in":
      let (card, pin) = (request.form["card"] ?? "", request.form["pin"] ?? "")
      guard (try? lending.signIn(card: card, pin: pin, at: state.now)) != nil else {
        return json(["error": "refused"], .unauthorized)
      }
      let token = state.tokens.issue(
        "patron", library: "1", card: card, expires: state.now + LendingRules.day)
      var response = json([
        "access_token": .string(token.text), "shelf": .string(request.base + "/shelf"),
      ])
      response.headers.set("Set-Cookie", "sid=\(token.text.reversed())")
      return response
    case "titles":
      return json(["titles": .array(lending.order.prefix(20).map(JSONValue.string))])
    case "me.xml":
      return .text("<me><barcode>23000000000001</barcode><pin>1111</pin><n>Ada</n></me>", .xml)
    default: return shelf(request, &state)
    }
  }

  private static func shelf(_ request: MockRequest, _ state: inout WorldState) -> Response {
    let token = state.tokens.valid(request.bearer ?? "", as: "patron", at: state.now)
    guard let card = token?.card else { return json(["error": "no token"], .unauthorized) }
    if let title = request.json?["title"]?.string {
      let now = state.now
      guard (try? state.libraries[0].lending.borrow(title, by: card, at: now)) != nil else {
        return json(["error": "not lent"], .conflict)
      }
    }
    let loans = state.libraries[0].lending.loans(by: card).map(\.title)
    return json(["card": .string(card), "loans": .array(loans.map(JSONValue.string))])
  }

  private static func json(_ value: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(value.bytes(), .json, status: status)
  }
}

/// The desk on a free port for the length of one test.
struct PlayedDesk: Sendable {
  let house: MockHouse
  let base: String
  let client: Client

  static func run<R>(
    _ scenario: Scenario = .threeCards, seed: UInt64 = 1, recordings: String? = nil,
    _ body: (PlayedDesk) async throws -> R
  ) async throws -> R {
    let house = MockHouse(
      scenario, seed: seed, dialects: [Desk.dialect],
      recordings: recordings.map { RecordingFolder($0) })
    return try await OpenHouse.run(house) { open in
      try await body(PlayedDesk(house: house, base: open.base, client: open.client))
    }
  }

  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
  }

  @discardableResult func send(
    _ method: HTTP.Method, _ path: String, _ json: JSONValue? = nil, form: FormFields? = nil,
    headers: Headers = [:], within limit: Duration = .seconds(20)
  ) async throws -> Answer {
    var request = HTTPClient.Request(method, try Address(base + path))
    request.headers = headers
    request.redirects = .returned
    request.deadline = .at(.now + limit)
    if let json {
      request.headers.set("Content-Type", "application/json")
      request.body = .bytes(json.bytes())
    }
    if let form {
      request.headers.set("Content-Type", "application/x-www-form-urlencoded")
      request.body = .bytes(Array(form.encoded.utf8))
    }
    let reply = try await client.send(request)
    return Answer(status: reply.status.code, headers: reply.headers, body: reply.body)
  }

  func admin(_ method: HTTP.Method, _ path: String, _ json: JSONValue? = nil) async throws -> Answer
  {
    try await send(method, "/__admin" + path, json)
  }

  func signIn(_ card: String = "23000000000001", _ pin: String = "1111") async throws -> Answer {
    try await send(.post, "/sign-in", form: ["card": card, "pin": pin])
  }

  func shelf(_ token: String) async throws -> Answer {
    try await send(.get, "/shelf", headers: ["Authorization": "Bearer \(token)"])
  }
}
