import Glibc

extension Time {
  /// The clocks of this computer.
  package static let system = Time(
    now: {
      var reading = timespec()
      // Fails only for an unknown clock or a bad address, and neither is possible here.
      unsafe clock_gettime(CLOCK_REALTIME, &reading)
      return Timestamp(
        millisecondsSinceEpoch: Int64(reading.tv_sec) * 1000 + Int64(reading.tv_nsec) / 1_000_000)
    },
    monotonic: { ContinuousClock.now },
    sleepUntil: { deadline async throws(CancellationError) in
      do {
        try await Task.sleep(until: deadline, clock: .continuous)
      } catch {
        // A sleep on the continuous clock has no other way to fail.
        throw CancellationError()
      }
    })
}
