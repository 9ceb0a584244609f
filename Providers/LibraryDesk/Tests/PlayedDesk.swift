import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import Machine
import ProviderKit
import Secrets
import Synchronization

@testable import LibraryDesk

/// A library's system of prepared answers, and a note of what it was asked.
final class PlayedDesk: Sendable {
  struct Asked: Sendable {
    let method: String
    let path: String
    let query: FormFields
    let body: String
    let headers: Headers
  }

  typealias Answer = @Sendable (Asked) -> (Int, String)

  private let notes = Mutex<[Asked]>([])
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  /// What was asked, without the questions for a token.
  var asked: [Asked] { notes.withLock { $0 }.filter { $0.path != "/api/v1/oauth/token" } }
  var lines: [String] { asked.map { "\($0.method) \($0.path)" } }

  static let now = Date(timeIntervalSince1970: 1_774_000_000)

  func desk(
    _ settings: [String: String], secrets: [String: String] = [:], card: String? = nil,
    pin: String? = nil, endpoints: [String: String] = [:]
  ) throws -> LibraryDeskProvider {
    let clock = SessionClock(
      now: { .now }, date: { Self.now }, sleep: { _ throws(CancellationError) in })
    let session = Session(
      provider: LibraryDeskProvider.listing.id,
      transport: Transport(send: { [self] request in reply(to: request) }), clock: clock,
      chance: { 0 })
    var given: [String: Secret] = [:]
    given["card"] = card.map { Secret($0) }
    given["pin"] = pin.map { Secret($0) }
    let provider = try LibraryDeskProvider.listing.make(
      try Self.library(settings, secrets: secrets, endpoints: endpoints),
      given.isEmpty ? nil : Credentials(given), session)
    guard let desk = provider as? LibraryDeskProvider else { throw NoDesk() }
    return desk
  }

  struct NoDesk: Error {}

  static func library(
    _ settings: [String: String], secrets: [String: String] = [:], endpoints: [String: String] = [:]
  ) throws -> Library {
    let usual = [
      "koha": "https://ils.example/api/v1", "sru": "https://ils.example/sru",
      "patron_api": "https://ils.example/PATRONAPI", "kansas": "https://ils.example/authorize",
      "sirsidynix": "https://ils.example/ws",
    ]
    return Library(
      id: LibraryID("town"), provider: LibraryDeskProvider.listing.id, name: "Town",
      endpoints: try usual.merging(endpoints) { $1 }.mapValues { try Address($0) },
      settings: settings, secrets: secrets.mapValues { Secret($0) }, zone: Zone(named: "Etc/UTC"))
  }

  private func reply(to request: HTTPClient.Request) -> Reply {
    var body: [UInt8] = []
    if case .bytes(let bytes) = request.body { body = bytes }
    let asked = Asked(
      method: request.method.rawValue, path: request.address.path,
      query: FormFields(parsing: request.address.query ?? ""),
      body: String(decoding: body, as: UTF8.self), headers: request.headers)
    notes.withLock { $0.append(asked) }
    let (status, text) = answer(asked)
    return Reply(
      head: ReplyHead(status: Status(status), headers: [:]), body: Array(text.utf8),
      address: request.address)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(60), requestID: "r") }
}

extension PlayedDesk {
  static let koha = [
    "sign_in": "koha", "titles": "koha", "holds": "koha", "koha_user": "carrel",
  ]
  static let kohaSecrets = ["koha_password": "staff-word"]

  /// A system that knows one reader and nothing else; what it is asked besides, the test answers.
  static func town(_ more: @escaping @Sendable (Asked) -> (Int, String)? = { _ in nil })
    -> PlayedDesk
  {
    PlayedDesk { asked in
      if let told = more(asked) { return told }
      switch "\(asked.method) \(asked.path)" {
      case "POST /api/v1/auth/password/validation":
        return asked.body.contains("\"4711\"")
          ? (201, #"{"cardnumber":"2300","patron_id":7,"userid":"ada"}"#)
          : (400, #"{"error":"Validation failed"}"#)
      case "GET /api/v1/patrons/7":
        return (200, Self.patron())
      case "GET /api/v1/holds", "GET /api/v1/checkouts", "GET /api/v1/items",
        "GET /api/v1/biblios":
        return (200, "[]")
      default: return (404, #"{"error":"Not found"}"#)
      }
    }
  }

  static func patron(_ more: String = "") -> String {
    """
    {"patron_id":7,"cardnumber":"2300","surname":"Lefèvre","firstname":"Émilie",
     "library_id":"CPL","category_id":"ADULT","expiry_date":"2027-01-31",
     "restricted":false,"patron_card_lost":false,"incorrect_address":false\(more)}
    """
  }

  func ada(_ more: [String: String] = [:]) throws -> LibraryDeskProvider {
    try desk(
      Self.koha.merging(more) { $1 }, secrets: Self.kohaSecrets, card: "2300", pin: "4711")
  }
}

/// The error that the work ends in.
func failure(_ work: () async throws -> Void) async -> CirculationError? {
  do {
    try await work()
    return nil
  } catch { return error as? CirculationError }
}
