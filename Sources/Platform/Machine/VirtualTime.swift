import Synchronization

/// Time that moves only when told to: three weeks of a loan pass in a microsecond, in the same order
/// on every run.
package final class VirtualTime: Sendable {
  private struct Sleeper {
    let deadline: ContinuousClock.Instant
    let order: Int
    let wake: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now: Timestamp
    var monotonic: ContinuousClock.Instant
    var sleepers: [Int: Sleeper] = [:]
    var cancelledEarly: Set<Int> = []
    var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    var nextOrder = 0
  }

  private let state: Mutex<State>

  package init(startingAt start: Timestamp = .epoch) {
    // Where monotonic time begins says nothing; only distances are ever used.
    state = Mutex(State(now: start, monotonic: ContinuousClock.now))
  }

  package var time: Time {
    Time(
      now: { self.state.withLock(\.now) },
      monotonic: { self.state.withLock(\.monotonic) },
      sleepUntil: { deadline async throws(CancellationError) in
        try await self.sleep(until: deadline)
      })
  }

  /// How many tasks wait for a later moment.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves both clocks forward and wakes who is due, the earliest deadline first and among equals
  /// the first who lay down. Each sleeper is woken at its own moment, so `now` reads right for it;
  /// one that lies down again within the span, before the next is woken, is woken in turn.
  package func advance(by span: Duration) {
    guard span > .zero else { return }
    let end = state.withLock { $0.monotonic + span }
    while true {
      let woken = state.withLock { state -> Sleeper? in
        let due = state.sleepers.values.filter { $0.deadline <= end }
          .min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
        move(&state, to: due?.deadline ?? end)
        if let due { state.sleepers[due.order] = nil }
        return due
      }
      guard let woken else { return }
      woken.wake.resume(returning: true)
    }
  }

  /// Sets the calendar alone, as an administrator setting the machine's clock does: no one is woken,
  /// and measured spans are not touched.
  package func setCalendar(to moment: Timestamp) {
    state.withLock { $0.now = moment }
  }

  /// Returns when at least so many tasks lie asleep: the way for a test to know, without waiting for
  /// any real time, that what it started has reached its sleep.
  package func whenAsleep(_ count: Int = 1) async {
    await withCheckedContinuation { wake in
      let isReached = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, wake))
        return false
      }
      if isReached { wake.resume() }
    }
  }

  private func move(_ state: inout State, to instant: ContinuousClock.Instant) {
    guard instant > state.monotonic else { return }
    state.now += state.monotonic.duration(to: instant)
    state.monotonic = instant
  }

  private func sleep(until deadline: ContinuousClock.Instant) async throws(CancellationError) {
    guard !Task.isCancelled else { throw CancellationError() }
    let order = state.withLock { state in
      state.nextOrder += 1
      return state.nextOrder
    }
    let sleptWell = await withTaskCancellationHandler {
      await withCheckedContinuation { lieDown(until: deadline, order: order, wake: $0) }
    } onCancel: {
      cancel(order)
    }
    state.withLock { _ = $0.cancelledEarly.remove(order) }
    if !sleptWell { throw CancellationError() }
  }

  private func lieDown(
    until deadline: ContinuousClock.Instant, order: Int, wake: CheckedContinuation<Bool, Never>
  ) {
    enum Next {
      case returned(Bool)
      case asleep([CheckedContinuation<Void, Never>])
    }
    let next = state.withLock { state -> Next in
      // A cancellation may arrive before there is anything to wake.
      if state.cancelledEarly.remove(order) != nil { return .returned(false) }
      if deadline <= state.monotonic { return .returned(true) }
      state.sleepers[order] = Sleeper(deadline: deadline, order: order, wake: wake)
      let count = state.sleepers.count
      let reached = state.watchers.filter { $0.count <= count }.map(\.wake)
      state.watchers.removeAll { $0.count <= count }
      return .asleep(reached)
    }
    switch next {
    case .returned(let sleptWell): wake.resume(returning: sleptWell)
    case .asleep(let watchers): for watcher in watchers { watcher.resume() }
    }
  }

  private func cancel(_ order: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      if let sleeper = state.sleepers.removeValue(forKey: order) { return sleeper }
      state.cancelledEarly.insert(order)
      return nil
    }
    sleeper?.wake.resume(returning: false)
  }
}
