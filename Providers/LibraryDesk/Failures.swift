import Circulation
import ProviderKit

/// What every part of a desk fails with alike.
enum Failures: DocumentReading {
  static let provider = LibraryDeskProvider.listing.id

  static func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation
  ) -> CirculationError {
    failure(reason, operation, says: nil)
  }

  /// The same for an unknown card, a wrong PIN and what was never sent.
  static func wrongCard(_ operation: Circulation.Operation) -> CirculationError {
    failure(.credentialsRejected, operation, says: nil)
  }

  /// The card is as good as before; only nothing can be asked with it while its reader is away.
  static func noPIN(_ operation: Circulation.Operation) -> CirculationError {
    var error = failure(.pinNotKept, operation)
    error.explanation =
      "The card's PIN is not kept here. Sign in again and let it be kept, or go to the library's own "
      + "pages."
    return error
  }

  static func strangerHere(_ operation: Circulation.Operation) -> CirculationError {
    var error = failure(.accountBlocked, operation, says: "another library's reader")
    error.explanation = "The card belongs to another library."
    return error
  }

  /// What a status means to a part that has nothing nearer to say of it.
  static func reason(ofStatus status: Int, retryAfter: Duration?) -> CirculationError.Reason {
    switch status {
    case 200..<400: .malformedResponse(expected: "an answer, not a redirect")
    case 401, 403: .notConfigured(what: "leave to ask the library's system")
    case 404, 405, 410: .notConfigured(what: "the address of the library's system")
    case 429, 503: .providerBusy(retryAfter: retryAfter)
    default: .providerUnavailable
    }
  }

  /// A library's own words for its reader: one line of plain text, and no longer than three
  /// hundred.
  static func shown(_ text: String) -> String {
    let clean = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { sign in
          sign.properties.generalCategory == .control ? " " : sign
        }))
    return String(clean.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(300))
  }
}
