package import FoundationEssentials

/// Time as a session sees it, handed in so that a test can wait an hour in a moment.
package struct SessionClock: Sendable {
  package let now: @Sendable () -> ContinuousClock.Instant
  /// The date, for what is told to and by services.
  package let date: @Sendable () -> Date
  /// Until then, or until the task is cancelled.
  package let sleep: @Sendable (ContinuousClock.Instant) async throws(CancellationError) -> Void

  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    date: @escaping @Sendable () -> Date = { Date() },
    sleep: @escaping @Sendable (ContinuousClock.Instant) async throws(CancellationError) -> Void
  ) {
    (self.now, self.date, self.sleep) = (now, date, sleep)
  }

  package static let system = SessionClock(
    now: { .now },
    sleep: { until throws(CancellationError) in
      do { try await Task.sleep(until: until, clock: .continuous) } catch {
        throw CancellationError()
      }
    })
}
