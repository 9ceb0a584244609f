package import FoundationEssentials

/// A title that the provider says the patron has.
package struct Loan: Sendable, Hashable {
  package let item: ItemID
  package var since: Date?
  /// Nil where the provider names no end, as for a book to keep.
  package var until: Date?
  /// The one format the loan is bound to, once it is.
  package var lockedFormat: Format?
  /// What may still be asked for, the locked one included.
  package var formats: [Format]
  package var isRenewable: Bool
  package var isReturnable: Bool
  /// What the shelf itself tells of the book, for a title that was never harvested.
  package var title: String? { didSet { title = title?.limited(to: TextLimit.title) } }
  package var authors: [String] { didSet { authors = authors.limited(to: TextLimit.name) } }
  /// What opens it without asking the reader, where the lender gave that.
  package var keys: LoanKeys?
  /// The same as it is kept.
  package var sealedKeys: [UInt8]?

  package init(item: ItemID, until: Date?) {
    self.item = item
    self.until = until
    formats = []
    isRenewable = false
    isReturnable = true
    authors = []
  }
}

/// A place in a queue.
package struct Hold: Sendable, Hashable {
  package let item: ItemID
  package var since: Date?
  package var status: Status
  package var title: String? { didSet { title = title?.limited(to: TextLimit.title) } }
  package var authors: [String] { didSet { authors = authors.limited(to: TextLimit.name) } }
  /// Where a physical copy waits or will wait.
  package var pickup: BranchID?
  /// What that branch is called, where the library says so.
  package var pickupName: String? {
    didSet { pickupName = pickupName?.limited(to: TextLimit.name) }
  }

  package init(item: ItemID, status: Status) {
    (self.item, self.status) = (item, status)
    authors = []
  }

  package enum Status: Sendable, Hashable {
    /// `position` counts from 1; `total` is the length of the whole queue.
    case waiting(position: Int?, total: Int?)
    /// The patron may borrow now, until the time named.
    case ready(until: Date?)
    case suspended(until: Date?)
    /// The offer was missed.
    case expired
  }

  package var word: String {
    switch status {
    case .waiting: "waiting"
    case .ready: "ready"
    case .suspended: "suspended"
    case .expired: "expired"
    }
  }

  package var isReady: Bool { if case .ready = status { true } else { false } }
}

/// All that one account has out and waits for. The provider's word is the truth about it.
package struct Shelf: Sendable, Hashable {
  package var loans: [Loan]
  package var holds: [Hold]

  package init(loans: [Loan] = [], holds: [Hold] = []) { (self.loans, self.holds) = (loans, holds) }

  package func loan(of item: ItemID) -> Loan? { loans.first { $0.item == item } }
  package func hold(on item: ItemID) -> Hold? { holds.first { $0.item == item } }
}

/// Borrowing ends in exactly one of two ways, so no caller can forget either.
package enum BorrowOutcome: Sendable, Hashable {
  case borrowed(Loan)
  case waiting(Hold)
}

/// What a provider tells of the account itself.
package struct AccountStanding: Sendable, Hashable {
  package var loanLimit: Int?
  package var holdLimit: Int?
  package var expires: Date?
  /// Capabilities that this account lacks though the adapter has them.
  package var withheld: Set<Capability>
  package var lendingPeriods: [LendingPeriod]
  /// Why nothing new may be had just now; empty where all is well. What is on loan stays readable,
  /// and can be given back.
  package var blocks: [AccountBlock]
  /// Who the library says the reader is, where it says so.
  package var identity: ReaderIdentity?
  /// Whether it was found that a wrong PIN would have been refused, by an adapter that cannot say so of
  /// its service once and for all.
  package var isPINVerified = false

  package init(loanLimit: Int? = nil, holdLimit: Int? = nil) {
    (self.loanLimit, self.holdLimit) = (loanLimit, holdLimit)
    withheld = []
    lendingPeriods = []
    blocks = []
  }

  package struct LendingPeriod: Sendable, Hashable {
    package let medium: Medium
    package let seconds: Int

    package init(medium: Medium, seconds: Int) { (self.medium, self.seconds) = (medium, seconds) }
  }
}

/// A building where a physical copy can be picked up.
package struct Branch: Sendable, Hashable {
  package let id: BranchID
  package let name: String
  package var address: String?

  package init(id: BranchID, name: String, address: String? = nil) {
    (self.id, self.name, self.address) = (id, name, address)
  }
}
