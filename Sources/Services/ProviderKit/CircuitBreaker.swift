import Synchronization

/// Stops asking a service that does not answer, so that it hurts only its own readers and they learn
/// it at once. After a pause one request is let through to see, and whatever else its own call asks
/// beside it: half an answer is none. Its fate decides.
package final class CircuitBreaker: Sendable {
  package struct Settings: Sendable, Hashable {
    /// Failures in a row that open the circuit.
    package var tolerance: Int
    package var pause: Duration
    package var longestPause: Duration

    package init(
      tolerance: Int = 5, pause: Duration = .seconds(10), longestPause: Duration = .seconds(300)
    ) {
      (self.tolerance, self.pause, self.longestPause) = (tolerance, pause, longestPause)
    }
  }

  package enum Admission: Sendable, Hashable {
    case go
    /// The one request that may try; it must report back.
    case probe
    case refused(retryAfter: Duration)
  }

  private enum State {
    case closed(failures: Int)
    case open(until: ContinuousClock.Instant, pause: Duration)
    case probing(since: ContinuousClock.Instant, pause: Duration, by: String)
  }

  private let settings: Settings
  private let state = Mutex(State.closed(failures: 0))

  package init(_ settings: Settings = Settings()) { self.settings = settings }

  /// As patient as this one, and without its memories.
  var another: CircuitBreaker { CircuitBreaker(settings) }

  package func admit(at now: ContinuousClock.Instant, by call: String) -> Admission {
    state.withLock { state in
      switch state {
      case .closed: return .go
      case .open(let until, let pause):
        guard now >= until else { return .refused(retryAfter: now.duration(to: until)) }
        state = .probing(since: now, pause: pause, by: call)
        return .probe
      case .probing(let since, let pause, let first):
        if call == first { return .go }
        // A probe that never reported, because its task was torn down, must not block for ever.
        guard since.duration(to: now) > settings.longestPause else {
          return .refused(retryAfter: pause)
        }
        state = .probing(since: now, pause: pause, by: call)
        return .probe
      }
    }
  }

  /// The service answered, with whatever it had to say.
  package func succeeded() { state.withLock { $0 = .closed(failures: 0) } }

  /// The service could not be reached or failed of itself.
  package func failed(at now: ContinuousClock.Instant) {
    state.withLock { state in
      switch state {
      case .closed(let failures):
        let count = failures + 1
        state =
          count < settings.tolerance
          ? .closed(failures: count)
          : .open(until: now + settings.pause, pause: settings.pause)
      case .probing(_, let pause, _):
        let longer = min(pause * 2, settings.longestPause)
        state = .open(until: now + longer, pause: longer)
      case .open: break
      }
    }
  }

  /// The request was given up by the caller: it says nothing about the service.
  package func abandoned(at now: ContinuousClock.Instant) {
    state.withLock { state in
      if case .probing(_, let pause, _) = state { state = .open(until: now, pause: pause) }
    }
  }

  /// What the next request would meet.
  package enum Standing: Sendable, Hashable {
    case closed(failures: Int)
    case open(retryAfter: Duration)
    case probing
  }

  package func standing(at now: ContinuousClock.Instant) -> Standing {
    state.withLock { state in
      switch state {
      case .closed(let failures): .closed(failures: failures)
      case .open(let until, _): .open(retryAfter: max(.zero, now.duration(to: until)))
      case .probing: .probing
      }
    }
  }

  package func isOpen(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      if case .open(let until, _) = state { return now < until }
      return false
    }
  }
}

extension CircuitBreaker.Standing {
  /// How far it is from being well.
  var severity: Int {
    switch self {
    case .closed(let failures): failures
    case .probing: Int.max - 1
    case .open: .max
    }
  }
}
