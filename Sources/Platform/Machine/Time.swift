/// What the program may ask about time, as values: a server gets the machine's clock, a test or a
/// mock gets one that stands still until it is told to move. Nothing else reads a clock.
package struct Time: Sendable {
  /// What a calendar shows; it may jump when the machine's clock is set.
  package let now: @Sendable () -> Timestamp
  /// Never goes back; for measuring and for deadlines.
  package let monotonic: @Sendable () -> ContinuousClock.Instant
  /// Throws only when the waiting task is cancelled.
  package let sleepUntil:
    @Sendable (ContinuousClock.Instant) async throws(CancellationError) -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp,
    monotonic: @escaping @Sendable () -> ContinuousClock.Instant,
    sleepUntil:
      @escaping @Sendable (ContinuousClock.Instant)
      async throws(CancellationError) -> Void
  ) {
    (self.now, self.monotonic, self.sleepUntil) = (now, monotonic, sleepUntil)
  }

  package func sleep(until deadline: ContinuousClock.Instant) async throws(CancellationError) {
    try await sleepUntil(deadline)
  }

  package func sleep(for span: Duration) async throws(CancellationError) {
    try await sleepUntil(monotonic() + span)
  }

  /// Waits for a moment of the calendar, as reckoned now.
  package func sleep(until moment: Timestamp) async throws(CancellationError) {
    try await sleep(for: moment - now())
  }
}
