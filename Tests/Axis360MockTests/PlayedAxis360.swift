import Axis360Mock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport

/// A mock on a free port for the length of one test, and a client that speaks to it as a vendor.
struct PlayedAxis360: Sendable {
  let house: MockHouse
  let base: String
  let client: Client

  static func run<R>(
    _ scenario: Scenario = .threeCards, _ body: (PlayedAxis360) async throws -> R
  ) async throws -> R {
    let house = MockHouse(scenario, seed: 1, dialects: [Axis360Dialect.dialect])
    return try await OpenHouse.run(house) { open in
      try await body(PlayedAxis360(house: house, base: open.base, client: open.client))
    }
  }

  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The code of the last verdict, in either language.
    var code: String? {
      if let verdict = json["status"] ?? json["Status"] { return verdict["Code"]?.string }
      return text.split(separator: "<code>").last.flatMap { part in
        text.contains("<code>") ? String(part.prefix { $0 != "<" }) : nil
      }
    }

    /// The texts of all elements of that name.
    func all(_ name: String) -> [String] {
      text.components(between: "<\(name)>", and: "</\(name)>")
    }
  }

  static let good =
    "YwBhAHIAcgBlAGwAbQBvAGMAawA6AG0AbwBjAGsALQB2AGUAbgBkAG8AcgAtAHMAZQBjAHIAZQB0ADoAZABlAG0AbwA="

  func send(_ method: HTTP.Method, _ target: String, _ headers: Headers = [:]) async throws
    -> Answer
  {
    let text = target.hasPrefix("http") ? target : base + "/Services/VendorAPI/" + target
    var request = HTTPClient.Request(method, try Address(text))
    (request.headers, request.redirects) = (headers, .returned)
    let reply = try await client.send(request)
    return Answer(status: reply.status.code, headers: reply.headers, body: reply.body)
  }

  func signIn(_ basic: String = good) async throws -> Answer {
    try await send(.post, "accesstoken", ["Authorization": "Basic \(basic)"])
  }

  func token() async throws -> String {
    try await signIn().json["access_token"]?.string ?? ""
  }

  func get(_ target: String) async throws -> Answer { try await ask(.get, target) }
  func post(_ target: String) async throws -> Answer { try await ask(.post, target) }

  private func ask(_ method: HTTP.Method, _ target: String) async throws -> Answer {
    let token = try await token()
    return try await send(
      method, target, ["Authorization": "Bearer \(token)", "Library": "demo"])
  }

  /// The ids of the shelf, in the order of the catalogue.
  var ids: [String] {
    house.main.withState { $0.library("demo", of: "axis360")?.lending.order ?? [] }
  }

  func turn(_ name: String, _ value: JSONValue) {
    house.main.withState { state in
      _ = state.change("demo", of: "axis360") { library, _ in library.settings[name] = value }
    }
  }

  func advance(_ milliseconds: Int64) {
    house.main.withState { ClockStep.advance(milliseconds: milliseconds).apply(to: &$0) }
  }
}

extension String {
  func components(between open: String, and close: String) -> [String] {
    split(separator: open, omittingEmptySubsequences: false).dropFirst().map { part in
      part.firstRange(of: close).map { String(part[..<$0.lowerBound]) } ?? ""
    }
  }
}

let ada = "23000000000001"
let bruno = "23000000000002"
let chinua = "23000000000003"
