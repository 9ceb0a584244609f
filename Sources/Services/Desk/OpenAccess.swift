import Circulation
import Database
import FoundationEssentials

// Titles that are free for everybody. Where nothing is lent there is no shelf to be asked for, and
// the truth about what a patron has taken is kept here; nothing is sent.

extension Desk {
  func kept(by lender: Lender) async throws(DeskError) -> Shelf {
    let account = lender.account
    let now = now()
    _ = try await question(about: account)
    return try await saving(of: account) { tx throws(DatabaseError) in
      try tx.note(account, goodAt: now, triedAt: now, trouble: nil)
      return Shelf(loans: try tx.loans(of: [account]).map(\.loan))
    }
  }

  /// A loan without an end, the same one however often it is asked for.
  func take(
    _ item: ItemID, at lender: Lender, attempt: String, _ call: Call
  ) async throws(DeskError) -> Borrowing {
    if let loan = try await kept(by: lender).loan(of: item) { return .had(loan) }
    let answers = try await asked { () throws(CirculationError) in
      try await lender.ask(.availability, in: call) { provider throws(CirculationError) in
        try await provider.availability(of: [item], in: call)
      }
    }
    switch answers[item]?.status {
    case .openAccess: return try await taken(item, at: lender, attempt: attempt, call)
    // The catalogue lends to those whom it knows; here nobody signed in.
    case .available, .queued:
      throw .provider(
        lender.error(.credentialsRejected, during: .checkOut, says: "no card is linked"))
    case .unavailable, .unknownToProvider, nil:
      throw .provider(lender.error(.titleGone, during: .checkOut))
    }
  }

  /// Some libraries list what is free to all beside what they lend, and keep no loans of it.
  func taken(
    _ item: ItemID, at lender: Lender, attempt: String, _ call: Call
  ) async throws(DeskError) -> Borrowing {
    let now = tick()
    var loan = Loan(item: item, until: nil)
    loan.since = Date(milliseconds: now.date)
    let (account, taken) = (lender.account, loan)
    try await saving(of: account) { tx throws(DatabaseError) in
      // Nothing is sent, but what was done under this name is known as any other command is.
      let writing = try tx.write(
        .borrow, item, on: account, attempt: attempt, call: call, travel: 0, by: nil, at: now)
      if case .written(let intent) = writing { _ = try tx.settle(intent, as: .done, at: now) }
      try tx.take(taken, of: account, asOf: now.date)
    }
    return .lent(taken)
  }

  func isTaken(_ item: ItemID, on account: AccountID) async throws(DeskError) -> Bool {
    try await kept { tx throws(DatabaseError) in try tx.taken(of: account).contains(item) }
  }

  /// Nothing is sent, but the same attempt is told the same however often it is made.
  func putBack(
    _ item: ItemID, at lender: Lender, attempt: String, in call: Call
  ) async throws(DeskError) -> Outcome<Void> {
    let (account, now) = (lender.account, tick())
    let known = try await saving { tx throws(DatabaseError) -> Intent? in
      if let known = try tx.intent(attempt, on: account) { return known }
      guard try tx.loans(of: [account]).contains(where: { $0.loan.item == item }),
        case .written(let intent) = try tx.write(
          .giveBack, item, on: account, attempt: attempt, call: call, travel: 0, by: nil, at: now)
      else { return nil }
      _ = try tx.settle(intent, as: .done, at: now)
      try tx.dropLoan(of: item, on: account)
      return intent
    }
    guard let known else { throw .provider(lender.error(.notBorrowed, during: .checkIn)) }
    guard known.verb == .giveBack, known.item == item else { throw .attemptDiffers }
    return known.state == .open ? .done(()) : .already(())
  }
}

extension Transaction {
  fileprivate func take(_ loan: Loan, of account: AccountID, asOf now: Int64) throws(DatabaseError)
  {
    try keep(loan, of: account, asOf: now)
    try execute(
      """
      UPDATE desk_loan SET taken = 1
      WHERE account = \(account.rawValue) AND item = \(loan.item.rawValue)
      """)
  }
}

extension Snapshot {
  /// What the account's reader took without a loan: no shelf but ours tells of it.
  func taken(of account: AccountID) throws(DatabaseError) -> Set<ItemID> {
    Set(
      try rows("SELECT item FROM desk_loan WHERE account = \(account.rawValue) AND taken = 1") {
        row throws(DatabaseError) in ItemID(try row[0])
      })
  }
}
