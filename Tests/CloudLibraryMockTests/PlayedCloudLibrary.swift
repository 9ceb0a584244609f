import CloudLibraryMock
import Crypto
import HTTP
import HTTPClient
import Markup
import MockKit
import MockSupport
import Secrets
import XML

/// A mock on a free port for the length of one test, and a client that signs as a partner does.
struct PlayedCloudLibrary: Sendable {
  let house: MockHouse
  let base: String
  let client: Client
  var library = "qs7tmf"
  var account = "library.quayside"
  var key = "quayside-mock-key"
  /// By how much the client's clock is ahead, in milliseconds.
  var ahead: Int64 = 0

  static func run<R>(
    _ scenario: Scenario = .threeCards, _ body: (PlayedCloudLibrary) async throws -> R
  ) async throws -> R {
    let house = MockHouse(scenario, dialects: [CloudLibraryDialect.dialect])
    return try await OpenHouse.run(house) { open in
      try await body(PlayedCloudLibrary(house: house, base: open.base, client: open.client))
    }
  }

  /// The library whose readers have no PIN, on a server of the older kind.
  var hillcrest: PlayedCloudLibrary {
    var other = self
    (other.library, other.account, other.key) = ("h4tmf", "library.hillcrest", "hillcrest-mock-key")
    return other
  }

  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The texts of all elements of that name, whatever their depth.
    func all(_ name: String) -> [String] {
      guard let document = try? XMLDocument(body) else { return [] }
      let own = document.root.name.local == name ? [document.root.text] : []
      return own + document.root.descendants(named: name).map(\.text)
    }

    var message: String? { all("Message").first }
  }

  func ask(
    _ method: HTTP.Method, _ rest: String, body: String = "", headers more: Headers = [:],
    signedFor other: String? = nil
  ) async throws -> Answer {
    let path = "/cirrus/library/\(library)\(rest)"
    let now = house.main.withState { $0.now } + ahead
    let date = now.httpDate.description
    let signed = "\(date)\n\(method.rawValue)\n\(other ?? path)"
    let mac = Digest.sha256.authenticate(Array(signed.utf8), key: Secret(key))
    var request = HTTPClient.Request(method, try Address(base + path))
    request.headers.set("3mcl-Datetime", date)
    request.headers.set(
      "3mcl-Authorization", "3MCLAUTH \(account):\(Base64.standard.encode(mac))")
    for field in more.fields { request.headers.set(field.name, field.value) }
    request.redirects = .returned
    if !body.isEmpty { request.body = .bytes(Array(body.utf8)) }
    let reply = try await client.send(request)
    return Answer(status: reply.status.code, headers: reply.headers, body: reply.body)
  }

  func get(_ rest: String) async throws -> Answer { try await ask(.get, rest) }

  /// A command for a reader; `pin` goes where the service wants it.
  func order(
    _ path: String, _ root: String, _ item: String, _ card: String = ada, pin: String? = "1111",
    _ method: HTTP.Method = .put
  ) async throws -> Answer {
    try await ask(
      method, path + (pin.map { "?password=\($0)" } ?? ""),
      body: "<\(root)><ItemId>\(item)</ItemId><PatronId>\(card)</PatronId></\(root)>")
  }

  func checkOut(_ item: String, _ card: String = ada, pin: String? = "1111") async throws -> Answer
  {
    try await order("/checkout", "CheckoutRequest", item, card, pin: pin)
  }

  func checkIn(_ item: String, _ card: String = ada) async throws -> Answer {
    try await order("/checkin", "CheckinRequest", item, card, pin: nil)
  }

  func placeHold(_ item: String, _ card: String = ada, pin: String? = "1111") async throws -> Answer
  {
    try await order("/placehold", "PlaceHoldRequest", item, card, pin: pin)
  }

  func cancelHold(_ item: String, _ card: String = ada) async throws -> Answer {
    try await order("/cancelhold", "CancelHoldRequest", item, card, pin: nil)
  }

  /// The ids of this library's shelf, in catalogue order.
  var ids: [String] {
    house.main.withState { $0.library(library, of: "cloudlibrary")?.lending.order ?? [] }
  }

  func change(_ edit: @Sendable (inout MockLibrary, Moment) -> Void) {
    house.main.withState { _ = $0.change(library, of: "cloudlibrary", edit) }
  }

  func advance(_ milliseconds: Int64) {
    house.main.withState { ClockStep.advance(milliseconds: milliseconds).apply(to: &$0) }
  }
}

let ada = "23000000000001"
let bruno = "23000000000002"
let chinua = "23000000000003"
