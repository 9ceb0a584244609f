import Catalog
package import Circulation
import Crypto
import Database
import Desk
package import HTTP
package import HTTPServer
import Machine
import Registry
package import Slips

/// A reader's wish, carried to the desk.
package struct Carrying: Sendable {
  private let stock: Stock
  private let watch: Watch
  private let lending: LendingStock
  private let wanted: Wanted
  private let call: Call
  /// Names the attempt: the same name twice is the same command.
  private let attempt: String

  package init(
    _ wanted: Wanted, from stock: Stock, _ watch: Watch, by lending: LendingStock, call: Call,
    attempt: String
  ) {
    (self.wanted, self.stock, self.watch) = (wanted, stock, watch)
    (self.lending, self.call, self.attempt) = (lending, call, attempt)
  }

  private var library: String { stock.nameOfLibrary(wanted.library) }
  private var item: ItemID { wanted.item }
  private var account: AccountID { wanted.account.id }

  /// As a slip says, and nothing beyond it: one that borrows queues nobody.
  package func perform(_ action: Slip.Action, choice: String? = nil) async throws(Problem) -> Deed {
    try await carried { () throws(DeskError) in
      switch action {
      // Paper is put aside and never taken from afar.
      case .borrow where wanted.way.isPaper: return try await placeHold(at: choice)
      case .borrow:
        guard let deed = try await borrow(choice) else { throw refused(.noCopiesAvailable) }
        return deed
      case .placeHold: return try await placeHold(at: choice)
      case .renew: return try await renew()
      case .giveBack: return try await giveBack()
      case .cancelHold: return try await cancelHold()
      }
    }
  }

  /// As a borrow link says: a copy, or a place in the queue that the feed told of.
  package func follow(as format: String?) async throws(Problem) -> Deed {
    try await carried { () throws(DeskError) in
      if wanted.way.isPaper { return try await placeHold(at: nil) }
      if let deed = try await borrow(format) { return deed }
      guard wasToldOfQueue else { throw refused(.noCopiesAvailable) }
      return try await placeHold(at: nil)
    }
  }

  private func carried(
    _ body: () async throws(DeskError) -> Deed
  ) async throws(Problem) -> Deed {
    do throws(DeskError) {
      let deed = try await body()
      watch.forget()
      return deed
    } catch {
      watch.forget()
      if case .provider(let refusal) = error { await lending.note(refusal.reason, account) }
      if case .provider(let refusal) = error, refusal.reason.leavesOutcomeOpen,
        await isOpen()
      {
        throw Refusals.inDoubt(at: library)
      }
      throw Refusals.problem(error, at: library)
    }
  }

  /// What ends a loan at this moment is to be given back, what is waited for to be given up.
  package func giveUp() async throws(Problem) -> Deed {
    if wanted.way.loan != nil { return try await perform(.giveBack) }
    if wanted.way.hold != nil { return try await perform(.cancelHold) }
    throw Refusals.problem(code: "not_borrowed", at: library)
  }

  /// Whether the desk still holds an open command of this attempt's account.
  private func isOpen() async -> Bool {
    (try? await lending.desk.accountsInDoubt())?.contains(account) ?? true
  }

  // MARK: - One by one

  /// Nil where all copies are out and there is a queue: the entry offers it from now on.
  private func borrow(_ format: String?) async throws(DeskError) -> Deed? {
    let formats = wanted.way.listed.edition.formats
    let chosen = format.flatMap { word in formats.first { $0.id == word } }
    let borrowing = try await lending.desk.borrow(
      item, as: chosen, on: account, attempt: attempt, in: call)
    switch borrowing {
    case .lent(let loan): return Deed(.lent, until: loan.until)
    case .had(let loan): return Deed(.had, until: loan.until)
    case .waiting(let hold): return Deed(.waitingBefore, hold)
    case .inDoubt: throw .attemptEnded(.untold)
    case .allOut(let seen, let canWait):
      try await note(seen)
      guard canWait else { throw refused(.noCopiesAvailable) }
      return nil
    }
  }

  /// Whether the feed that the reader came from said that all copies are out.
  private var wasToldOfQueue: Bool {
    guard case .queued = wanted.way.listed.availability?.status else { return false }
    return wanted.way.hold?.isReady != true
  }

  private func placeHold(at branch: String?) async throws(DeskError) -> Deed {
    let options = HoldOptions(pickup: branch.map { BranchID($0) })
    let outcome = try await lending.desk.placeHold(
      on: item, options: options, on: account, attempt: attempt + ".hold", in: call)
    switch outcome {
    case .done(let hold): return Deed(.waiting, hold)
    case .already(let hold): return Deed(.waitingBefore, hold)
    case .inDoubt: throw .attemptEnded(.untold)
    }
  }

  private func renew() async throws(DeskError) -> Deed {
    switch try await lending.desk.renew(item, on: account, attempt: attempt, in: call) {
    case .done(.borrowed(let loan)), .already(.borrowed(let loan)):
      return Deed(.renewed, until: loan.until)
    case .done(.waiting(let hold)), .already(.waiting(let hold)): return Deed(.waiting, hold)
    case .inDoubt: throw .attemptEnded(.untold)
    }
  }

  private func giveBack() async throws(DeskError) -> Deed {
    switch try await lending.desk.giveBack(item, on: account, attempt: attempt, in: call) {
    case .done, .already: return Deed(.returned)
    case .inDoubt: throw .attemptEnded(.untold)
    }
  }

  private func cancelHold() async throws(DeskError) -> Deed {
    switch try await lending.desk.cancelHold(on: item, on: account, attempt: attempt, in: call) {
    case .done, .already: return Deed(.cancelled)
    case .inDoubt: throw .attemptEnded(.untold)
    }
  }

  /// What was just heard of copies is what the next feed shows.
  private func note(_ seen: Availability) async throws(DeskError) {
    do throws(DatabaseError) {
      try await stock.catalog.note([item: seen], at: wanted.library)
    } catch {
      throw .database(error)
    }
  }

  private func refused(_ reason: CirculationError.Reason) -> DeskError {
    .provider(CirculationError(reason, from: wanted.account.provider, during: .checkOut))
  }
}

extension Request {
  /// One name for one wish: the client's, where it gives one, within this reader's own and this
  /// route; else a new one.
  package func attempt(of patron: PatronID, on route: String) -> String {
    guard let key = self["Idempotency-Key"], (16...255).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return "feed-" + Hex.encode(Chance.system.bytes(12)) }
    let words = "\(patron.rawValue)\0\(route)\0\(method)\0\(key)"
    return "key-" + Hex.encode(Array(Digest.sha256.hash(words).prefix(16)))
  }
}
