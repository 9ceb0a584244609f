import Circulation
import MockKit
import Testing

extension Promise {
  static let borrowing = [
    Promise("a title borrowed is lent, and stands on the shelf", [.lending, .shelf]) { visit in
      let item = try visit.title()
      let loan = try await visit.borrow(item)
      #expect(loan.item == item)
      #expect(visit.loan() != nil)
      let shelved = try await visit.ada.shelf(in: visit.call).loan(of: item)
      #expect(shelved?.until == loan.until)
    },
    Promise("a loan ends when the library says", [.lending]) { visit in
      let loan = try await visit.borrow(try visit.title())
      #expect(loan.until == nil || loan.until == visit.loan()?.until.date)
      #expect(loan.since == nil || loan.since == visit.loan()?.since.date)
    },
    Promise("borrowing again gives the same loan and not a second", [.lending]) { visit in
      let item = try visit.title(copies: .counted(3))
      let first = try await visit.borrow(item)
      visit.time.pass(days: 1)
      let second = try await visit.borrow(item)
      #expect(first.until == second.until)
      #expect(visit.truth.loans.count == 1)
    },
    Promise("borrowing again while others wait gives the same loan", [.lending]) { visit in
      let item = try visit.title()
      let first = try await visit.borrow(item)
      try visit.crowd(2, waitsFor: 1)
      #expect(try await visit.borrow(item).until == first.until)
    },
    Promise("where all copies are out nothing is lent", [.lending]) { visit in
      let item = try visit.title(copies: .counted(2))
      try visit.crowd(2)
      #expect(try await refusal { try await visit.borrow(item) } == .noCopiesAvailable)
      #expect(visit.loan() == nil)
    },
    Promise("a copy put aside for another is not lent", [.lending]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      try visit.queue(1, .bruno)
      try visit.crowdReturns()
      #expect(try await refusal { try await visit.borrow(item) } == .noCopiesAvailable)
      #expect(visit.loan() == nil)
    },
    Promise("what the library does not have cannot be borrowed", [.lending]) { visit in
      let reason = try await refusal { try await visit.borrow(visit.unknown) }
      #expect(reason == .noLicenses || reason == .titleGone)
      #expect(visit.truth.loans.isEmpty)
    },
    Promise("a reader borrows as much as is allowed, and no more", [.lending]) { visit in
      let items = try visit.titles(1...3)
      try visit.inside { library, _ in library.change(Reader.ada.card) { $0.loanLimit = 2 } }
      for item in items.prefix(2) { _ = try await visit.borrow(item) }
      let reason = try await refusal { try await visit.borrow(items[2]) }
      guard case .loanLimitReached(let limit)? = reason else {
        Issue.record("not refused for the limit but \(reason?.code ?? "lent")")
        return
      }
      #expect(limit == nil || limit == 2)
      #expect(visit.truth.loans.count == 2)
    },
    Promise("what is there without limit is lent to everybody", [.lending]) { visit in
      let item = try visit.title(copies: .unlimited)
      for reader in [Reader.ada, .bruno, .chinua] {
        let outcome = try await visit.desk(reader).checkOut(item, as: nil, in: visit.call)
        guard case .borrowed = outcome else {
          Issue.record("\(reader) waits for what is there without limit")
          return
        }
      }
      #expect(visit.truth.loans.count == 3)
    },
    Promise("two who want the last copy at once do not both get it", [.lending]) { visit in
      let item = try visit.title()
      let (ada, bruno) = (try visit.ada, try visit.bruno)
      async let one = refusal { try await ada.checkOut(item, as: nil, in: visit.call) }
      async let other = refusal { try await bruno.checkOut(item, as: nil, in: visit.call) }
      let reasons = try await [one, other]
      #expect(reasons.contains(nil))
      #expect(reasons.contains(.noCopiesAvailable))
      #expect(visit.truth.loans.count == 1)
    },
    Promise("a loan ends by itself, and its copy comes back", [.lending, .shelf, .availability]) {
      visit in
      let item = try visit.title()
      _ = try await visit.borrow(item)
      visit.time.pass(days: 22)
      #expect(try await visit.ada.shelf(in: visit.call).loans.isEmpty)
      let told = try await visit.ada.availability(of: [item], in: visit.call)
      #expect(told[item]?.canBeHadNow == true)
    },
  ]

  static let returning = [
    Promise("a title given back leaves the shelf and frees its copy", [.earlyReturn, .shelf]) {
      visit in
      let item = try visit.title()
      try visit.lend()
      try await visit.ada.checkIn(item, in: visit.call)
      #expect(visit.loan() == nil)
      #expect(visit.truth.copiesAvailable(of: visit.id()) == 1)
      #expect(try await visit.ada.shelf(in: visit.call).loans.isEmpty)
    },
    Promise("what is given back goes to the one who waits", [.earlyReturn]) { visit in
      let item = try visit.title()
      try visit.lend()
      try visit.queue(1, .bruno)
      try await visit.ada.checkIn(item, in: visit.call)
      #expect(visit.hold(.bruno)?.isReady == true)
    },
    Promise("what is given back already is not given back again", [.earlyReturn]) { visit in
      let item = try visit.title()
      try visit.lend()
      try await visit.ada.checkIn(item, in: visit.call)
      #expect(
        try await refusal { try await visit.ada.checkIn(item, in: visit.call) } == .notBorrowed)
    },
    Promise("nobody gives back what another has", [.earlyReturn]) { visit in
      let item = try visit.title()
      try visit.lend(to: .bruno)
      #expect(
        try await refusal { try await visit.ada.checkIn(item, in: visit.call) } == .notBorrowed)
      #expect(visit.loan(.bruno) != nil)
    },
  ]

  static let renewing = [
    Promise(
      "near its end a loan is renewed, by a later end or a place in line", [.renewal, .shelf]
    ) { visit in
      let item = try visit.title()
      try visit.lend()
      let end = visit.loan()?.until.date
      visit.time.pass(days: 19)
      _ = try await visit.ada.renew(item, in: visit.call)
      visit.time.pass(days: 4)
      let loan = try await visit.ada.shelf(in: visit.call).loan(of: item)
      let (later, earlier) = (try #require(loan?.until), try #require(end))
      #expect(later > earlier)
    },
    Promise("a loan that has just begun is not renewed", [.renewal]) { visit in
      let item = try visit.title()
      try visit.lend()
      let reason = try await refusal { try await visit.ada.renew(item, in: visit.call) }
      #expect(reason == .notRenewable)
      #expect(visit.truth.holds.isEmpty)
    },
    Promise("what one does not have is not renewed, and nobody is put in line for it", [.renewal]) {
      visit in
      let item = try visit.title()
      try visit.crowd(1)
      let reason = try await refusal { try await visit.ada.renew(item, in: visit.call) }
      #expect(reason == .notBorrowed)
      #expect(visit.truth.holds.isEmpty)
    },
  ]
}

extension Premises {
  /// Borrows for Ada; a place in line is not what was asked for.
  @discardableResult
  func borrow(_ item: ItemID) async throws -> Circulation.Loan {
    let outcome = try await ada.checkOut(item, as: nil, in: call)
    guard case .borrowed(let loan) = outcome else { throw NotLent(outcome: outcome) }
    return loan
  }

  private struct NotLent: Error { let outcome: BorrowOutcome }
}
