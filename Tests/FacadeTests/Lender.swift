import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import ProviderKit
import Registry
import Secrets
import Synchronization

@testable import Facade

/// A library that lends for as long as a test runs: copies, queues, limits, two branches for paper, and
/// what goes wrong with it when a test says so.
final class Lender: Sendable {
  struct State {
    var copies: [ItemID: Int] = [:]
    var shelves: [AccountID: Shelf] = [:]
    var limit = 10
    /// What the next commands end with; they are carried out all the same where `isDone`.
    var faults: [(reason: CirculationError.Reason, isDone: Bool)] = []
    var commands: [String] = []
    var isRenewable = true
    var branches: [Branch] = []
    /// How often somebody asked for them.
    var branchesAsked = 0
  }

  let state = Mutex(State())

  func stock(_ item: String, _ copies: Int) {
    state.withLock { $0.copies[ItemID(item)] = copies }
  }

  func fail(_ reason: CirculationError.Reason, isDone: Bool = false) {
    state.withLock { $0.faults.append((reason, isDone)) }
  }

  func change(_ account: AccountID, _ body: (inout Shelf) -> Void) {
    state.withLock { body(&$0.shelves[account, default: Shelf()]) }
  }

  var commands: [String] { state.withLock { $0.commands } }
  func shelf(_ account: AccountID) -> Shelf { state.withLock { $0.shelves[account] ?? Shelf() } }
}

/// One card there.
struct LenderCard: CirculationProvider {
  static let capabilities: Set<Capability> = [
    .availability, .shelf, .lending, .earlyReturn, .renewal, .holds, .fulfilment, .physicalHolds,
  ]

  let lender: Lender
  let account: AccountID

  func describe() -> ProviderDescription {
    ProviderDescription(provider: ProviderID("lender"), availabilityBatch: 25)
  }

  private func error(_ reason: CirculationError.Reason, _ operation: Circulation.Operation)
    -> CirculationError
  {
    CirculationError(reason, from: ProviderID("lender"), during: operation)
  }

  private func command<Answer>(
    _ name: String, _ operation: Circulation.Operation,
    _ body: (inout Lender.State, inout Shelf) -> Result<Answer, CirculationError>
  ) throws(CirculationError) -> Answer {
    let result = lender.state.withLock { state -> Result<Answer, CirculationError> in
      let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      if let fault, !fault.isDone { return .failure(error(fault.reason, operation)) }
      var shelf = state.shelves[account] ?? Shelf()
      let result = body(&state, &shelf)
      if case .success = result {
        state.shelves[account] = shelf
        state.commands.append(name)
      }
      return fault.map { .failure(error($0.reason, operation)) } ?? result
    }
    return try result.get()
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    lender.state.withLock { state in
      Dictionary(
        items.map { item in
          let lent = state.shelves.values.count { $0.loan(of: item) != nil }
          let waiting = state.shelves.values.count { $0.hold(on: item) != nil }
          let total = state.copies[item] ?? 0
          let copies = Availability.Copies(
            total: total, available: max(0, total - lent), holds: waiting)
          let status: Availability.Status =
            state.copies[item] == nil
            ? .unknownToProvider : total > lent ? .available(copies) : .queued(copies)
          return (item, Availability(status, asOf: Date(timeIntervalSince1970: 1_798_761_600)))
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  func shelf(in call: Call) async throws(CirculationError) -> Shelf { lender.shelf(account) }

  func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    try command("borrow \(item)", .checkOut) { state, shelf in
      guard shelf.loans.count < state.limit else {
        return .failure(error(.loanLimitReached(limit: state.limit), .checkOut))
      }
      var loan = Loan(item: item, until: Date(timeIntervalSince1970: 1_799_971_200))
      loan.since = Date(timeIntervalSince1970: 1_798_761_600)
      loan.formats = [Format(id: "epub", content: .epub, protection: .none)]
      loan.isRenewable = state.isRenewable
      shelf.holds.removeAll { $0.item == item }
      shelf.loans.append(loan)
      return .success(.borrowed(loan))
    }
  }

  func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    try command("return \(item)", .checkIn) { _, shelf -> Result<Void, CirculationError> in
      guard shelf.loan(of: item) != nil else { return .failure(error(.notBorrowed, .checkIn)) }
      shelf.loans.removeAll { $0.item == item }
      return .success(())
    }
  }

  func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome {
    try command("renew \(item)", .renew) { _, shelf in
      guard let place = shelf.loans.firstIndex(where: { $0.item == item }) else {
        return .failure(error(.notBorrowed, .renew))
      }
      shelf.loans[place].until = Date(timeIntervalSince1970: 1_801_180_800)
      return .success(.borrowed(shelf.loans[place]))
    }
  }

  func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let place = options.pickup.map { " at \($0)" } ?? ""
    return try command("hold \(item)\(place)", .placeHold) { _, shelf in
      var hold = Hold(item: item, status: .waiting(position: 3, total: 5))
      hold.pickup = options.pickup
      shelf.holds.append(hold)
      return .success(hold)
    }
  }

  func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    try command("cancel \(item)", .cancelHold) { _, shelf -> Result<Void, CirculationError> in
      guard shelf.hold(on: item) != nil else { return .failure(error(.notOnHold, .cancelHold)) }
      shelf.holds.removeAll { $0.item == item }
      return .success(())
    }
  }

  func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard lender.shelf(account).loan(of: item) != nil else {
      throw error(.notBorrowed, .fulfil)
    }
    let format = format ?? Format(id: "epub", content: .epub, protection: .none)
    let link = Fulfilment.Link(address: "https://lender.example/\(item)", format: format)
    return format.protection == .streaming ? .handOff(link) : .file(link)
  }

  func branches(in call: Call) async throws(CirculationError) -> [Branch] {
    lender.state.withLock { state in
      state.branchesAsked += 1
      return state.branches
    }
  }
}

let lenderService = ProviderID("lender")

/// What a test makes happen there.
extension LendingRoom {
  /// Another edition of the one that is there, in the same work.
  func addTwin() async throws {
    let twin = ReadingRoom.book("twin", "The Here Book") {
      $0.isbns = [ISBN("9780141439587")].compactMap(\.self)
      $0.formats = [Format(id: "epub", content: .epub, protection: .none)]
    }
    try await catalog.take([twin], of: town, provider: lenderService)
    try await catalog.matchWaiting()
  }

  /// Another card of Ada's at the same library.
  func secondCard() async throws -> Account {
    try await registry.link(
      patron: ada.patron, name: .like("town"), provider: lenderService, library: town,
      credentials: Credentials(["card": Secret("21000003"), "pin": Secret("1234")]),
      pinVerified: true,
      request: "r")
  }

  /// The library is asked what stands on a card, and what it tells is on the shelf.
  func sync(_ account: Account) async throws {
    let call = Call(patron: nil, deadline: .now + .seconds(10), requestID: "sync")
    for synced in await desk.sync([account.id], in: call) { _ = try synced.result.get() }
    watch.forget()
  }

  /// All copies are with others now.
  func lendToOthers(_ item: String) {
    lender.stock(item, 1)
    lender.change(AccountID("faster")) { $0.loans = [Loan(item: ItemID(item), until: nil)] }
  }
}
