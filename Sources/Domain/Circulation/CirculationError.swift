/// Everything that a provider can do to us, as one closed type: a new reason must be answered by
/// every surface before it compiles.
package struct CirculationError: Error, Sendable, Hashable {
  package let reason: Reason
  package let provider: ProviderID
  package let operation: Operation
  /// The provider's own code or phrase, for the log and for support; a surface shows our sentence.
  package var providerSays: String?
  /// What the reader is told besides our sentence, such as what is owed: whole sentences of bounded
  /// length, in words fit to be shown.
  package var explanation: String?

  package init(
    _ reason: Reason, from provider: ProviderID, during operation: Operation,
    providerSays: String? = nil, explanation: String? = nil
  ) {
    (self.reason, self.provider, self.operation) = (reason, provider, operation)
    (self.providerSays, self.explanation) = (providerSays, explanation)
  }

  /// The same, as it is told to whoever asked for something that took this on the way.
  package func during(_ operation: Operation) -> CirculationError {
    CirculationError(
      reason, from: provider, during: operation, providerSays: providerSays,
      explanation: explanation)
  }

  package enum Reason: Sendable, Hashable {
    case credentialsRejected
    case accountExpired
    case accountBlocked
    case noCopiesAvailable
    case alreadyBorrowed
    case loanLimitReached(limit: Int?)
    case holdLimitReached(limit: Int?)
    case alreadyOnHold
    case notOnHold
    case notBorrowed
    /// A hold makes no sense: a copy can be borrowed now.
    case currentlyAvailable
    case notRenewable
    case titleGone
    case formatUnavailable
    case noLicenses
    /// No copy of it may be waited for: by this reader, or by anybody.
    case notHoldable
    /// No copy can be put aside there, or no branch was named where one must be.
    case branchRefused
    case unsupported(Capability)
    case providerBusy(retryAfter: Duration?)
    case providerUnavailable
    case malformedResponse(expected: String)
    case networkFailure
    case deadlineExceeded
    case cancelled
    /// Our side of the arrangement is wrong: a key, a library id, a permission.
    case notConfigured(what: String)
  }
}

extension CirculationError.Reason {
  /// The word of the contract; the same in JSON, logs, problem documents and help.
  package var code: String {
    switch self {
    case .credentialsRejected: "credentials_rejected"
    case .accountExpired: "account_expired"
    case .accountBlocked: "account_blocked"
    case .noCopiesAvailable: "no_copies_available"
    case .alreadyBorrowed: "already_borrowed"
    case .loanLimitReached: "loan_limit_reached"
    case .holdLimitReached: "hold_limit_reached"
    case .alreadyOnHold: "already_on_hold"
    case .notOnHold: "not_on_hold"
    case .notBorrowed: "not_borrowed"
    case .currentlyAvailable: "currently_available"
    case .notRenewable: "not_renewable"
    case .titleGone: "title_gone"
    case .formatUnavailable: "format_unavailable"
    case .noLicenses: "no_licenses"
    case .notHoldable: "not_holdable"
    case .branchRefused: "branch_refused"
    case .unsupported: "unsupported"
    case .providerBusy: "provider_busy"
    case .providerUnavailable: "provider_unavailable"
    case .malformedResponse: "malformed_response"
    case .networkFailure: "network_failure"
    case .deadlineExceeded: "deadline_exceeded"
    case .cancelled: "cancelled"
    case .notConfigured: "not_configured"
    }
  }

  /// Whether the answer leaves open what happened at the provider: the question must be asked
  /// again before anything is believed.
  package var leavesOutcomeOpen: Bool {
    switch self {
    case .providerUnavailable, .malformedResponse, .networkFailure, .deadlineExceeded, .cancelled:
      true
    default: false
    }
  }
}
