import Console
import Synchronization

/// Ctrl-C: the first asks the command to stop and says so at once, the second does not ask.
enum Interruption {
  static func watch(_ task: Task<Void, any Error>, patience: Duration) {
    let count = Counter()
    Signals.watch([.interrupt, .terminate]) { event in
      let isFirst = count.isFirst()
      if event == .overdue || !isFirst {
        stopNow("stopped at once")
      }
      // A question on the screen has nothing to tidy up, and would keep the thread waiting.
      if Keyboard.isAsked { stopNow("interrupted") }
      let hint = event == .interrupt ? " (Ctrl-C again stops at once)" : ""
      try? OutputStream.error.write("\nstopping\(hint)\n")
      task.cancel()
      return patience
    }
  }

  private static func stopNow(_ word: String) -> Never {
    Keyboard.show()
    try? OutputStream.error.write("\n\(word)\n")
    Process.leaveAtOnce(with: ExitCode.interrupted.rawValue)
  }

  private final class Counter: Sendable {
    private let hasAsked = Mutex(false)

    func isFirst() -> Bool {
      hasAsked.withLock { asked in
        defer { asked = true }
        return !asked
      }
    }
  }
}
