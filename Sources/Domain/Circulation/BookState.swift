/// The twelve states of a book for one patron. Every surface shows the state's word and just the
/// actions that the table in `BookMove.swift` allows.
package enum BookState: String, Sendable, Hashable, CaseIterable {
  case none
  case saved
  case waitingForLoan = "waiting_for_loan"
  case loanOffered = "loan_offered"
  case loanOfferExpired = "loan_offer_expired"
  case notDownloaded = "not_downloaded"
  case loanExpired = "loan_expired"
  case downloadQueued = "download_queued"
  case downloading
  case downloadFailed = "download_failed"
  case downloadCompleted = "download_completed"
  case opened

  package var word: String {
    switch self {
    case .none: "none"
    case .saved: "saved"
    case .waitingForLoan: "waiting for loan"
    case .loanOffered: "loan offered"
    case .loanOfferExpired: "loan offer expired"
    case .notDownloaded: "not downloaded"
    case .loanExpired: "loan expired"
    case .downloadQueued: "download queued"
    case .downloading: "downloading"
    case .downloadFailed: "download failed"
    case .downloadCompleted: "download completed"
    case .opened: "opened"
    }
  }

  /// Whether the patron has the title on loan.
  package var isOnLoan: Bool {
    switch self {
    case .notDownloaded, .downloadQueued, .downloading, .downloadFailed, .downloadCompleted,
      .opened:
      true
    case .none, .saved, .waitingForLoan, .loanOffered, .loanOfferExpired, .loanExpired: false
    }
  }
}
