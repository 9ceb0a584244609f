package import FoundationEssentials
import Synchronization

/// How a service does as far as this program knows: what it heard since it was started.
package struct SessionStanding: Sendable, Hashable {
  package let circuit: CircuitBreaker.Standing
  package let running: Int
  /// Requests that stand in line for a place.
  package let waiting: Int
  package let heard: Heard

  package struct Heard: Sendable, Hashable {
    package var answeredAt: Date?
    package var failedAt: Date?
    /// How long answers take lately.
    package var typical: Duration?
    package var answers = 0
    package var failures = 0
  }
}

/// Keeps count of what came back.
final class SessionEar: Sendable {
  private let state = Mutex(SessionStanding.Heard())

  var heard: SessionStanding.Heard { state.withLock { $0 } }

  /// An answer that is no failure of the service itself.
  func answered(at date: Date, after took: Duration) {
    state.withLock { heard in
      heard.answeredAt = date
      heard.answers += 1
      // A few answers back are soon forgotten.
      heard.typical = heard.typical.map { ($0 * 3 + took) / 4 } ?? took
    }
  }

  func failed(at date: Date) {
    state.withLock { heard in
      heard.failedAt = date
      heard.failures += 1
    }
  }
}
