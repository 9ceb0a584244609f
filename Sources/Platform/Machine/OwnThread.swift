import Glibc

/// Runs blocking calls away from the cooperative pool, which has as many threads as the machine has
/// processors: waiting for two other programs would stop every task of this one.
package enum OwnThread {
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { caller in
      start { caller.resume(returning: body()) }
    }
  }

  /// Begins it and goes on.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        unsafe Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, box)
    guard result == 0 else {
      // No thread to be had: late is better than never.
      unsafe Unmanaged<Box>.fromOpaque(box).release()
      body()
      return
    }
    pthread_detach(thread)
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
