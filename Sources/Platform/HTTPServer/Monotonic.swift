import Glibc

/// Nanoseconds of the clock that never jumps: for deadlines.
struct Monotonic: Sendable, Comparable {
  let nanoseconds: UInt64

  static var now: Monotonic {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Monotonic(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  /// A time that never comes.
  static let never = Monotonic(nanoseconds: .max)

  static func + (time: Monotonic, duration: Duration) -> Monotonic {
    let (seconds, attoseconds) = duration.components
    // Beyond a century nobody waits, and nothing overflows.
    let step = UInt64(min(max(seconds, 0), 3_000_000_000)) * 1_000_000_000
    return Monotonic(
      nanoseconds: time.nanoseconds &+ step &+ UInt64(max(attoseconds, 0) / 1_000_000_000))
  }

  static func - (later: Monotonic, earlier: Monotonic) -> Duration {
    .nanoseconds(Int64(later.nanoseconds &- earlier.nanoseconds))
  }

  static func < (one: Monotonic, other: Monotonic) -> Bool {
    one.nanoseconds < other.nanoseconds
  }
}
