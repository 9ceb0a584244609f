import Synchronization

/// When something was last heard that should be heard all the time.
final class Pulse: Sendable {
  private let last: Mutex<ContinuousClock.Instant>

  init(silentFor span: Duration = .zero) { last = Mutex(.now - span) }

  func beat() { last.withLock { $0 = .now } }

  var silence: Duration { last.withLock { $0.duration(to: .now) } }
}
