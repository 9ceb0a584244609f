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
    return try await saving { tx throws(DatabaseError) in
      try tx.note(account, goodAt: now, triedAt: now, trouble: nil)
      return Shelf(loans: try tx.loans(of: [account]).map(\.loan))
    }
  }

  /// A loan without an end, the same one however often it is asked for.
  func take(_ item: ItemID, at lender: Lender, _ call: Call) async throws(DeskError) -> Borrowing {
    if let loan = try await kept(by: lender).loan(of: item) { return .had(loan) }
    let answers = try await asked { () throws(CirculationError) in
      try await lender.ask(.availability, in: call) { provider throws(CirculationError) in
        try await provider.availability(of: [item], in: call)
      }
    }
    guard answers[item]?.canBeHadNow == true else {
      throw .provider(lender.error(.titleGone, during: .checkOut))
    }
    let now = now()
    var loan = Loan(item: item, until: nil)
    loan.since = Date(milliseconds: now)
    let (account, taken) = (lender.account, loan)
    try await saving { tx throws(DatabaseError) in try tx.keep(taken, of: account, asOf: now) }
    return .lent(taken)
  }

  func putBack(_ item: ItemID, at lender: Lender) async throws(DeskError) -> Outcome<Void> {
    guard try await kept(by: lender).loan(of: item) != nil else {
      throw .provider(lender.error(.notBorrowed, during: .checkIn))
    }
    let account = lender.account
    try await saving { tx throws(DatabaseError) in try tx.dropLoan(of: item, on: account) }
    return .done(())
  }
}
