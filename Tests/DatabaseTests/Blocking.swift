import Foundation
import Synchronization

/// Runs asynchronous work to its end while a connection's own thread stands still, as only a test
/// wants to: a transaction that is open while something else happens.
func blocking(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await work()
    done.signal()
  }
  done.wait()
}

/// A value that closures of several threads share.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) { content = Mutex(value) }

  var value: Value { content.withLock { $0 } }

  func set(_ value: Value) { content.withLock { $0 = value } }

  func change(_ body: @Sendable (inout Value) -> Void) { content.withLock { body(&$0) } }
}

/// Something one side waits for until the other says so.
final class Gate: Sendable {
  private let waiters = DispatchSemaphore(value: 0)

  func open() { waiters.signal() }

  /// Blocks the calling thread, which must not be one of the cooperative pool.
  func wait() { waiters.wait() }

  func wait() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.waiters.wait()
        continuation.resume()
      }
    }
  }
}
