package import Circulation
package import Database
package import Vault

/// A slip that a reader hands over the desk: one thing to be done, once. Apps that can only open
/// addresses carry it as an address.
package struct Slip: Sendable, Hashable {
  package enum Action: String, Sendable, Hashable, CaseIterable {
    case borrow, renew
    case placeHold = "place_hold"
    case cancelHold = "cancel_hold"
    case giveBack = "give_back"
  }

  package let action: Action
  package let account: AccountID
  package let item: ItemID
  package let work: WorkID
  /// A format, or the branch where a paper copy shall wait.
  package let choice: String?

  package init(
    _ action: Action, _ item: ItemID, on account: AccountID, of work: WorkID,
    choice: String? = nil
  ) {
    (self.action, self.item, self.account) = (action, item, account)
    (self.work, self.choice) = (work, choice)
  }
}

/// A slip that was handed over.
package struct HandedSlip: Sendable, Hashable {
  package let slip: Slip
  /// Names the attempt: the same slip handed over again is the same attempt.
  package let attempt: String
  /// What became of it, where that is known for good.
  package let outcome: String?

  package init(slip: Slip, attempt: String, outcome: String?) {
    (self.slip, self.attempt, self.outcome) = (slip, attempt, outcome)
  }
}

package enum SlipError: Error, Sendable, Hashable {
  /// Not written here, or for another reader: one cannot be told from the other.
  case notYours
  /// Too old, and never handed over.
  case expired
  /// The key was sent with another request before.
  case keyDiffers
  case database(DatabaseError)
  /// The key that slips are signed with cannot be had.
  case locked(VaultError)
}
