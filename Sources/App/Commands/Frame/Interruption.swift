import Console
import Synchronization
import TextSafety

/// Ctrl-C: the first asks the command to stop and says so at once, the second does not ask.
enum Interruption {
  /// What came from the keyboard, for whoever waits for the task.
  /// A hangup ends the program as it always did, unless the command has something better to do.
  static func watch(
    _ task: Task<Void, any Error>, patience: Duration, hangups: Hangups? = nil
  ) -> Keys {
    let keys = Keys()
    let events: [Signals.Event] = hangups == nil ? [] : [.hangup]
    Signals.watch([.interrupt, .terminate] + events) { event in
      if event == .hangup {
        hangups?.strike()
        // While it is stopping, the time it has for that goes on.
        return keys.wereSeen ? patience : nil
      }
      let isFirst = keys.isFirst(event)
      if event == .overdue || !isFirst {
        stopNow("stopped at once")
      }
      // A question on the screen has nothing to tidy up, and would keep the thread waiting.
      if Keyboard.isAsked { stopNow("interrupted") }
      let hint: TerminalText = event == .interrupt ? " (Ctrl-C again stops at once)" : ""
      try? OutputStream.error.write("\nstopping\(hint)\n")
      task.cancel()
      return patience
    }
    return keys
  }

  private static func stopNow(_ word: TerminalText) -> Never {
    Keyboard.show()
    FullScreen.restore()
    try? OutputStream.error.write("\n\(word)\n")
    Process.leave(with: ExitCode.interrupted.rawValue)
  }

  final class Keys: Sendable {
    private let first = Mutex<Signals.Event?>(nil)

    /// Ctrl-C ends with 130 even when all was tidied up; a service manager's order ends with 0.
    var wereStruck: Bool { first.withLock { $0 == .interrupt } }

    fileprivate var wereSeen: Bool { first.withLock { $0 != nil } }

    fileprivate func isFirst(_ event: Signals.Event) -> Bool {
      first.withLock { seen in
        defer { seen = seen ?? event }
        return seen == nil
      }
    }
  }
}
