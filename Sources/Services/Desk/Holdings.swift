package import Circulation
import FoundationEssentials

/// What one reader has and waits for on all cards, as far as it weighs what another title costs.
package struct Holdings: Sendable, Hashable {
  package let loans: [KeptLoan]
  package let holds: [KeptHold]

  package init(loans: [KeptLoan], holds: [KeptHold]) { (self.loans, self.holds) = (loans, holds) }

  package func loan(of item: ItemID, on account: AccountID) -> KeptLoan? {
    loans.first { $0.account == account && $0.loan.item == item }
  }

  package func hold(on item: ItemID, of account: AccountID) -> KeptHold? {
    holds.first { $0.account == account && $0.hold.item == item }
  }

  /// The term of the library, as far as the reader's own loans tell it.
  package func period(_ account: AccountID) -> Wait.Period {
    let terms = loans.compactMap { kept -> Int? in
      guard kept.account == account, let since = kept.loan.since, let until = kept.loan.until
      else { return nil }
      let days = until.timeIntervalSince(since) / 86_400
      return days >= 1 && days < 400 ? Int(days.rounded()) : nil
    }
    return terms.max().map { Wait.Period(term: $0) } ?? .usual
  }
}

/// A title of a library, by one card there or, for strangers, by none.
package struct Candidate: Sendable {
  /// Nil without one.
  package var card: Card?
  package var edition: Edition
  /// As last heard; nil when nobody ever said.
  package var availability: Availability?
  /// How the queue moved while it was watched.
  package var movement: Movement?
  /// Settles what is equal in everything else.
  package var name: String

  package struct Card: Sendable, Hashable {
    package let account: AccountID
    /// Nil where the library does not say.
    package let loanLimit: Int?
    package let holdLimit: Int?

    package init(_ account: AccountID, loanLimit: Int?, holdLimit: Int?) {
      (self.account, self.loanLimit, self.holdLimit) = (account, loanLimit, holdLimit)
    }
  }

  package init(
    _ edition: Edition, _ availability: Availability?, on card: Card?, movement: Movement? = nil,
    name: String
  ) {
    (self.edition, self.availability, self.card) = (edition, availability, card)
    (self.movement, self.name) = (movement, name)
  }
}

extension Holdings {
  package func loan(_ candidate: Candidate) -> KeptLoan? {
    candidate.card.flatMap { loan(of: candidate.edition.item, on: $0.account) }
  }

  package func hold(_ candidate: Candidate) -> KeptHold? {
    candidate.card.flatMap { hold(on: candidate.edition.item, of: $0.account) }
  }

  /// How long it takes from now; nil where nobody has to wait, or nobody knows.
  package func wait(_ candidate: Candidate) -> Wait? {
    guard case .queued(let copies) = candidate.availability?.status else { return nil }
    var behind = copies.holds ?? 0
    // Readers who come first for somebody who waits already.
    if case .waiting(let place?, _) = hold(candidate)?.hold.status { behind = place - 1 }
    return Wait(
      behind: behind, copies: copies.total,
      period: candidate.card.map { period($0.account) } ?? .usual, movement: candidate.movement)
  }

  package func standing(_ candidate: Candidate) -> Standing {
    let mine: Standing.Mine? =
      loan(candidate) != nil
      ? .loan : hold(candidate).map { $0.hold.isReady ? .ready : .hold }
    let (card, account) = (candidate.card, candidate.card?.account)
    return Standing(
      mine: mine, status: candidate.availability?.status,
      isReadableHere: candidate.edition.formats.contains(where: \.isReadableHere),
      isPaper: candidate.edition.isPaper,
      wait: wait(candidate),
      loans: Standing.Room(
        used: loans.count { $0.account == account }, limit: card?.loanLimit),
      holds: Standing.Room(
        used: holds.count { $0.account == account }, limit: card?.holdLimit),
      name: candidate.name)
  }
}
