import Circulation
import FoundationEssentials
import Synchronization

/// A reader's card at the town's library.
struct Card: CirculationProvider {
  static let capabilities: Set<Capability> = [
    .availability, .shelf, .lending, .earlyReturn, .renewal, .holds, .suspension,
    .fulfilment, .physicalHolds,
  ]

  let town: Town
  let account: AccountID

  func describe() -> ProviderDescription {
    ProviderDescription(provider: "town", availabilityBatch: 25)
  }

  private func error(_ reason: CirculationError.Reason, _ operation: Circulation.Operation)
    -> CirculationError
  {
    CirculationError(reason, from: "town", during: operation)
  }

  private func stall(_ call: Call, _ operation: Circulation.Operation)
    async throws(CirculationError) -> Never
  {
    // The desk holds its adapters to deadlines of the real clock, so a stall has to take real time.
    do { try await Task.sleep(until: call.deadline, clock: .continuous) } catch {
      throw self.error(.cancelled, operation)
    }
    throw error(.deadlineExceeded, operation)
  }

  /// A command, done or spoiled; the shelf as it is afterwards.
  private func command(
    _ verb: String, _ item: ItemID, _ operation: Circulation.Operation, _ call: Call
  ) async throws(CirculationError) -> Shelf {
    let deed = Deed(verb: verb, item: item, account: account, attempt: call.requestID)
    let fault = town.fault(operation, account)
    switch fault {
    case .fail(let reason): throw error(reason, operation)
    case .late(let seconds, let reason):
      town.delay(deed, seconds: seconds)
      throw error(reason, operation)
    case .stall: try await stall(call, operation)
    case .first(let deed): await deed()
    default: break
    }
    if case .twice = fault { _ = town.perform(deed) }
    let result = town.perform(deed)
    if case .lose(let reason) = fault { throw error(reason, operation) }
    if case .then(let deed) = fault { await deed() }
    if case .thenLost(let deed) = fault {
      await deed()
      throw error(.networkFailure, operation)
    }
    do throws(Town.Refusal) { try result.get() } catch {
      throw self.error(error.reason, operation)
    }
    return town.shelf(of: account)
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    switch town.fault(.availability, account) {
    case .fail(let reason): throw error(reason, .availability)
    case .first(let deed): await deed()
    default: break
    }
    return town.state.withLock { state in
      var answers: [ItemID: Availability] = [:]
      for item in items {
        let lent = state.shelves.values.count { $0.loan(of: item) != nil }
        let status: Availability.Status
        switch state.copies[item] {
        case nil: status = .unknownToProvider
        case 0?: status = .unavailable(.init(total: 0))
        case let copies?:
          let free = copies - lent
          status =
            free > 0
            ? .available(.init(available: free)) : .queued(.init(total: copies, available: 0))
        }
        answers[item] = Availability(status, asOf: Date(timeIntervalSince1970: 0))
      }
      return answers
    }
  }

  func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    let fault = town.fault(.shelf, account)
    switch fault {
    case .fail(let reason), .lose(let reason), .late(_, let reason): throw error(reason, .shelf)
    case .stall: try await stall(call, .shelf)
    case .stale(let seconds): return town.shelf(of: account, secondsAgo: seconds)
    case .empty: return Shelf()
    case .first(let deed): await deed()
    case .then, .thenLost, .twice, nil: break
    }
    let shelf = town.shelf(of: account)
    if case .then(let deed) = fault { await deed() }
    if case .thenLost(let deed) = fault {
      await deed()
      throw error(.networkFailure, .shelf)
    }
    return shelf
  }

  func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    let shelf = try await command("borrow", item, .checkOut, call)
    guard let loan = shelf.loan(of: item) else { throw error(.titleGone, .checkOut) }
    return .borrowed(loan)
  }

  func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    _ = try await command("give_back", item, .checkIn, call)
  }

  func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome {
    let shelf = try await command("renew", item, .renew, call)
    guard let loan = shelf.loan(of: item) else { throw error(.titleGone, .renew) }
    return .borrowed(loan)
  }

  func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    try hold(on: item, in: await command("place_hold", item, .placeHold, call))
  }

  func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    _ = try await command("cancel_hold", item, .cancelHold, call)
  }

  func suspendHold(on item: ItemID, days: Int?, in call: Call)
    async throws(CirculationError) -> Hold
  {
    try hold(on: item, in: await command("suspend_hold", item, .suspendHold, call))
  }

  func resumeHold(on item: ItemID, in call: Call) async throws(CirculationError) -> Hold {
    try hold(on: item, in: await command("resume_hold", item, .resumeHold, call))
  }

  func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    switch town.fault(.fulfil, account) {
    case .fail(let reason): throw error(reason, .fulfil)
    case .stall: try await stall(call, .fulfil)
    default: break
    }
    guard town.shelf(of: account).loan(of: item) != nil else { throw error(.notBorrowed, .fulfil) }
    let format = format ?? Format(id: "epub", content: .epub, protection: .none)
    return .file(.init(address: "https://town.example/\(item).\(format.id)", format: format))
  }

  func branches(in call: Call) async throws(CirculationError) -> [Branch] {
    if case .fail(let reason) = town.fault(.branches, account) { throw error(reason, .branches) }
    return [Branch(id: "north", name: "North")]
  }

  private func hold(on item: ItemID, in shelf: Shelf) throws(CirculationError) -> Hold {
    guard let hold = shelf.hold(on: item) else { throw error(.titleGone, .placeHold) }
    return hold
  }
}
