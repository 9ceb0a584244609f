package import JSON
import Machine

/// The clock of a mock world. Frozen by default, because a test that depends on how fast it ran is
/// no test; `run` is for people who look at a demonstration.
package struct MockClock: Sendable {
  private var base: Moment
  /// How much faster than the real one it runs, and since when.
  private var run: (speed: Double, since: ContinuousClock.Instant)?
  private let real: @Sendable () -> ContinuousClock.Instant

  package init(
    at start: Moment = .usualStart,
    real: @escaping @Sendable () -> ContinuousClock.Instant = Time.system.monotonic
  ) {
    (base, self.real) = (start, real)
  }

  package var now: Moment {
    guard let run else { return base }
    let (seconds, attoseconds) = (real() - run.since).components
    let passed = (Double(seconds) * 1000 + Double(attoseconds) / 1e15) * run.speed
    return base + Int64(min(max(passed, 0), MockClock.farthest))
  }

  package var isFrozen: Bool { run == nil }

  /// Goes on running from there if it ran before.
  package mutating func set(to moment: Moment) {
    base = moment
    if let speed = run?.speed { run = (speed, real()) }
  }

  package mutating func advance(by milliseconds: Int64) {
    set(to: now + min(max(milliseconds, 0), Int64(MockClock.farthest)))
  }

  package mutating func freeze() {
    base = now
    run = nil
  }

  package mutating func start(times speed: Double) {
    base = now
    run = (speed, real())
  }

  package var json: JSONValue {
    ["now": .string(now.text), "frozen": .bool(isFrozen), "speed": JSONValue(run?.speed ?? 0)]
  }

  /// A thousand years: beyond it sums could overflow, and no loan lasts so long.
  private static let farthest = 31_557_600_000_000.0
}
