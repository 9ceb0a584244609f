import Synchronization

/// How one call is stopped from outside: by its task being cancelled or by its deadline. Whoever waits
/// on behalf of the call leaves a bell here, which rings when the task is cancelled; deadlines are
/// watched by the waiting itself.
final class Interruption: Sendable {
  let deadline: ContinuousClock.Instant
  /// How long to wait for a lock that another process holds.
  let patience: Duration

  private let cancelled = Atomic(false)
  private let bell = Mutex<(@Sendable () -> Void)?>(nil)

  init(deadline: ContinuousClock.Instant, patience: Duration) {
    self.deadline = deadline
    self.patience = patience
  }

  /// The bell rings at once if it is too late already. It must not come back to this object.
  func hang(_ bell: @escaping @Sendable () -> Void) {
    self.bell.withLock { current in
      current = bell
      if cancelled.load(ordering: .acquiring) { bell() }
    }
  }

  /// When this returns, the bell is not ringing and never will.
  func takeDown() {
    bell.withLock { $0 = nil }
  }

  func cancel() {
    bell.withLock { current in
      cancelled.store(true, ordering: .releasing)
      current?()
    }
  }

  /// Why the call has to stop, if it has to.
  var reason: DatabaseError.Reason? {
    if cancelled.load(ordering: .acquiring) { return .cancelled }
    return deadline <= .now ? .deadlineExceeded : nil
  }

  func check() throws(DatabaseError) {
    if let reason { throw DatabaseError(reason) }
  }
}
