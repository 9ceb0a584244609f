/// When a job is due next. Everything here is in milliseconds, and nothing is further ahead than the
/// period: what is, counts as written by a clock that was ahead.
struct Pace {
  let period: Int64
  /// From 0 up to 1.
  let jitter: Double

  /// As planned, counted on from when it was due, less up to a tenth of the period; but not before
  /// half of the period is over, however late it came or however long it took.
  func next(after due: Int64, now: Int64) -> Int64 {
    let behind = now.subtractingReportingOverflow(due)
    let past = behind.overflow ? 0 : behind.partialValue % period
    let left = past >= 0 ? period - past : -past
    return now + max(left - early, period / 2)
  }

  /// Twice as long after each failure, up to the period; less up to a tenth.
  func retry(after failures: Int64, from now: Int64, first: Int64) -> Int64 {
    let doublings = min(max(failures, 1) - 1, 40)
    let (span, overflow) = first.multipliedReportingOverflow(by: 1 << doublings)
    let wait = overflow ? period : min(span, period)
    return now + wait - Int64(Double(wait) / 10 * share)
  }

  private var early: Int64 { Int64(Double(period) / 10 * share) }
  private var share: Double { min(max(jitter, 0), 1) }
}
