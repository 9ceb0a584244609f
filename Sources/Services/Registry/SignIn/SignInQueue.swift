import Synchronization

/// Lets sign-ins wait for one another instead of counting those in flight as failures: per number one
/// at a time, and from one address or network no more at once than wrong ones are still allowed from
/// there. So a burst of wrong ones cannot exceed a limit, and a burst of right ones is only put in
/// order.
final class SignInQueue: Sendable {
  struct Settings: Sendable {
    var patience = Duration.seconds(10)
    var longestPerPlace = 1_000
    var longest = 4_000
  }

  /// An address or a network, and how many wrong ones are allowed from there.
  struct Place: Sendable {
    let id: UInt64
    let limit: Int
  }

  /// What one sign-in holds.
  struct Turn: Sendable {
    let key: UInt64
    /// The address first; none where it is not counted.
    let places: [Place]
    /// Whether it was held up, so that what was read before is old.
    let hasWaited: Bool
  }

  /// How much had failed here when a count was read.
  struct Moment: Sendable {
    fileprivate let failures: Int
    fileprivate let ofPlaces: [UInt64: Int]
  }

  private struct Load {
    var visitors = 0
    var inFlight = 0
    var waiting = 0
    /// As last read, with what failed here since then. Until it was read, all of them.
    var wrong: Int?
    var failures = 0
  }

  private struct Waiter {
    let id: UInt64
    let turn: Turn
    let answer: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var loads: [UInt64: Load] = [:]
    var busy: Set<UInt64> = []
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
    var failures = 0
  }

  private let settings: Settings
  private let state = Mutex(State())

  init(_ settings: Settings) { self.settings = settings }

  /// Between these two the places are known.
  func arrive(at places: [Place]) {
    state.withLock { state in
      for place in places { state.loads[place.id, default: Load()].visitors += 1 }
    }
  }

  func depart(from places: [Place]) {
    state.withLock { state in
      for place in places {
        state.loads[place.id]?.visitors -= 1
        if state.loads[place.id]?.visitors == 0 { state.loads[place.id] = nil }
      }
    }
  }

  /// To be taken before counts are read.
  func moment(at places: [Place]) -> Moment {
    state.withLock { state in
      let failures = places.map { ($0.id, state.loads[$0.id]?.failures ?? 0) }
      return Moment(
        failures: state.failures, ofPlaces: Dictionary(failures) { one, _ in one })
    }
  }

  /// Whether a count that was read after that moment may miss what failed here.
  func hasFailed(since moment: Moment) -> Bool {
    state.withLock { $0.failures != moment.failures }
  }

  /// How many were wrong from there. What failed meanwhile may be counted twice until the next count,
  /// and never not at all.
  func found(_ wrong: Int, at place: Place, since moment: Moment) {
    let ready = state.withLock { state in
      if let failures = state.loads[place.id]?.failures {
        state.loads[place.id]?.wrong = wrong + failures - (moment.ofPlaces[place.id] ?? 0)
      }
      return granted(&state)
    }
    for waiter in ready { waiter.answer.resume(returning: true) }
  }

  /// Waits for a turn; nil where too many wait already, or where it takes too long. A turn must be
  /// ended.
  func turn(_ key: UInt64, at places: [Place]) async -> Turn? {
    let turn = Turn(key: key, places: places, hasWaited: true)
    let ticket = state.withLock { state -> Ticket in
      if isFree(turn, state) {
        take(turn, &state)
        return .taken
      }
      let isFull =
        state.waiters.count >= settings.longest
        || places.first.map { state.loads[$0.id]?.waiting ?? 0 >= settings.longestPerPlace } == true
      guard !isFull, settings.patience > .zero else { return .full }
      state.lastID += 1
      return .waits(state.lastID)
    }
    switch ticket {
    case .taken: return Turn(key: key, places: places, hasWaited: false)
    case .full: return nil
    case .waits(let id): return await wait(as: id, for: turn) ? turn : nil
    }
  }

  func end(_ turn: Turn, failed: Bool) {
    let ready = state.withLock { state in
      state.busy.remove(turn.key)
      if failed { state.failures += 1 }
      for place in turn.places {
        state.loads[place.id]?.inFlight -= 1
        if failed {
          state.loads[place.id]?.failures += 1
          if let wrong = state.loads[place.id]?.wrong { state.loads[place.id]?.wrong = wrong + 1 }
        }
      }
      return granted(&state)
    }
    for waiter in ready { waiter.answer.resume(returning: true) }
  }

  /// How many wait, for tests.
  var waiting: Int { state.withLock { $0.waiters.count } }
}

extension SignInQueue {
  private enum Ticket {
    case taken
    case full
    case waits(UInt64)
  }

  private func wait(as id: UInt64, for turn: Turn) async -> Bool {
    let end = ContinuousClock.now + settings.patience
    let alarm = Task {
      try await Task.sleep(until: end, clock: .continuous)
      self.giveUp(id)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        let isDecided = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          // It may have come free meanwhile.
          if isFree(turn, state) {
            take(turn, &state)
            return true
          }
          state.waiters.append(Waiter(id: id, turn: turn, answer: answer))
          for place in turn.places { state.loads[place.id]?.waiting += 1 }
          return nil
        }
        if let isDecided { answer.resume(returning: isDecided) }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      let waiter = state.waiters.remove(at: index)
      for place in waiter.turn.places { state.loads[place.id]?.waiting -= 1 }
      return waiter
    }
    waiter?.answer.resume(returning: false)
  }

  private func isFree(_ turn: Turn, _ state: State) -> Bool {
    guard !state.busy.contains(turn.key) else { return false }
    // One may always look whether there is room again.
    return turn.places.allSatisfy { place in
      let load = state.loads[place.id] ?? Load()
      return load.inFlight < max(1, place.limit - (load.wrong ?? place.limit))
    }
  }

  private func take(_ turn: Turn, _ state: inout State) {
    state.busy.insert(turn.key)
    for place in turn.places { state.loads[place.id]?.inFlight += 1 }
  }

  /// Those whose turn it is now, in the order in which they came.
  private func granted(_ state: inout State) -> [Waiter] {
    guard !state.waiters.isEmpty else { return [] }
    var (ready, others): ([Waiter], [Waiter]) = ([], [])
    for waiter in state.waiters {
      guard isFree(waiter.turn, state) else {
        others.append(waiter)
        continue
      }
      take(waiter.turn, &state)
      for place in waiter.turn.places { state.loads[place.id]?.waiting -= 1 }
      ready.append(waiter)
    }
    if !ready.isEmpty { state.waiters = others }
    return ready
  }
}
