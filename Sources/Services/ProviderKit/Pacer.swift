import Synchronization

/// Keeps within what one library's service can take: so many requests at a time and so much room
/// between their starts. Who comes too late for that waits in line, as long as the deadline allows.
package final class Pacer: Sendable {
  package struct Settings: Sendable, Hashable {
    package var atOnce: Int
    package var spacing: Duration

    package init(atOnce: Int = 6, spacing: Duration = .zero) {
      (self.atOnce, self.spacing) = (atOnce, spacing)
    }
  }

  package enum Refusal: Error, Sendable, Hashable { case deadline, cancelled }

  private struct State {
    var running = 0
    var nextStart: ContinuousClock.Instant?
    var line: [(id: Int, ticket: CheckedContinuation<Bool, Never>)] = []
    var lastID = 0
  }

  private let settings: Settings
  private let clock: SessionClock
  private let state = Mutex(State())

  package init(_ settings: Settings = Settings(), clock: SessionClock = .system) {
    (self.settings, self.clock) = (settings, clock)
  }

  /// A line of its own, as slow as this one.
  var another: Pacer { Pacer(settings, clock: clock) }

  /// Waits for a place. Whoever got one must leave it again.
  package func enter(before deadline: ContinuousClock.Instant) async throws(Refusal) {
    try await takePlace(before: deadline)
    guard settings.spacing > .zero else { return }
    let start = state.withLock { state in
      let start = max(state.nextStart ?? clock.now(), clock.now())
      state.nextStart = start + settings.spacing
      return start
    }
    guard start < deadline else {
      leave()
      throw .deadline
    }
    guard start > clock.now() else { return }
    do { try await clock.sleep(start) } catch {
      leave()
      throw .cancelled
    }
  }

  /// How many requests are on their way, and how many stand in line for a place.
  package var load: (running: Int, waiting: Int) {
    state.withLock { ($0.running, $0.line.count) }
  }

  package func leave() {
    let next = state.withLock { state in
      if state.line.isEmpty {
        state.running -= 1
        return CheckedContinuation<Bool, Never>?.none
      }
      // The place goes to the next in line without being free in between.
      return state.line.removeFirst().ticket
    }
    next?.resume(returning: true)
  }

  private func takePlace(before deadline: ContinuousClock.Instant) async throws(Refusal) {
    let id = state.withLock { state -> Int? in
      if state.running < settings.atOnce {
        state.running += 1
        return nil
      }
      state.lastID += 1
      return state.lastID
    }
    guard let id else { return }
    let alarm = Task {
      try? await self.clock.sleep(deadline)
      self.giveUp(id)
    }
    defer { alarm.cancel() }
    let admitted = await withTaskCancellationHandler {
      await withCheckedContinuation { ticket in
        let answer = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          if state.running < settings.atOnce {
            state.running += 1
            return true
          }
          state.line.append((id, ticket))
          return nil
        }
        if let answer { ticket.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(id)
    }
    guard admitted else { throw Task.isCancelled ? .cancelled : .deadline }
  }

  private func giveUp(_ id: Int) {
    let ticket = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.line.firstIndex(where: { $0.id == id }) else { return nil }
      return state.line.remove(at: index).ticket
    }
    ticket?.resume(returning: false)
  }
}
