import Synchronization

/// Things that happened on a server's thread, for a test to wait for: no sleeping, no polling.
final class Signals<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send(_ value: Value) { continuation.yield(value) }

  func next() async -> Value? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

/// Collects values from any thread.
final class Journal<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func append(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
}
