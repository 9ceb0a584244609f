import Circulation

/// What the service's codes and statuses mean to us: the table of §10.
enum Failures {
  static let emailMissing = CirculationError.Reason.notConfigured(
    what: "an e-mail address for holds")
  private static let access = CirculationError.Reason.notConfigured(
    what: "user name, password and library at the vendor")
  /// Our request was not one that the service takes.
  private static let request = CirculationError.Reason.notConfigured(
    what: "a request as the service wants it")

  /// Of a code that is not zero.
  static func reason(_ code: Int, _ message: String?, during operation: Circulation.Operation)
    -> CirculationError.Reason
  {
    let text = (message ?? "").lowercased()
    switch code {
    case 1000...1003, 2000...2008: return access
    case 3102, 3104: return emailMissing
    case 3103: return isQuestion(operation) ? .titleGone : .noLicenses
    case 3105, 3116, 3118, 3122, 3123, 3124, 3129: return .credentialsRejected
    case 3108, 3112, 3115, 3117, 3119, 3120, 3126, 3135, 3136: return .formatUnavailable
    case 3109: return isOnHold(operation, text) ? .alreadyOnHold : .notOnHold
    case 3110: return operation == .renew ? .notRenewable : .alreadyBorrowed
    case 3111: return .currentlyAvailable
    case 3113: return cannotLend(text)
    case 3114: return .loanLimitReached(limit: nil)
    case 3131 where speaksOfHoldLimit(text): return .holdLimitReached(limit: nil)
    case 315, 316, 3100, 3101, 3106, 3127, 3128, 3130, 3132, 3134, 5003, 5004: return request
    case 4058: return .notBorrowed
    default: return .providerUnavailable
    }
  }

  /// Where no code says anything.
  static func reason(status: Int, retryAfter: Duration?) -> CirculationError.Reason {
    switch status {
    case 200..<400: .malformedResponse(expected: "an answer with a code")
    case 401, 403: access
    case 404, 410: .notConfigured(what: "the address of the service")
    case 429, 503: .providerBusy(retryAfter: retryAfter)
    default: .providerUnavailable
    }
  }

  /// One code for both, so what was asked for tells, or else the words (§12.4).
  private static func isOnHold(_ operation: Circulation.Operation, _ text: String) -> Bool {
    switch operation {
    case .placeHold: true
    case .cancelHold, .suspendHold, .resumeHold: false
    default: !text.contains("not in hold")
    }
  }

  /// One code for all that cannot be lent; only its words tell why (§12.5).
  private static func cannotLend(_ text: String) -> CirculationError.Reason {
    if text.contains("not available for checkout") { return .noCopiesAvailable }
    if speaksOfHoldLimit(text) { return .holdLimitReached(limit: nil) }
    return .noLicenses
  }

  /// No code is known for a full list of holds.
  private static func speaksOfHoldLimit(_ text: String) -> Bool {
    text.contains("hold") && (text.contains("limit") || text.contains("maximum"))
  }

  private static func isQuestion(_ operation: Circulation.Operation) -> Bool {
    switch operation {
    case .harvest, .search, .lookUp, .availability, .shelf, .checkAccount: true
    default: false
    }
  }
}
