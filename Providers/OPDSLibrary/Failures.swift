import Circulation
import OPDS

/// What a problem document and a status mean to us: the table of §6.
enum Failures {
  static func reason(
    _ problem: ProblemReport?, _ status: Int, _ retryAfter: Duration?,
    _ operation: Circulation.Operation
  ) -> CirculationError.Reason {
    if let problem, let told = reason(problem, operation) { return told }
    switch status {
    case 200..<300: return .malformedResponse(expected: "a document, not a problem")
    case 300..<400: return .malformedResponse(expected: "an answer, not a redirect")
    case 401: return .credentialsRejected
    case 403: return .notConfigured(what: "leave to use this catalogue")
    case 404, 410: return missing(operation)
    case 429, 503: return .providerBusy(retryAfter: retryAfter)
    default: return .providerUnavailable
    }
  }

  /// Nil for a type that says no more than the status.
  static func reason(_ problem: ProblemReport, _ operation: Circulation.Operation)
    -> CirculationError.Reason?
  {
    if problem.type.contains("/auth/") { return .credentialsRejected }
    switch problem.slug {
    case "credentials-expired": return .accountExpired
    case "credentials-suspended", "credentials-blocked-by-policy", "outstanding-fines":
      return .accountBlocked
    case "credentials-required", "credentials-invalid": return .credentialsRejected
    case "loan-limit-reached": return .loanLimitReached(limit: limit(problem.detail))
    case "hold-limit-reached": return .holdLimitReached(limit: limit(problem.detail))
    case "no-available-license": return .noCopiesAvailable
    case "no-licenses": return .noLicenses
    case "not-found-on-remote", "filtered-by-library-policy": return .titleGone
    case "loan-already-exists": return .alreadyBorrowed
    case "no-active-loan", "loan-not-found", "no-active-hold", "hold-not-found":
      return operation == .cancelHold ? .notOnHold : .notBorrowed
    case "cannot-renew-loan": return .notRenewable
    case "holds-not-allowed": return .unsupported(.holds)
    case "no-acceptable-format", "bad-delivery-mechanism", "delivery-mechanism-conflict":
      return .formatUnavailable
    case "library-not-found", "unknown-collection", "unknown-lane", "unknown-list":
      return .notConfigured(what: "the address of the catalogue")
    case "cannot-issue-loan", "cannot-place-hold", "cannot-release-hold", "cannot-fulfill-loan",
      "cannot-mirror-to-remote", "remote-integration-failed":
      return .providerUnavailable
    default: return nil
    }
  }

  private static func missing(_ operation: Circulation.Operation) -> CirculationError.Reason {
    switch operation {
    case .harvest, .search, .shelf, .checkAccount:
      .notConfigured(what: "the address of the catalogue")
    default: .titleGone
    }
  }

  /// The one number of a sentence such as "You have reached your loan limit of 5."
  private static func limit(_ detail: String?) -> Int? {
    let numbers = (detail ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count == 1 && numbers[0] < 10_000 ? numbers[0] : nil
  }
}
