import Circulation
import JSON

/// What the service's words and statuses mean to us: the table of §12.
enum Failures {
  /// Nil where the answer is a success as far as status and body tell.
  static func reason(
    status: Int, body: [UInt8], retryAfter: Duration?, during operation: Circulation.Operation
  ) -> (reason: CirculationError.Reason, says: String?)? {
    let json = try? JSONValue(parsing: body, by: .tolerant)
    let failure = json.flatMap(WireFailure.init)
    if (200..<300).contains(status) {
      if let failure { return (byCode(failure, operation) ?? .providerUnavailable, failure.says) }
      // Seen with status 200, in place of an answer.
      if let message = json?["message"]?.string, message.contains("unexpected error") {
        return (.providerUnavailable, message)
      }
      return nil
    }
    if status == 429 || status == 503 {
      return (.providerBusy(retryAfter: retryAfter), failure?.says ?? "HTTP \(status)")
    }
    if let failure, let reason = byCode(failure, operation) { return (reason, failure.says) }
    return (byStatus(status, operation), failure?.says ?? "HTTP \(status)")
  }

  private static func byCode(_ failure: WireFailure, _ operation: Circulation.Operation)
    -> CirculationError.Reason?
  {
    switch failure.code {
    case "NoCopiesAvailable": .noCopiesAvailable
    case "TitleAlreadyCheckedOut": .alreadyBorrowed
    case "PatronHasExceededCheckoutLimit", "PatronHasExceededCheckoutLimit_ForCPC",
      "PatronHasExceededChurningLimit":
      .loanLimitReached(limit: nil)
    case "TitleNotCheckedOut", "PatronDoesntHaveTitleCheckedOut": .notBorrowed
    case "AlreadyOnWaitList": .alreadyOnHold
    case "PatronExceededHoldLimit": .holdLimitReached(limit: nil)
    case "PatronDoesntHaveTitleOnHold": .notOnHold
    case "NotWithinRenewalWindow": .notRenewable
    case "PatronTitleProcessingFailed", "AnotherFormatHasBeenLockedIn": .formatUnavailable
    case "NotFound", "TitleNotFoundError": notFound(operation)
    case "InvalidGuid": .titleGone
    case "unauthorized_client": signInRefused(failure.message)
    case "invalid_grant": .credentialsRejected
    case "invalid_client", "unsupported_grant_type", "invalid_scope":
      .notConfigured(what: "client key and secret")
    default: nil
    }
  }

  /// One code for a wrong PIN, an unknown, an expired and a blocked card; only the text differs,
  /// and the library's own system wrote it.
  private static func signInRefused(_ text: String) -> CirculationError.Reason {
    let text = text.lowercased()
    if text.contains("expired") { return .accountExpired }
    if ["block", "barred", "fines", "suspended"].contains(where: text.contains) {
      return .accountBlocked
    }
    return .credentialsRejected
  }

  private static func byStatus(_ status: Int, _ operation: Circulation.Operation)
    -> CirculationError.Reason
  {
    switch status {
    case 401:
      usesPatronToken(operation)
        ? .credentialsRejected : .notConfigured(what: "client key and secret")
    case 403: .notConfigured(what: "a permission of the client key")
    case 404, 410: notFound(operation)
    case 300..<400: .malformedResponse(expected: "an answer, not a redirect")
    default: .providerUnavailable
    }
  }

  private static func notFound(_ operation: Circulation.Operation) -> CirculationError.Reason {
    switch operation {
    case .checkIn, .renew, .fulfil: .notBorrowed
    case .cancelHold, .suspendHold, .resumeHold: .notOnHold
    case .checkOut, .placeHold: .noLicenses
    case .checkAccount, .shelf, .list, .branches, .copies:
      .notConfigured(what: "the library's id")
    case .harvest, .search, .lookUp, .availability: .titleGone
    }
  }

  private static func usesPatronToken(_ operation: Circulation.Operation) -> Bool {
    switch operation {
    case .harvest, .search, .lookUp, .availability: false
    default: true
    }
  }
}

extension WireFailure {
  /// The code alone: the message is written by the library's own system and may name the card.
  var says: String { code }
}
