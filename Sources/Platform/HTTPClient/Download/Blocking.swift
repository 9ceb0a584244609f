import Glibc

/// Runs work that may wait for a disk on a thread of its own, so that neither the cooperative pool
/// nor the I/O thread stands still meanwhile. Rare by design: a few times for each download.
func blocking<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    let task = unsafe Unmanaged.passRetained(
      BlockingTask { continuation.resume(returning: work()) })
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<BlockingTask>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, task.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      // No thread to be had: slow beats never.
      unsafe task.takeRetainedValue().run()
    }
  }
}

private final class BlockingTask: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
