import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

/// One answer of the service, not looked at yet.
struct Answer: Sendable {
  let status: Int
  let body: [UInt8]
  var retryAfter: Duration?
  var location: String?

  init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }

  init(_ reply: Reply) {
    self.init(status: reply.status.code, body: reply.body)
    retryAfter = reply.retryAfter
    location = reply.headers["Location"]
  }

  var json: JSONValue? { try? JSONValue(parsing: body, by: .tolerant) }
  var isSuccess: Bool { (200..<300).contains(status) }

  /// A page for people in place of a document.
  var isPage: Bool { body.isWebPage }

  /// Strangers are sent to the door, and told of a private log that it is private (§2).
  var needsSignIn: Bool {
    switch status {
    case 401: true
    case 300..<400: leadsToSignIn
    case 403: json?["error"]?.words?.lowercased().holds("private") == true
    default: false
    }
  }

  var leadsToSignIn: Bool { location?.holds("/account/login") == true }
}

enum Documents: DocumentReading {
  static let provider = OpenLibraryProvider.listing.id

  /// The document, unless it says that something is wrong, which it may do with status 200 (§6).
  static func object(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    let json = answer.isPage ? nil : answer.json
    let word = json?["error"]?.words
    guard answer.isSuccess, word == nil else {
      throw failure(
        Failures.reason(answer, word), operation,
        says: word.flatMap(quoted) ?? "HTTP \(answer.status)")
    }
    guard let json, json.object != nil else {
      guard !answer.isPage else {
        throw failure(.providerUnavailable, operation, says: "a web page")
      }
      throw malformed("a document of the service", operation)
    }
    return json
  }

  /// What is answered to a write: some member that says so, and none that says otherwise.
  static func nod(
    _ answer: Answer, _ member: String, _ operation: Circulation.Operation
  ) throws(CirculationError) {
    guard try object(answer, operation)[member] != nil else {
      throw malformed(member, operation)
    }
  }

  static func list<Element>(
    _ list: JSONValue?, _ expected: String, _ operation: Circulation.Operation,
    _ make: (JSONValue) -> Element?
  ) throws(CirculationError) -> [Element] {
    guard let elements = list?.array else { throw malformed(expected, operation) }
    let found = elements.compactMap(make)
    guard found.count == elements.count else { throw malformed(expected, operation) }
    return found
  }

  /// Words of the service, unless they might name somebody.
  private static func quoted(_ said: String) -> String? {
    let isHarmless =
      said.utf8.count < 100 && !said.contains("@") && !said.contains("<") && !said.contains("/")
    return isHarmless ? said : nil
  }

  /// A form that was not taken is shown once more, with status 200 or 400 (§2).
  static func whyNobodySignedIn(_ answer: Answer) -> CirculationError.Reason {
    let text = String(decoding: answer.body.prefix(200_000), as: UTF8.self).lowercased()
    let isForm = answer.isPage && text.holds("type=\"password\"")
    switch answer.status {
    case 400, 401, 403: return .credentialsRejected
    case 200 where isForm: return .credentialsRejected
    default: return Failures.reason(answer, answer.json?["error"]?.words)
    }
  }
}

/// What statuses and words mean to us: the table of the README.
enum Failures {
  static func reason(_ answer: Answer, _ word: String?) -> CirculationError.Reason {
    switch answer.status {
    case 200..<300:
      guard let word = word?.lowercased() else {
        return answer.isPage
          ? .providerUnavailable : .malformedResponse(expected: "a document of the service")
      }
      if word.holds("private") { return .credentialsRejected }
      return word.holds("notfound") || word.holds("not found") ? .titleGone : request
    case 300..<400:
      return answer.leadsToSignIn
        ? .credentialsRejected : .malformedResponse(expected: "an answer, not a redirect")
    case 400, 422: return request
    case 401, 403: return .credentialsRejected
    // Paths that nobody serves have a page for people.
    case 404 where word?.lowercased().filter({ $0 != " " }).holds("notfound") == true:
      return .titleGone
    case 404: return .notConfigured(what: "the address of the service")
    case 429: return .providerBusy(retryAfter: answer.retryAfter ?? pause)
    case 503 where answer.retryAfter != nil: return .providerBusy(retryAfter: answer.retryAfter)
    default: return .providerUnavailable
    }
  }

  private static let request = CirculationError.Reason.notConfigured(
    what: "a request as the service wants it")
  /// Nothing tells how long it wants to be left alone (§6).
  private static let pause = Duration.seconds(60)
}
