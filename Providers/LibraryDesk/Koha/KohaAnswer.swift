import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

/// One answer of the interface, not looked at yet.
struct KohaAnswer: Sendable {
  let status: Int
  let body: [UInt8]
  var retryAfter: Duration?
  /// How many entries the whole list has.
  var total: Int?

  init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }

  init(_ reply: Reply) {
    self.init(status: reply.status.code, body: reply.body)
    retryAfter = reply.retryAfter
    total = reply.headers["X-Total-Count"].flatMap { Int($0.trimmingBlanks) }
  }

  var json: JSONValue? { try? JSONValue(parsing: body, by: .tolerant) }
  var isSuccess: Bool { (200..<300).contains(status) }

  /// What it says of an error, in its own words.
  var complaint: String? { json?["error"]?.words }

  /// The word for programs, which newer versions send beside it.
  var code: String? { json?["error_code"]?.words }

  /// Whether the interface never looked at what was asked: a field has another name in this
  /// version.
  var isMisspelt: Bool { status == 400 && json?["errors"]?.array?.isEmpty == false }

  /// The document of a success, or the error.
  func document(_ operation: Circulation.Operation) throws(CirculationError) -> JSONValue {
    guard isSuccess else { throw failure(operation) }
    guard !body.isWebPage else {
      throw Failures.failure(.providerUnavailable, operation, says: "a web page")
    }
    guard let json else { throw Failures.malformed("JSON", operation) }
    return json
  }

  /// A yes that needs no document. A page for people is none.
  func nod(_ operation: Circulation.Operation) throws(CirculationError) {
    guard isSuccess else { throw failure(operation) }
    guard !body.isWebPage else {
      throw Failures.failure(.providerUnavailable, operation, says: "a web page")
    }
  }

  func failure(_ operation: Circulation.Operation) -> CirculationError {
    Failures.failure(reason, operation, says: says)
  }

  /// For support: the status, and the interface's own words where it has any.
  var says: String {
    "HTTP \(status)" + (complaint.map { ": \(Failures.shown($0))" } ?? "")
  }

  /// What a status means where nothing nearer is known: the table of the README.
  private var reason: CirculationError.Reason {
    switch status {
    case 300..<400: .malformedResponse(expected: "an answer, not a redirect")
    // Our account, never the reader's card: that is proved by a call of its own.
    case 401: .notConfigured(what: "the account at the library's system")
    case 403: .notConfigured(what: "a permission of the account at the library's system")
    case 404, 405: .notConfigured(what: "endpoints.koha, which ends in /api/v1")
    case 429, 503: .providerBusy(retryAfter: retryAfter)
    case 400, 406, 415: .malformedResponse(expected: "an answer to what this version may be asked")
    default: .providerUnavailable
    }
  }
}
