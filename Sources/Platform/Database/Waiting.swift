import Glibc

/// Sleeps on the connection's own thread.
func sleepUntil(_ instant: ContinuousClock.Instant) {
  let left = ContinuousClock.now.duration(to: instant)
  guard left > .zero else { return }
  var time = timespec(
    tv_sec: Int(left.components.seconds),
    tv_nsec: Int(left.components.attoseconds / 1_000_000_000))
  unsafe nanosleep(&time, nil)
}

/// The time left as `poll` wants it: never negative, never rounded down to a busy loop.
func milliseconds(until instant: ContinuousClock.Instant) -> Int32 {
  let left = ContinuousClock.now.duration(to: instant)
  guard left > .zero else { return 0 }
  let (seconds, attoseconds) = left.components
  guard seconds < 1_000_000 else { return 1_000_000_000 }
  return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
}
