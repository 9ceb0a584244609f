import Circulation
import Desk
import FoundationEssentials
import Testing

@Suite struct `What a reader has on all cards` {
  private let town = AccountID("town")
  private let second = AccountID("town-2")
  private let start = Date(timeIntervalSince1970: 1_798_761_600)
  private let copies = Availability.Copies(total: 2, available: 1, holds: 8)

  private func candidate(
    _ item: String, _ status: Availability.Status, on account: AccountID?, limit: Int? = nil
  ) -> Candidate {
    Candidate(
      Edition(item: ItemID(item), title: item), Availability(status, asOf: start),
      on: account.map { .init($0, loanLimit: limit, holdLimit: nil) }, name: item)
  }

  private var holdings: Holdings {
    var loan = Loan(item: ItemID("lent"), until: start.addingTimeInterval(14 * 86_400))
    loan.since = start
    let hold = Hold(item: ItemID("queued"), status: .waiting(position: 3, total: 8))
    return Holdings(
      loans: [KeptLoan(account: town, loan: loan, asOf: start)],
      holds: [KeptHold(account: town, hold: hold, asOf: start)])
  }

  @Test func `What a reader has on all cards: makes the card with room lend`() {
    let full = holdings.standing(
      candidate("new", .available(copies), on: town, limit: 1))
    let roomy = holdings.standing(
      candidate("new", .available(copies), on: second, limit: 1))
    #expect(full.isAtLimit && !roomy.isAtLimit && roomy < full)
  }

  @Test func `What a reader has on all cards: is known of the card that has it, and of no other`() {
    #expect(holdings.standing(candidate("lent", .queued(copies), on: town)).mine == .loan)
    #expect(holdings.standing(candidate("lent", .queued(copies), on: second)).mine == nil)
    #expect(holdings.standing(candidate("lent", .queued(copies), on: nil)).mine == nil)
    #expect(holdings.standing(candidate("queued", .queued(copies), on: town)).mine == .hold)
  }

  @Test
  func `the wait estimate uses the reader's place in the queue and the library's loan term`() {
    let term = Wait.Period(term: 14)
    #expect(
      holdings.wait(candidate("queued", .queued(copies), on: town))
        == Wait(behind: 2, copies: 2, period: term))
    #expect(
      holdings.wait(candidate("other", .queued(copies), on: town))
        == Wait(behind: 8, copies: 2, period: term))
    #expect(
      holdings.wait(candidate("queued", .queued(copies), on: second))
        == Wait(behind: 8, copies: 2))
    #expect(holdings.wait(candidate("queued", .available(copies), on: town)) == nil)
  }
}
