import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

/// One answer of an instance, not looked at yet.
struct Answer: Sendable {
  let status: Int
  let body: [UInt8]
  var retryAfter: Duration?

  init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }

  init(_ reply: Reply) {
    self.init(status: reply.status.code, body: reply.body)
    retryAfter = reply.retryAfter
  }
}

enum Documents: DocumentReading {
  static let provider = BookWyrmProvider.listing.id

  /// Without it the same addresses are pages for people.
  static let types = """
    application/activity+json, \
    application/ld+json; profile="https://www.w3.org/ns/activitystreams";q=0.9, \
    application/json;q=0.8
    """

  static func object(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    guard let json = try? JSONValue(parsing: answer.body, by: .tolerant), json.object != nil else {
      throw malformed("a document of the instance", operation)
    }
    return json
  }

  static func person(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError)
  {
    guard try object(answer, operation)["type"]?.words == "Person" else {
      throw malformed("a profile", operation)
    }
  }
}
