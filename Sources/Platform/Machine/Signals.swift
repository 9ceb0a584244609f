import Glibc
import Synchronization

/// A wish from outside the program.
package enum Signal: Sendable, Hashable, CaseIterable {
  case terminate, interrupt, hangup

  package var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangup: SIGHUP
    }
  }
}

/// Signals as a sequence. A handler may do almost nothing, so it only writes the number into a pipe;
/// a thread of its own reads the pipe and hands the signal on as an ordinary value.
package enum Signals {
  /// From this call on the listed signals no longer end the program; each stream gets each of them.
  /// When the last stream that wants a signal ends, what happened before happens again.
  package static func stream(_ wanted: Set<Signal>) -> AsyncStream<Signal> {
    let (stream, continuation) = AsyncStream<Signal>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    guard let id = post.subscribe(wanted, continuation) else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { _ in post.unsubscribe(id) }
    return stream
  }

  /// Writing to a closed pipe or socket then fails with an error that can be answered.
  package static func ignoreBrokenPipe() { _ = signal(SIGPIPE, SIG_IGN) }

  private static let post = SignalPost()
}

// A plain number, so that reading it in a handler runs no lazy initializer. Set once, before the
// first handler is installed.
nonisolated(unsafe) private var pipeEnd: Int32 = -1

private final class SignalPost: Sendable {
  private struct Subscriber {
    let wanted: Set<Signal>
    let continuation: AsyncStream<Signal>.Continuation
  }

  private struct State {
    var isRunning = false
    var subscribers: [Int: Subscriber] = [:]
    var nextID = 0
    // The handler before ours: a function's address, or 0 for the default and 1 for "ignored".
    var before: [Signal: Disposition] = [:]
  }

  private let state = Mutex(State())

  func subscribe(
    _ wanted: Set<Signal>, _ continuation: AsyncStream<Signal>.Continuation
  ) -> Int? {
    state.withLock { state in
      if !state.isRunning {
        guard let ends = Doors.pipe() else { return nil }
        // A full pipe must not stop the handler; thousands of unread signals say nothing new.
        _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
        unsafe pipeEnd = ends.write
        state.isRunning = true
        OwnThread.start { self.forward(from: ends.read) }
      }
      for signal in wanted where state.before[signal] == nil {
        state.before[signal] = Disposition.replace(signal.number)
      }
      state.nextID += 1
      state.subscribers[state.nextID] = Subscriber(wanted: wanted, continuation: continuation)
      return state.nextID
    }
  }

  func unsubscribe(_ id: Int) {
    state.withLock { state in
      guard let gone = state.subscribers.removeValue(forKey: id) else { return }
      for signal in gone.wanted
      where !state.subscribers.values.contains(where: { $0.wanted.contains(signal) }) {
        state.before.removeValue(forKey: signal)?.restore(signal.number)
      }
    }
  }

  private func forward(from end: Int32) {
    var byte: UInt8 = 0
    while retrying({ unsafe read(end, &byte, 1) }) == 1 {
      guard let signal = Signal.allCases.first(where: { $0.number == Int32(byte) }) else {
        continue
      }
      let listeners = state.withLock { state in
        state.subscribers.values.filter { $0.wanted.contains(signal) }.map(\.continuation)
      }
      for listener in listeners { listener.yield(signal) }
    }
  }
}

/// What the kernel does when a signal arrives.
// Sendable although it holds a pointer: to a function, which never changes.
@safe private struct Disposition: @unchecked Sendable {
  private let action: sigaction

  static func replace(_ number: Int32) -> Disposition {
    var action = sigaction()
    var before = sigaction()
    // Calls that a signal cuts short go on by themselves.
    action.sa_flags = SA_RESTART
    unsafe action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      unsafe _ = write(pipeEnd, &byte, 1)
      errno = saved
    }
    unsafe sigaction(number, &action, &before)
    return Disposition(action: before)
  }

  func restore(_ number: Int32) {
    var action = action
    unsafe sigaction(number, &action, nil)
  }
}
