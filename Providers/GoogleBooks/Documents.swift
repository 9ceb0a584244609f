import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import ProviderKit

/// One answer of the service, not looked at yet.
struct Answer: Sendable {
  let status: Int
  let body: [UInt8]
  let now: Date
  var retryAfter: Duration?

  init(status: Int, body: [UInt8], at now: Date) {
    (self.status, self.body, self.now) = (status, body, now)
  }

  init(_ reply: Reply, at now: Date) {
    self.init(status: reply.status.code, body: reply.body, at: now)
    retryAfter = reply.retryAfter
  }
}

enum Documents: DocumentReading {
  static let provider = GoogleBooksProvider.listing.id

  static func shelves(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireShelf]
  {
    let json = try object(answer, operation)
    guard json["kind"]?.string == "books#bookshelves" else {
      throw malformed("bookshelves", operation)
    }
    return try each(json["items"], WireShelf.init, "shelves with numbers", operation)
  }

  /// Without `items` there is nothing; without its kind it is no page of volumes (§2).
  static func volumes(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> (volumes: [WireVolume], total: Int?)
  {
    let json = try object(answer, operation)
    guard json["kind"]?.string == "books#volumes" else { throw malformed("volumes", operation) }
    let volumes = try each(json["items"], WireVolume.init, "volumes with ids", operation)
    return (volumes, json["totalItems"]?.whole)
  }

  /// Nothing at all, or an empty object: both are a yes (§2).
  static func nod(_ answer: Answer, _ operation: Circulation.Operation) throws(CirculationError) {
    if (200..<300).contains(answer.status), answer.body.allSatisfy({ $0 <= 0x20 }) { return }
    _ = try object(answer, operation)
  }

  static func tokens(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> OAuth2.Tokens
  {
    let json = try? JSONValue(parsing: answer.body, by: .tolerant)
    if let json, let refusal = OAuth2.Refusal(json) {
      throw failure(refusal.reason, operation, says: refusal.code)
    }
    guard let tokens = OAuth2.Tokens(try object(answer, operation)) else {
      throw malformed("a token", operation)
    }
    return tokens
  }

  // MARK: - What is wrong

  /// Whether asking again today is of no use (§3).
  static func isQuotaOfTheDay(_ body: [UInt8]) -> Bool {
    guard body.count < 65_536, let json = try? JSONValue(parsing: body, by: .tolerant) else {
      return false
    }
    return Complaint(json)?.isQuotaOfTheDay == true
  }

  private static func object(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    let json = try? JSONValue(parsing: answer.body, by: .tolerant)
    if let json, let complaint = Complaint(json) {
      throw failure(
        complaint.reason(answer), operation, says: complaint.code.isEmpty ? nil : complaint.code)
    }
    guard (200..<300).contains(answer.status) else {
      throw failure(
        Complaint.reason(answer.status, retryAfter: answer.retryAfter), operation,
        says: "HTTP \(answer.status)")
    }
    guard let json, json.object != nil else {
      throw malformed("a document of the service", operation)
    }
    return json
  }

  private static func each<Element>(
    _ list: JSONValue?, _ make: (JSONValue) -> Element?, _ expected: String,
    _ operation: Circulation.Operation
  ) throws(CirculationError) -> [Element] {
    guard let list, !list.isNull else { return [] }
    guard let elements = list.array else { throw malformed(expected, operation) }
    let found = elements.compactMap(make)
    guard found.count == elements.count else { throw malformed(expected, operation) }
    return found
  }
}
