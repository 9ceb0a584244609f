import Catalog
package import Circulation
import Crypto
import Database
import Desk
package import HTTP
package import HTTPServer
import Machine
package import Registry
package import Slips

/// A reader's wish, carried to the desk.
package struct Carrying: Sendable {
  private let stock: Stock
  private let watch: Watch
  private let lending: LendingStock
  private let card: Account
  private let item: ItemID
  /// Nil for what the reader has no longer, and no library lists: it can still be told what became of it.
  private let way: Way?
  private let call: Call
  /// Names the attempt: the same name twice is the same command.
  private let attempt: String
  /// Whether the attempt was begun before, so that what stands as it wanted may be its own doing.
  private let isRepeated: Bool

  package init(
    _ wanted: Wanted, from stock: Stock, _ watch: Watch, by lending: LendingStock, call: Call,
    attempt: String
  ) {
    self.init(
      wanted.item, on: wanted.account, wanted.way, from: stock, watch, by: lending, call: call,
      attempt: attempt)
  }

  package init(
    _ item: ItemID, on card: Account, _ way: Way?, from stock: Stock, _ watch: Watch,
    by lending: LendingStock, call: Call, attempt: String, isRepeated: Bool = false
  ) {
    (self.item, self.card, self.way, self.stock, self.watch) = (item, card, way, stock, watch)
    (self.lending, self.call, self.attempt) = (lending, call, attempt)
    self.isRepeated = isRepeated
  }

  private var library: String { stock.nameOfLibrary(card.library) }
  private var account: AccountID { card.id }
  private var isPaper: Bool { way?.isPaper == true }

  /// As a slip says, and nothing beyond it: one that borrows queues nobody.
  package func perform(_ action: Slip.Action, choice: String? = nil) async throws(Problem) -> Deed {
    try await carried { () throws(DeskError) in
      switch action {
      // Paper is put aside and never taken from afar.
      case .borrow where isPaper: return try await placeHold(at: choice)
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
      if isPaper { return try await placeHold(at: nil) }
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
      if case .provider(let refusal) = error { await lending.note(refusal.reason, card) }
      if case .provider(let refusal) = error, refusal.reason.leavesOutcomeOpen,
        await isOpen()
      {
        throw Refusals.inDoubt(at: library)
      }
      throw Refusals.problem(error, at: library)
    }
  }

  /// Whether the desk still holds an open command of this attempt's account.
  private func isOpen() async -> Bool {
    (try? await lending.desk.accountsInDoubt())?.contains(account) ?? true
  }

  // MARK: - One by one

  /// Nil where all copies are out and there is a queue: the entry offers it from now on.
  private func borrow(_ format: String?) async throws(DeskError) -> Deed? {
    let formats = way?.listed.edition.formats ?? []
    let chosen = format.flatMap { word in formats.first { $0.id == word } }
    let borrowing = try await lending.desk.borrow(
      item, as: chosen, on: account, attempt: attempt, in: call)
    switch borrowing {
    case .lent(let loan): return Deed(.lent, until: loan.until)
    case .had(let loan): return Deed(try await isOwn(attempt) ? .lent : .had, until: loan.until)
    case .waiting(let hold):
      return Deed(try await isOwn(Self.ofHold(attempt)) ? .waiting : .waitingBefore, hold)
    case .inDoubt: throw .attemptEnded(.untold)
    case .allOut(let seen, let canWait):
      try await note(seen)
      guard canWait else { throw refused(.noCopiesAvailable) }
      return nil
    }
  }

  /// Whether the feed that the reader came from said that all copies are out.
  private var wasToldOfQueue: Bool {
    guard case .queued = way?.listed.availability?.status else { return false }
    return way?.hold?.isReady != true
  }

  private func placeHold(at branch: String?) async throws(DeskError) -> Deed {
    let options = HoldOptions(pickup: branch.map { BranchID($0) })
    let outcome = try await lending.desk.placeHold(
      on: item, options: options, on: account, attempt: Self.ofHold(attempt), in: call)
    switch outcome {
    case .done(let hold): return Deed(.waiting, hold)
    case .already(let hold):
      return Deed(try await isOwn(Self.ofHold(attempt)) ? .waiting : .waitingBefore, hold)
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
    try await expect(way?.loan, .notBorrowed, during: .checkIn) { desk throws(DeskError) in
      try await desk.loans(of: [account]).contains { $0.loan.item == item }
    }
    switch try await lending.desk.giveBack(item, on: account, attempt: attempt, in: call) {
    case .done, .already: return Deed(.returned)
    case .inDoubt: throw .attemptEnded(.untold)
    }
  }

  private func cancelHold() async throws(DeskError) -> Deed {
    try await expect(way?.hold, .notOnHold, during: .cancelHold) { desk throws(DeskError) in
      try await desk.holds(of: [account]).contains { $0.hold.item == item }
    }
    switch try await lending.desk.cancelHold(on: item, on: account, attempt: attempt, in: call) {
    case .done, .already: return Deed(.cancelled)
    case .inDoubt: throw .attemptEnded(.untold)
    }
  }

  /// Some libraries take back what the patron does not have, and that must not be called returned. The
  /// tables are asked where the page shows nothing: another gateway may have lent it a moment ago.
  private func expect<Held: Sendable>(
    _ shown: Held?, _ refusal: CirculationError.Reason, during operation: Circulation.Operation,
    isKept: (Desk) async throws(DeskError) -> Bool
  ) async throws(DeskError) {
    guard shown == nil, !isRepeated else { return }
    guard try await !isKept(lending.desk), await !isOpen() else { return }
    throw refused(refusal, during: operation)
  }

  /// What was just heard of copies is what the next feed shows.
  private func note(_ seen: Availability) async throws(DeskError) {
    do throws(DatabaseError) {
      try await stock.catalog.note([item: seen], at: card.library)
    } catch {
      throw .database(error)
    }
  }

  private func refused(
    _ reason: CirculationError.Reason, during operation: Circulation.Operation = .checkOut
  ) -> DeskError {
    .provider(CirculationError(reason, from: card.provider, during: operation))
  }

  // MARK: - The same attempt again

  /// A borrow link may first find no copy and then join the queue: that is a command of its own.
  static func ofHold(_ attempt: String) -> String { attempt + ".hold" }

  private func isOwn(_ attempt: String) async throws(DeskError) -> Bool {
    guard isRepeated else { return false }
    return try await lending.desk.isKnown(attempt, on: account)
  }
}

extension Wanted {
  /// What ends a loan at this moment is to be given back, what is waited for to be given up; nil where
  /// there is neither.
  package var ending: Slip.Action? {
    way.loan != nil ? .giveBack : way.hold != nil ? .cancelHold : nil
  }
}

extension Request {
  /// The client's own name for what it asks for, where it gives one, within this reader's own and this
  /// route.
  package func key(of patron: PatronID, on route: String) -> RequestKey? {
    guard let key = self["Idempotency-Key"], RequestKey.isFit(key) else { return nil }
    let parts = ["\(method)", path.joined(separator: "/"), head.rawQuery ?? ""]
    return RequestKey(
      key, of: patron, on: route,
      asking: parts.joined(separator: "\0") + "\0" + Hex.encode(Digest.sha256.hash(body)))
  }

  /// For a request without a key: one that is never sent again.
  package static var newAttempt: String { "feed-" + Hex.encode(Chance.system.bytes(12)) }
}
