package import Circulation
import Database

/// How an attempt to borrow ended, when it ended well.
package enum Borrowing: Sendable {
  case lent(Loan)
  /// The patron had it before.
  case had(Loan)
  /// All copies are out. `canWait` tells whether there is a queue to join.
  case allOut(Availability, canWait: Bool)
  /// The patron waits for it already.
  case waiting(Hold)
  case inDoubt(CirculationError)
}

extension Desk {
  /// Looks once more whether a copy is there, and borrows it. Nothing is queued without being
  /// asked.
  package func borrow(
    _ item: ItemID, as format: Format? = nil, on account: AccountID, attempt: String, in call: Call
  ) async throws(DeskError) -> Borrowing {
    let lender = try await lender(account, call)
    if lender.isOpen { return try await take(item, at: lender, attempt: attempt, call) }
    // Who asks once more is told what became of it, and the library is not asked for what there is now.
    if try await !isKnown(attempt, to: .borrow, on: account),
      let answer = try await lookBefore(borrowing: item, at: lender, call, taking: attempt)
    {
      return answer
    }
    let outcome = try await carry(
      Errand<BorrowOutcome>(
        verb: .borrow, operation: .checkOut, item: item, account: account, call: call,
        attempt: attempt,
        act: { provider, call throws(CirculationError) in
          let outcome = try await provider.checkOut(item, as: format, in: call)
          return await sealed(outcome, of: account)
        },
        record: { tx, outcome, now throws(DatabaseError) in
          try tx.record(outcome, item, on: account, at: now)
        },
        found: { shelf in
          shelf.loan(of: item).map { .borrowed($0) } ?? shelf.hold(on: item).map { .waiting($0) }
        },
        standing: [CirculationError.Reason.alreadyBorrowed.code]),
      with: lender)
    switch outcome {
    case .done(.borrowed(let loan)): return .lent(loan)
    case .already(.borrowed(let loan)): return .had(loan)
    case .done(.waiting(let hold)), .already(.waiting(let hold)): return .waiting(hold)
    case .inDoubt(let error): return .inDoubt(error)
    }
  }

  /// What `borrow` would do, without doing it: nil when it would ask for the loan.
  package func foresee(borrowing item: ItemID, on account: AccountID, in call: Call)
    async throws(DeskError) -> Borrowing?
  {
    let lender = try await lender(account, call)
    return try await lookBefore(borrowing: item, at: lender, call)
  }

  private func lookBefore(
    borrowing item: ItemID, at lender: Lender, _ call: Call, taking attempt: String? = nil
  ) async throws(DeskError) -> Borrowing? {
    let seen = try await availability(of: item, lender, call)
    let kept = try await loans(of: [lender.account]).contains { $0.loan.item == item }
    // What is free to all needs no loan of the library's.
    if let attempt, !kept, seen.status == .openAccess {
      return try await taken(item, at: lender, attempt: attempt, call)
    }
    if seen.canBeHadNow, !kept { return nil }
    // None for a stranger; the patron may have it, or be the one it is kept for.
    let shelf = try await look(at: lender, in: call, settling: .nothing).shelf
    if let loan = shelf.loan(of: item) { return .had(loan) }
    if seen.canBeHadNow { return nil }
    if let hold = shelf.hold(on: item) { return hold.isReady ? nil : .waiting(hold) }
    switch seen.status {
    case .openAccess, .available: return nil
    case .queued: return .allOut(seen, canWait: true)
    case .unavailable: return .allOut(seen, canWait: false)
    case .unknownToProvider:
      throw .provider(lender.error(.titleGone, during: .checkOut))
    }
  }

  /// A lender that cannot be asked about copies is asked for the loan itself.
  private func availability(of item: ItemID, _ lender: Lender, _ call: Call)
    async throws(DeskError) -> Availability
  {
    do throws(CirculationError) {
      let answers = try await lender.ask(.availability, in: call) {
        provider throws(CirculationError) in try await provider.availability(of: [item], in: call)
      }
      if let answer = answers[item] { return answer }
      throw lender.error(
        .malformedResponse(expected: "an answer for each title"), during: .availability)
    } catch {
      guard error.reason == .unsupported(.availability) else { throw .provider(error) }
      return Availability(.available(.init()), asOf: .init(milliseconds: now()))
    }
  }

  package func giveBack(
    _ item: ItemID, on account: AccountID, attempt: String, in call: Call
  ) async throws(DeskError) -> Outcome<Void> {
    let lender = try await lender(account, call)
    let isFree = try await isTaken(item, on: account)
    if lender.isOpen || isFree {
      return try await putBack(item, at: lender, attempt: attempt, in: call)
    }
    return try await carry(
      Errand<Void>(
        verb: .giveBack, operation: .checkIn, item: item, account: account, call: call,
        attempt: attempt,
        act: { provider, call throws(CirculationError) in
          try await provider.checkIn(item, in: call)
        },
        record: { tx, _, _ throws(DatabaseError) in try tx.dropLoan(of: item, on: account) },
        found: { shelf in shelf.loan(of: item) == nil ? () : nil },
        standing: [CirculationError.Reason.notBorrowed.code]),
      with: lender)
  }

  package func renew(
    _ item: ItemID, on account: AccountID, attempt: String, in call: Call
  ) async throws(DeskError) -> Outcome<BorrowOutcome> {
    let lender = try await lender(account, call)
    // Whether it was renewed is told by its end, so the present one must be known.
    if try await !isKnown(attempt, to: .renew, on: account),
      try await !loans(of: [account]).contains(where: { $0.loan.item == item })
    {
      _ = try await look(at: lender, in: call, settling: .nothing)
    }
    return try await carry(
      Errand<BorrowOutcome>(
        verb: .renew, operation: .renew, item: item, account: account, call: call, attempt: attempt,
        act: { provider, call throws(CirculationError) in
          await sealed(try await provider.renew(item, in: call), of: account)
        },
        record: { tx, outcome, now throws(DatabaseError) in
          try tx.record(outcome, item, on: account, at: now)
        },
        found: { shelf in
          shelf.hold(on: item).map { .waiting($0) } ?? shelf.loan(of: item).map { .borrowed($0) }
        }),
      with: lender)
  }
}

extension Transaction {
  fileprivate func record(
    _ outcome: BorrowOutcome, _ item: ItemID, on account: AccountID, at now: Int64
  ) throws(DatabaseError) {
    switch outcome {
    case .borrowed(let loan):
      try keep(loan, of: account, asOf: now)
      try dropHold(on: item, on: account)
    case .waiting(let hold): try keep(hold, of: account, asOf: now)
    }
  }
}
