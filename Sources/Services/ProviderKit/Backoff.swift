/// How long to wait before the next try: doubling from a base, spread by chance so that a thousand
/// gateways do not come back in the same second, and never sooner than the service asked.
package struct Backoff: Sendable, Hashable {
  package var base: Duration
  package var longest: Duration
  /// Tries in all, the first one included.
  package var tries: Int

  package init(base: Duration = .seconds(1), longest: Duration = .seconds(30), tries: Int = 3) {
    (self.base, self.longest, self.tries) = (base, longest, tries)
  }

  /// The wait after the try numbered `attempt`, counted from 1; nil when it was the last.
  /// `chance` is between 0 and 1.
  package func wait(after attempt: Int, retryAfter: Duration?, chance: Double) -> Duration? {
    guard attempt < tries else { return nil }
    let doubled = base * Double(1 << min(attempt - 1, 20))
    let spread = min(doubled, longest) * (0.5 + chance / 2)
    return max(spread, retryAfter ?? .zero)
  }
}
