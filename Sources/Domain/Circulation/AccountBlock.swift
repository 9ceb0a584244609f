/// Why a library lends nothing new to a card, in a sentence that a reader can act on.
package struct AccountBlock: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case expired, fines, unknown, billed
    case cardLost = "card_lost"
    case tooManyLoans = "too_many_loans"
    case tooManyOverdue = "too_many_overdue"
    case tooManyLost = "too_many_lost"
    case tooManyRenewals = "too_many_renewals"
    case notApproved = "not_approved"
    case noBorrowing = "no_borrowing"
    case recallOverdue = "recall_overdue"
    /// By a rule that the library wrote itself.
    case rule
  }

  package let kind: Kind
  package let sentence: String
  /// For whoever runs the gateway: why a rule could not be judged, say.
  package let note: String?

  package init(_ kind: Kind, _ sentence: String? = nil, note: String? = nil) {
    (self.kind, self.sentence, self.note) = (kind, sentence ?? kind.sentence, note)
  }

  /// The reason that commands are refused with.
  package var reason: CirculationError.Reason {
    kind == .expired ? .accountExpired : .accountBlocked
  }
}

extension AccountBlock.Kind {
  /// Where nothing nearer is known.
  package var sentence: String {
    switch self {
    case .expired: "The card has expired."
    case .cardLost: "The card was reported lost."
    case .fines: "Too much money is owed."
    case .tooManyLoans: "Too many items are out on this card."
    case .tooManyOverdue: "Too many items are overdue."
    case .tooManyLost: "Too many items were lost."
    case .tooManyRenewals: "Too many items were renewed."
    case .notApproved: "The library has not approved the card yet."
    case .noBorrowing: "The library lets this card borrow nothing."
    case .recallOverdue: "An item that was called back is overdue."
    case .billed: "Items were billed and not paid."
    case .rule, .unknown: "The library has blocked the card."
    }
  }
}

/// Who somebody is at one library, whatever card they hold: cards are replaced, and one reader may
/// sign in by number or by name. It means nothing without the library.
package struct ReaderIdentity: Sendable, Hashable, CustomStringConvertible {
  package let id: String
  /// The card as the library writes it now.
  package var card: String?
  package var name: String?
  package var home: BranchID?
  /// The library's word for what kind of reader it is.
  package var kind: String?

  package init(id: String) { self.id = id }

  package var description: String { "•••" }
}
