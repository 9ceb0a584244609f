/// A moment in UTC, to the millisecond: what rows, tokens and feeds carry. It is a plain number, so
/// that a moment can be stored, compared and sent without a calendar, a zone or a formatter.
package struct Timestamp: Sendable, Hashable, Comparable {
  package let millisecondsSinceEpoch: Int64

  package init(millisecondsSinceEpoch: Int64) {
    self.millisecondsSinceEpoch = millisecondsSinceEpoch
  }

  package init(secondsSinceEpoch: Int64) {
    let (product, overflow) = secondsSinceEpoch.multipliedReportingOverflow(by: 1000)
    millisecondsSinceEpoch = overflow ? (secondsSinceEpoch < 0 ? .min : .max) : product
  }

  package static let epoch = Timestamp(millisecondsSinceEpoch: 0)

  /// Whole seconds, rounded towards the past, so that the second before 1970 is −1 and not 0.
  package var secondsSinceEpoch: Int64 {
    millisecondsSinceEpoch.floored(by: 1000).quotient
  }

  package static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.millisecondsSinceEpoch < b.millisecondsSinceEpoch
  }

  // Lifetimes come from the wire (`expires_in`), so sums stop at the ends of time instead of trapping.

  package static func + (moment: Timestamp, span: Duration) -> Timestamp {
    let (sum, overflow) = moment.millisecondsSinceEpoch
      .addingReportingOverflow(span.milliseconds)
    return Timestamp(
      millisecondsSinceEpoch: overflow ? (span < .zero ? .min : .max) : sum)
  }

  package static func - (moment: Timestamp, span: Duration) -> Timestamp {
    let (rest, overflow) = moment.millisecondsSinceEpoch
      .subtractingReportingOverflow(span.milliseconds)
    return Timestamp(
      millisecondsSinceEpoch: overflow ? (span < .zero ? .max : .min) : rest)
  }

  package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    let (span, overflow) = later.millisecondsSinceEpoch
      .subtractingReportingOverflow(earlier.millisecondsSinceEpoch)
    return .milliseconds(overflow ? (later < earlier ? .min : .max) : span)
  }

  package static func += (moment: inout Timestamp, span: Duration) { moment = moment + span }
  package static func -= (moment: inout Timestamp, span: Duration) { moment = moment - span }
}

extension Duration {
  /// Whole ones, as rows keep them; rounded towards the past, as moments are.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let part = attoseconds.floored(by: 1_000_000_000_000_000).quotient
    let (sum, beyond) = whole.addingReportingOverflow(part)
    return beyond ? (seconds < 0 ? .min : .max) : sum
  }
}

extension Int64 {
  /// Division that rounds down for negative numbers too, as a calendar before 1970 needs.
  package func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
