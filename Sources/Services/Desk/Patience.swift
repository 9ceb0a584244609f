import Synchronization

/// The answer, or nil when it does not come by the end of the wait. Called off, it waits for what
/// the work says to that, but never beyond the end: work that heeds neither is left behind.
func firstAnswer<Answer: Sendable>(
  by end: ContinuousClock.Instant, _ work: @escaping @Sendable () async -> Answer
) async -> Answer? {
  let ticket = Ticket<Answer?>()
  let running = Task { ticket.resume(with: await work()) }
  let alarm = Task {
    guard await hasPassed(end) else { return }
    ticket.resume(with: nil)
    running.cancel()
  }
  let answer = await withTaskCancellationHandler {
    await withCheckedContinuation { ticket.wait($0) }
  } onCancel: {
    running.cancel()
  }
  alarm.cancel()
  return answer
}

/// False when it was called off. Of a sleep that is called off the library keeps task and timer until its
/// time is over: in short stretches, so that they do not heap up before a deadline that is far ahead.
private func hasPassed(_ end: ContinuousClock.Instant) async -> Bool {
  while true {
    let next = min(end, .now + .seconds(1))
    do { try await Task.sleep(until: next, clock: .continuous) } catch { return false }
    if next == end { return true }
  }
}

/// A place for one waiter and one word, whichever comes first; later words are not heard.
private final class Ticket<Word: Sendable>: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<Word, Never>)
    case early(Word)
    case spent
  }

  private let state = Mutex(State.empty)

  func wait(_ continuation: CheckedContinuation<Word, Never>) {
    let early = state.withLock { state -> Word? in
      if case .early(let word) = state {
        state = .spent
        return word
      }
      state = .awaited(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  func resume(with word: Word) {
    let waiter = state.withLock { state -> CheckedContinuation<Word, Never>? in
      switch state {
      case .empty: state = .early(word)
      case .awaited(let waiter):
        state = .spent
        return waiter
      case .early, .spent: break
      }
      return nil
    }
    waiter?.resume(returning: word)
  }
}
