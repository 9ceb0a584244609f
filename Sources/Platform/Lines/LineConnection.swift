import Synchronization

/// A line to somebody, for one task at a time. Closed when it is let go.
package final class LineConnection: Sendable {
  private let loop: LineLoop
  private let id: UInt64
  private let state: LineState

  init(_ loop: LineLoop, _ id: UInt64, _ state: LineState) {
    (self.loop, self.id, self.state) = (loop, id, state)
  }

  deinit { close() }

  /// False once the other side has ended it. True promises nothing.
  package var isOpen: Bool { state.isOpen.load(ordering: .acquiring) }

  /// Whether nothing lies here that nobody has asked for.
  package var isQuiet: Bool { state.isQuiet.load(ordering: .acquiring) }

  /// Sends a question and gives the next line that is not blank, without its end. What came before
  /// the question was sent can be no answer to it: then nothing is sent.
  package func ask(
    _ bytes: [UInt8], by deadline: ContinuousClock.Instant
  ) async throws(LineError) -> [UInt8] {
    try await order(.line, bytes, deadline, isQuiet: true)
  }

  /// The next line that is not blank.
  package func next(by deadline: ContinuousClock.Instant) async throws(LineError) -> [UInt8] {
    try await order(.line, [], deadline)
  }

  /// Returns when the system has all of it.
  package func send(
    _ bytes: [UInt8], by deadline: ContinuousClock.Instant
  ) async throws(LineError) {
    _ = try await order(.sent, bytes, deadline)
  }

  package func close() {
    let id = id
    loop.post { $0.remove(id) }
  }

  /// With a reset in place of an orderly end.
  package func sever() {
    let id = id
    loop.post { loop in
      loop.socket(id)?.sever()
      loop.remove(id)
    }
  }

  func opened(by deadline: ContinuousClock.Instant) async throws(LineError) {
    _ = try await order(.open, [], deadline)
  }

  private func order(
    _ goal: LineOrder.Goal, _ bytes: [UInt8], _ deadline: ContinuousClock.Instant,
    isQuiet: Bool = false
  ) async throws(LineError) -> [UInt8] {
    if Task.isCancelled { throw .cancelled(.unsent) }
    let (id, number, loop) = (id, LineLoop.nextID(), loop)
    let result: Result<[UInt8], LineError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let order = LineOrder(id: number, goal: goal, deadline: deadline) {
          continuation.resume(returning: $0)
        }
        let isTaken = loop.post { loop in
          guard let socket = loop.socket(id) else {
            return order.answer(.failure(.closed(.unsent)))
          }
          socket.begin(order, sending: bytes, isQuiet: isQuiet)
        }
        if !isTaken { continuation.resume(returning: .failure(.stopped(.unsent))) }
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { loop.post { $0.socket(id)?.cancel(number) } }
      }
    } onCancel: {
      loop.post { $0.socket(id)?.cancel(number) }
    }
    return try result.get()
  }
}
