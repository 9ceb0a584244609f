import Crypto
import HTTP
import HTTPClient
import JSON
import Markup
import MockKit
import MockSupport
import XML

@testable import OPDSMock

/// A mock on a free port for the length of one test, and a client that reads catalogues.
struct PlayedOPDS: Sendable {
  let house: MockHouse
  let base: String
  let client: Client
  var library = "lantern"

  static func run<R>(
    _ scenario: Scenario = .threeCards, _ library: String = "lantern",
    _ body: (PlayedOPDS) async throws -> R
  ) async throws -> R {
    let house = MockHouse(scenario, seed: 1, dialects: [OPDSDialect.dialect])
    return try await OpenHouse.run(house) { open in
      try await body(
        PlayedOPDS(house: house, base: open.base, client: open.client, library: library))
    }
  }

  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var type: String { headers["Content-Type"] ?? "" }
    /// The last word of a problem's type.
    var problem: String? {
      json["type"]?.string?.split(separator: "/").last.map(String.init)
    }

    func root() throws -> Element { try XMLDocument(body).root }
  }

  func send(
    _ method: HTTP.Method, _ target: String, _ headers: Headers = [:], body: [UInt8] = []
  ) async throws -> Answer {
    let text = target.hasPrefix("http") ? target : "\(base)/\(library)/\(target)"
    var request = HTTPClient.Request(method, try Address(text))
    (request.headers, request.redirects) = (headers, .returned)
    if !body.isEmpty { request.body = .bytes(body) }
    let reply = try await client.send(request)
    return Answer(status: reply.status.code, headers: reply.headers, body: reply.body)
  }

  func get(_ target: String, _ headers: Headers = [:]) async throws -> Answer {
    try await send(.get, target, headers)
  }

  /// As a reader with a card.
  func mine(_ target: String, _ method: HTTP.Method = .get, as card: String = ada) async throws
    -> Answer
  {
    try await send(method, target, Self.basic(card, pins[card] ?? ""))
  }

  static func basic(_ card: String, _ pin: String) -> Headers {
    ["Authorization": "Basic \(Base64.standard.encode(Array("\(card):\(pin)".utf8)))"]
  }

  func borrow(_ index: Int, _ more: String = "", as card: String = ada) async throws -> Answer {
    try await mine(work(index) + "/borrow" + more, .put, as: card)
  }

  func work(_ index: Int) -> String { "works/URI/urn:uuid:\(ids[index])" }

  /// The ids of the shelf, in the order of the catalogue.
  var ids: [String] { lending.order }

  var lending: LendingLibrary {
    house.main.withState { $0.library(library, of: OPDSDialect.name)?.lending ?? LendingLibrary() }
  }

  func turn(_ name: String, _ value: JSONValue) {
    house.main.withState { state in
      _ = state.change(library, of: OPDSDialect.name) { library, _ in library.settings[name] = value
      }
    }
  }

  func turn(_ quirks: Quirk...) {
    turn("quirks", .array(quirks.map { .string($0.rawValue) }))
  }

  func inside(_ act: @Sendable (inout LendingLibrary, Moment) -> Void) {
    house.main.withState { state in
      _ = state.change(library, of: OPDSDialect.name) { library, now in act(&library.lending, now) }
    }
  }

  func advance(_ milliseconds: Int64) {
    house.main.withState { ClockStep.advance(milliseconds: milliseconds).apply(to: &$0) }
  }
}

extension Element {
  func all(_ name: String) -> [Element] {
    children.compactMap { child in
      if case .element(let element) = child, element.name.local == name { return element }
      return nil
    }
  }

  func first(_ name: String) -> Element? { all(name).first }

  subscript(_ name: String) -> String? {
    attributes.first { $0.name.local == name }?.value
  }

  func link(_ rel: String) -> Element? { all("link").first { $0["rel"] == rel } }

  func href(_ rel: String) -> String { link(rel)?["href"] ?? "" }

  var words: String {
    children.map { child in
      switch child {
      case .text(let text): text
      case .element(let element): element.words
      }
    }.joined()
  }
}

extension JSONValue {
  func link(_ rel: String) -> JSONValue? {
    self["links"]?.array?.first { $0["rel"]?.string == rel }
  }

  func href(_ rel: String) -> String { link(rel)?["href"]?.string ?? "" }
}

let ada = "23000000000001"
let bruno = "23000000000002"
let chinua = "23000000000003"
let pins = [ada: "1111", bruno: "2222", chinua: "3333"]
