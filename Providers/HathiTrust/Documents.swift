import Circulation
import HTTPClient
import JSON
import ProviderKit

/// Whole answers, for the operations and for the decoder alike.
enum Documents: DocumentReading {
  static let provider = HathiTrustProvider.listing.id

  /// By labels; a single answer has none and stands under the empty one. A book that cannot be read
  /// is left out, and refuses the answer only where it is all there is.
  static func answer(
    status: Int, body: [UInt8], retryAfter: Duration?, _ operation: Circulation.Operation
  ) throws(CirculationError) -> [String: WireBook] {
    guard status == 200 else {
      throw failure(
        Failures.reason(status: status, retryAfter: retryAfter), operation,
        says: "HTTP \(status)")
    }
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: unwrapped(body))
    } catch {
      throw malformed("JSON", operation)
    }
    guard let members = json.object?.members else { throw malformed("an object", operation) }
    if json["records"] != nil, json["items"] != nil {
      guard let book = WireBook(json) else { throw malformed("records and items", operation) }
      return ["": book]
    }
    var books: [String: WireBook] = [:]
    for member in members {
      books[member.name] = WireBook(member.value)
    }
    guard members.isEmpty || !books.isEmpty else { throw malformed("records and items", operation) }
    return books
  }

  /// `callback( {…})`, as browsers of old were given it (§1).
  private static func unwrapped(_ body: [UInt8]) -> [UInt8] {
    guard let open = body.firstIndex(of: UInt8(ascii: "(")),
      let close = body.lastIndex(of: UInt8(ascii: ")")), open < close,
      !body[..<open].contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "<") })
    else { return body }
    return Array(body[(open + 1)..<close])
  }
}
