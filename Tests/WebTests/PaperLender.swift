import Circulation
import FoundationEssentials
import ProviderKit
import Secrets
import Synchronization

/// A library that lends for as long as a test runs.
final class PaperLender: Sendable {
  struct State {
    var copies: [ItemID: Int] = [:]
    var shelf = Shelf()
    var commands: [String] = []
    /// The PIN of each card; nil for one that has none.
    var cards: [String: String?] = ["21000001": "1234"]
    var branches: [Branch] = []
    /// Where loans are read at the library itself, less their name.
    var page = "https://town.example/once/"
    /// What the next command ends with.
    var fault: CirculationError.Reason?
  }

  let state = Mutex(State())

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
  var commands: [String] { state.withLock { $0.commands } }
}

/// The one card there.
struct PaperCard: CirculationProvider {
  static let capabilities: Set<Capability> = [
    .availability, .shelf, .lending, .earlyReturn, .renewal, .holds, .physicalHolds,
  ]

  let lender: PaperLender
  var credentials = Credentials([:])

  func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    let number = credentials["card"]?.revealText { $0 } ?? ""
    let pin = credentials["pin"]?.revealText { $0 }
    let isKnown = lender.state.withLock { state in
      state.commands.append("check \(number)")
      return state.cards[number].map { $0 == pin } ?? false
    }
    guard isKnown else {
      throw CirculationError(
        .credentialsRejected, from: ProviderID("paper"), during: .checkAccount)
    }
    return AccountStanding(loanLimit: 10, holdLimit: 5)
  }

  func describe() -> ProviderDescription {
    ProviderDescription(provider: ProviderID("paper"), availabilityBatch: 25)
  }

  private func command<Answer>(
    _ name: String, _ operation: Circulation.Operation, _ body: (inout Shelf) -> Answer
  ) throws(CirculationError) -> Answer {
    let result = lender.state.withLock { state -> Result<Answer, CirculationError> in
      if let fault = state.fault {
        state.fault = nil
        return .failure(CirculationError(fault, from: ProviderID("paper"), during: operation))
      }
      state.commands.append(name)
      return .success(body(&state.shelf))
    }
    return try result.get()
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    lender.state.withLock { state in
      Dictionary(
        items.map { item in
          let total = state.copies[item] ?? 0
          let left = max(0, total - (state.shelf.loan(of: item) == nil ? 0 : 1))
          let copies = Availability.Copies(total: max(1, total), available: left, holds: 4)
          return (
            item, Availability(left > 0 ? .available(copies) : .queued(copies), asOf: LobbyRoom.day)
          )
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    lender.state.withLock { $0.shelf }
  }

  func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    try command("borrow \(item)", .checkOut) { shelf in
      var loan = Loan(item: item, until: LobbyRoom.day.addingTimeInterval(14 * 86_400))
      loan.since = LobbyRoom.day
      shelf.holds.removeAll { $0.item == item }
      shelf.loans.append(loan)
      return .borrowed(loan)
    }
  }

  func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    try command("return \(item)", .checkIn) { $0.loans.removeAll { $0.item == item } }
  }

  func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome {
    try command("renew \(item)", .renew) { shelf in
      .borrowed(shelf.loan(of: item) ?? Loan(item: item, until: nil))
    }
  }

  func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let place = options.pickup.map { " at \($0)" } ?? ""
    return try command("hold \(item)\(place)", .placeHold) { shelf in
      let hold = Hold(item: item, status: .waiting(position: 5, total: 5))
      shelf.holds.append(hold)
      return hold
    }
  }

  func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    try command("cancel \(item)", .cancelHold) { $0.holds.removeAll { $0.item == item } }
  }

  func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    let address = lender.state.withLock { $0.page } + item.rawValue
    return .handOff(.init(address: address, format: format ?? LobbyRoom.streamed))
  }

  func branches(in call: Call) async throws(CirculationError) -> [Branch] {
    lender.state.withLock { $0.branches }
  }
}
