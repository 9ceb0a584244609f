package import Circulation
import FoundationEssentials
import ProviderKit

// Borrowing, and what passes for renewing (§7).

extension CloudLibraryProvider {
  struct Borrowed: Sendable {
    let loan: Loan
    /// False where the reader had it already.
    let isNew: Bool
  }

  /// Who has the title already is answered with 200 for 201, or refused with the word `LOAN`.
  func borrowed(_ item: ItemID, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Borrowed
  {
    do throws(CirculationError) {
      let answer = try await ask(try cardholder(operation).checkOut(item), operation, in: call)
      let wire = try Documents.checkout(answer)
      guard wire.itemID == item.rawValue else { throw Documents.malformed("this loan", operation) }
      let isNew = answer.status == 201
      // The date may be missing, and then stands on the shelf.
      if wire.due == nil, let loan = try await ownLoan(of: item, operation, in: call) {
        return Borrowed(loan: loan, isNew: isNew)
      }
      return Borrowed(loan: wire.loan(terms, asOf: session.clock.date()), isNew: isNew)
    } catch {
      guard error.reason == .alreadyBorrowed,
        let loan = try await ownLoan(of: item, operation, in: call)
      else { throw error }
      return Borrowed(loan: loan, isNew: false)
    }
  }

  func ownLoan(of item: ItemID, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Loan?
  {
    try await wireShelf(operation, in: call)
      .shelf(terms, asOf: session.clock.date()).loan(of: item)
  }

  /// There is no verb for it: the loan is given back and borrowed anew, where the library has
  /// allowed that and nobody waits.
  package func renew(_ item: ItemID, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    guard settings.renewsByReturn else { throw Documents.error(.unsupported(.renewal), .renew) }
    guard let loan = try await ownLoan(of: item, .renew, in: call) else {
      throw Documents.error(.notBorrowed, .renew)
    }
    guard loan.isRenewable else {
      throw Documents.error(.notRenewable, .renew, "not within its last three days")
    }
    let answer = try await ask(.circulation(of: item), .renew, in: call)
    guard try !Documents.circulation(answer).isWanted else {
      throw Documents.error(.notRenewable, .renew, "others wait")
    }
    // Half done it would be worse than not begun, so a reader who gives up meanwhile is not heard.
    let work = Task {
      await attempt { () throws(CirculationError) in
        try await returnedAndBorrowed(loan, in: call)
      }
    }
    return .borrowed(try await work.value.get())
  }

  private func returnedAndBorrowed(_ loan: Loan, in call: Call)
    async throws(CirculationError) -> Loan
  {
    var doubt: CirculationError?
    do throws(CirculationError) {
      let answer = try await ask(try cardholder(.renew).checkIn(loan.item), .renew, in: call)
      if !isNod(answer) { doubt = Documents.malformed("a word of the return", .renew) }
    } catch {
      // It was on the shelf a moment ago: that it is not there now may mean that it is returned.
      guard error.reason == .notBorrowed else { throw error }
      doubt = error
    }
    await pause(in: call)
    do throws(CirculationError) {
      let anew = try await borrowed(loan.item, .renew, in: call)
      guard anew.isNew || isLater(anew.loan.until, than: loan.until) else {
        throw doubt ?? Documents.error(.notRenewable, .renew, "the loan is what it was")
      }
      return anew.loan
    } catch {
      guard doubt == nil else { throw error }
      throw Documents.error(
        error.reason, .renew, "returned, but not lent again: \(error.providerSays ?? "no answer")")
    }
  }

  /// The service wants a moment between the two (§7), if there is as much left.
  private func pause(in call: Call) async {
    let end = session.clock.now() + .milliseconds(500)
    guard end + .milliseconds(500) < call.deadline else { return }
    do throws(CancellationError) { try await session.clock.sleep(end) } catch { return }
  }

  private func isLater(_ one: Date?, than other: Date?) -> Bool {
    guard let one, let other else { return false }
    return one > other
  }
}
