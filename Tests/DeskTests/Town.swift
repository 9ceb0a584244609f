import Circulation
import FoundationEssentials
import Synchronization

/// What a library may do to a call, once.
enum Fault: Sendable {
  /// Nothing is done.
  case fail(CirculationError.Reason)
  /// Done, and the answer is lost.
  case lose(CirculationError.Reason)
  /// Done later, when nobody waits any more.
  case late(seconds: Int64, CirculationError.Reason)
  /// No answer until the deadline.
  case stall
  /// Done twice, and the second answer is what is heard.
  case twice
  /// The shelf as it was.
  case stale(seconds: Int64)
  case empty
  /// Before anything is done, or when it is done and the answer is on its way.
  case first(@Sendable () async -> Void)
  case then(@Sendable () async -> Void)
  /// Both, and the answer is lost.
  case thenLost(@Sendable () async -> Void)
}

/// One command as the library saw it.
struct Deed: Sendable, Hashable {
  let verb: String
  let item: ItemID
  let account: AccountID
  let attempt: String
}

/// A small library that really lends: its copies, loans and holds are the truth of these tests.
final class Town: Sendable {
  struct State {
    var copies: [ItemID: Int] = [:]
    var shelves: [AccountID: Shelf] = [:]
    var past: [(at: Int64, shelves: [AccountID: Shelf])] = []
    var pending: [(due: Int64, deed: Deed)] = []
    var effects: [Deed] = []
    var asked: [Circulation.Operation] = []
    var faults: [Circulation.Operation: [Fault]] = [:]
    var dead: Set<AccountID> = []
    /// Of which the gateway knows nothing any more.
    var unlinked: Set<AccountID> = []
  }

  let clock: Clock
  let state = Mutex(State())
  /// Decides on a fault where none is planned.
  let chance = Mutex<@Sendable (Circulation.Operation, AccountID) -> Fault?>({ _, _ in nil })

  init(_ clock: Clock) { self.clock = clock }

  func stock(_ item: ItemID, copies: Int = 1) { state.withLock { $0.copies[item] = copies } }

  func plan(_ operation: Circulation.Operation, _ faults: Fault...) {
    state.withLock { $0.faults[operation, default: []] += faults }
  }

  func kill(_ account: AccountID) { state.withLock { _ = $0.dead.insert(account) } }

  func shelf(of account: AccountID) -> Shelf {
    state.withLock { state in
      arrive(&state)
      var shelf = state.shelves[account] ?? Shelf()
      shelf.loans.sort { $0.item < $1.item }
      shelf.holds.sort { $0.item < $1.item }
      return shelf
    }
  }

  /// How often something was changed by this attempt.
  func effects(of attempt: String) -> Int {
    state.withLock { $0.effects.count { $0.attempt == attempt } }
  }

  var effects: [Deed] {
    state.withLock { state in
      arrive(&state)
      return state.effects
    }
  }

  func count(_ operation: Circulation.Operation) -> Int {
    state.withLock { $0.asked.count { $0 == operation } }
  }

  /// A change by other means than the gateway.
  func change(_ account: AccountID, _ change: (inout Shelf) -> Void) {
    state.withLock { state in
      remember(&state)
      change(&state.shelves[account, default: Shelf()])
    }
  }

  func isLinked(_ account: AccountID) -> Bool { state.withLock { !$0.unlinked.contains(account) } }

  func unlink(_ account: AccountID) { state.withLock { _ = $0.unlinked.insert(account) } }

  func fault(_ operation: Circulation.Operation, _ account: AccountID) -> Fault? {
    let (planned, isDead) = state.withLock { state -> (Fault?, Bool) in
      arrive(&state)
      state.asked.append(operation)
      guard !(state.faults[operation] ?? []).isEmpty else {
        return (nil, state.dead.contains(account))
      }
      return (state.faults[operation]?.removeFirst(), false)
    }
    if isDead { return .stall }
    return planned ?? chance.withLock { $0 }(operation, account)
  }

  func shelf(of account: AccountID, secondsAgo: Int64) -> Shelf {
    let moment = clock.real - secondsAgo * 1000
    return state.withLock { state in
      // The state before the first change that came later.
      let then = state.past.first { $0.at > moment }?.shelves ?? state.shelves
      return then[account] ?? Shelf()
    }
  }

  func delay(_ deed: Deed, seconds: Int64) {
    state.withLock { $0.pending.append((clock.real + seconds * 1000, deed)) }
  }

  func perform(_ deed: Deed) -> Result<Void, Refusal> {
    state.withLock { perform(deed, at: clock.real, &$0) }
  }

  struct Refusal: Error { let reason: CirculationError.Reason }

  private func arrive(_ state: inout State) {
    let due = state.pending.filter { $0.due <= clock.real }.sorted { $0.due < $1.due }
    state.pending.removeAll { $0.due <= clock.real }
    // A refusal reaches nobody.
    for one in due { _ = perform(one.deed, at: one.due, &state) }
  }

  private func remember(_ state: inout State, at moment: Int64? = nil) {
    state.past.append((moment ?? clock.real, state.shelves))
    if state.past.count > 60 { state.past.removeFirst() }
  }

  private func perform(_ deed: Deed, at moment: Int64, _ state: inout State)
    -> Result<Void, Refusal>
  {
    let free =
      state.copies[deed.item, default: 0]
      - state.shelves.values.count { $0.loan(of: deed.item) != nil }
    var shelf = state.shelves[deed.account] ?? Shelf()
    if let reason = shelf.change(deed, free: free, at: moment) {
      return .failure(Refusal(reason: reason))
    }
    remember(&state, at: moment)
    state.shelves[deed.account] = shelf
    state.effects.append(deed)
    return .success(())
  }
}

extension Shelf {
  /// The reason why not, or nil when it is done.
  fileprivate mutating func change(_ deed: Deed, free: Int, at moment: Int64)
    -> CirculationError.Reason?
  {
    let item = deed.item
    let loan = loans.firstIndex { $0.item == item }
    let hold = holds.firstIndex { $0.item == item }
    switch deed.verb {
    case "borrow":
      if loan != nil { return .alreadyBorrowed }
      if free < 1 { return .noCopiesAvailable }
      var new = Loan(item: item, until: Date(timeIntervalSince1970: Double(moment / 1000 + 86_400)))
      (new.title, new.authors, new.isRenewable) = ("Title of \(item)", ["A. Author"], true)
      loans.append(new)
      if let hold { holds.remove(at: hold) }
    case "give_back":
      guard let loan else { return .notBorrowed }
      loans.remove(at: loan)
    case "renew":
      guard let loan else { return .notBorrowed }
      loans[loan].until = loans[loan].until?.addingTimeInterval(86_400)
    case "place_hold":
      if hold != nil { return .alreadyOnHold }
      if loan != nil { return .alreadyBorrowed }
      if free > 0 { return .currentlyAvailable }
      holds.append(Hold(item: item, status: .waiting(position: 1, total: 1)))
    case "cancel_hold":
      guard let hold else { return .notOnHold }
      holds.remove(at: hold)
    case "suspend_hold":
      guard let hold else { return .notOnHold }
      holds[hold].status = .suspended(until: nil)
    default:
      guard let hold else { return .notOnHold }
      holds[hold].status = .waiting(position: 1, total: 1)
    }
    return nil
  }
}
