import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import ProviderKit
import Secrets
import Synchronization
import Testing

@testable import OverDrive

/// A service of prepared answers, and a note of all it was asked. What nothing was prepared for is
/// answered as the real one answers: 404 with its error shape.
final class PlayedService: Sendable {
  struct Asked: Sendable {
    let route: String
    let host: String
    let query: FormFields
    let headers: Headers
    let body: String

    var form: FormFields { FormFields(parsing: body) }

    /// The named fields of circulation's bodies.
    var fields: [String: String] {
      let list = (try? JSONValue(parsing: body))?["fields"]?.array ?? []
      return Dictionary(
        list.compactMap { field in
          field["name"]?.string.map { ($0, field["value"]?.string ?? "") }
        }
      ) { _, last in last }
    }
  }

  private struct Answer {
    let status: Int
    let body: String
    let headers: Headers
  }

  private struct State {
    var answers: [String: [Answer]] = [:]
    var asked: [Asked] = []
    var date = Date(timeIntervalSince1970: 1_767_225_600)
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now

  /// Tokens, a library and a reader are there from the start.
  init() {
    on("POST /token", 200, #"{"access_token":"client","token_type":"bearer","expires_in":3600}"#)
    on("POST /patrontoken", 200, #"{"access_token":"reader","expires_in":"3600"}"#)
    on("GET /v1/libraries/4225", 200, #"{"id":4225,"name":"L","collectionToken":"public"}"#)
    on("GET /v1/patrons/me", 200, #"{"patronId":1,"collectionToken":"own","checkoutLimit":2}"#)
  }

  /// The next answer on this route; the last one stays.
  func on(_ route: String, _ status: Int, _ body: String = "", headers: Headers = [:]) {
    state.withLock {
      $0.answers[route, default: []].append(Answer(status: status, body: body, headers: headers))
    }
  }

  /// Instead of what was prepared there before.
  func replace(_ route: String, _ status: Int, _ body: String = "") {
    state.withLock { $0.answers[route] = nil }
    on(route, status, body)
  }

  func asked(_ route: String) -> [Asked] {
    state.withLock { $0.asked }.filter { $0.route == route }
  }

  var routes: [String] { state.withLock { $0.asked.map(\.route) } }

  func pass(_ seconds: Double) { state.withLock { $0.date.addTimeInterval(seconds) } }

  private func answer(_ request: HTTPClient.Request) -> Reply {
    var body = ""
    if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
    let asked = Asked(
      route: "\(request.method.rawValue) \(request.address.path)",
      host: request.address.host.text, query: FormFields(parsing: request.address.query ?? ""),
      headers: request.headers, body: body)
    let answer = state.withLock { state -> Answer in
      state.asked.append(asked)
      guard let left = state.answers[asked.route], let first = left.first else {
        return Answer(
          status: 404, body: #"{"errorCode":"NotFound","message":"m","token":"t"}"#, headers: [:])
      }
      if left.count > 1 { state.answers[asked.route]?.removeFirst() }
      return first
    }
    return Reply(
      head: ReplyHead(status: Status(answer.status), headers: answer.headers),
      body: Array(answer.body.utf8), address: request.address)
  }

  // MARK: - The adapter in front of it

  /// The date, and with it the clock that tokens end by, moves by `pass` alone.
  func session() -> Session {
    let begin = state.withLock { $0.date }
    let clock = SessionClock(
      now: { [self] in
        start + .seconds(state.withLock { $0.date.timeIntervalSince(begin) })
      }, date: { [self] in state.withLock { $0.date } },
      sleep: { _ throws(CancellationError) in })
    return Session(
      provider: ProviderID("overdrive"), transport: Transport(send: { [self] in answer($0) }),
      clock: clock, chance: { 0 })
  }

  static func library(_ settings: [String: String] = [:]) throws -> Library {
    let usual = [
      "library_id": "4225", "website_id": "100300", "authorization_name": "mockville",
    ]
    return Library(
      id: LibraryID("l"), provider: ProviderID("overdrive"), name: "L",
      endpoints: [
        "discovery": try Address("https://api.overdrive.com"),
        "patron": try Address("https://patron.api.overdrive.com"),
        "oauth": try Address("https://oauth.overdrive.com"),
        "patron_oauth": try Address("https://oauth-patron.overdrive.com"),
      ], settings: usual.merging(settings) { _, new in new },
      secrets: ["client_key": Secret("CARREL"), "client_secret": Secret("s3cret")])
  }

  static let card = Credentials(["card": Secret("23000000000001"), "pin": Secret("1111")])

  /// For the usual reader where none is named.
  func adapter(
    _ settings: [String: String] = [:], as reader: Credentials? = PlayedService.card,
    over session: Session? = nil
  ) throws -> OverDriveProvider {
    OverDriveProvider(
      settings: try Settings(try Self.library(settings), reader),
      session: session ?? self.session())
  }

  /// Its end lies behind whatever a test lets pass.
  var call: Call { Call(patron: nil, deadline: .now + .seconds(9_000_000), requestID: "r") }
}

/// The reason of what the work ended with.
func reason(_ work: () async throws -> some Sendable) async -> CirculationError.Reason? {
  do { _ = try await work() } catch { return (error as? CirculationError)?.reason }
  return nil
}

/// Ids of the tests, as discovery spells them.
enum Titles {
  static let one = ItemID("76c1b7d0-17f4-4c05-8397-c66c17411584")
  static let two = ItemID("8b0f1552-4677-4fec-8ce4-8466cfd47e17")
}

extension ItemID {
  /// As circulation spells it.
  var upper: String { rawValue.uppercased() }
}

/// Short ways into the translation.
enum Read {
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  static func availability(_ text: String, advantage: Int? = nil) throws -> Availability {
    try #require(WireAvailability(try json(text))).availability(asOf: now, advantage: advantage)
  }

  static func edition(_ text: String) throws -> Edition {
    try #require(WireMetadata(try json(text))).edition()
  }

  static func loan(_ text: String) throws -> Loan {
    try #require(WireCheckout(try json(text))).loan(asOf: now)
  }

  static func hold(_ text: String) throws -> Hold {
    try #require(WireHold(try json(text))).hold()
  }
}
