import Synchronization

/// The order to stop, given at most once and waited for by one.
final class Stop: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Void, Never>)
    case isGiven
  }

  private let state = Mutex(State.open)

  /// False when nobody waited for it, as in commands that have nothing to tidy up.
  @discardableResult func give() -> Bool {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .isGiven }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
    return waiting != nil
  }

  func given() async {
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state in
        if case .isGiven = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isGiven { continuation.resume() }
    }
  }
}
