/// What can happen to a book: what the patron does, what the lender does, what the clock does.
package enum BookEvent: String, Sendable, Hashable, CaseIterable {
  case save
  case unsave
  case holdPlaced = "hold_placed"
  case holdCancelled = "hold_cancelled"
  case borrowed
  case offerMade = "offer_made"
  case offerDeclined = "offer_declined"
  case offerExpired = "offer_expired"
  case dismissed
  case returned
  case loanExpired = "loan_expired"
  /// Asked for while others are downloading.
  case queued
  case downloadStarted = "download_started"
  case downloadCancelled = "download_cancelled"
  case downloadFailed = "download_failed"
  case downloadCompleted = "download_completed"
  case opened
}

extension BookState {
  /// Where the event leads from here; nil where the table has no such move.
  package func after(_ event: BookEvent) -> BookState? { Self.moves[self]?[event] }

  /// What may happen next, in the order of the events' own list.
  package var possibleEvents: [BookEvent] { BookEvent.allCases.filter { after($0) != nil } }

  private static let moves: [BookState: [BookEvent: BookState]] = [
    .none: [.save: .saved, .holdPlaced: .waitingForLoan, .borrowed: .notDownloaded],
    .saved: [.unsave: .none, .holdPlaced: .waitingForLoan, .borrowed: .notDownloaded],
    .waitingForLoan: [.holdCancelled: .none, .offerMade: .loanOffered],
    .loanOffered: [
      .borrowed: .notDownloaded, .offerDeclined: .none, .offerExpired: .loanOfferExpired,
    ],
    .loanOfferExpired: [.dismissed: .none],
    .notDownloaded: [
      .queued: .downloadQueued, .downloadStarted: .downloading, .returned: .none,
      .loanExpired: .loanExpired,
    ],
    .loanExpired: [.dismissed: .none],
    .downloadQueued: [
      .downloadStarted: .downloading, .downloadCancelled: .notDownloaded,
      .downloadFailed: .downloadFailed,
    ],
    .downloading: [
      .downloadCompleted: .downloadCompleted, .downloadCancelled: .notDownloaded,
      .downloadFailed: .downloadFailed,
    ],
    .downloadFailed: [
      .queued: .downloadQueued, .downloadStarted: .downloading, .returned: .none,
      .loanExpired: .loanExpired,
    ],
    .downloadCompleted: [.opened: .opened, .returned: .none, .loanExpired: .loanExpired],
    .opened: [.returned: .none, .loanExpired: .loanExpired],
  ]
}
