import Arguments
import Console
import Synchronization
import TextSafety

/// Tells on the error stream what is being waited for: on a terminal in one line that is rewritten,
/// elsewhere once, as a line of its own.
final class Waiting: Sendable {
  /// Whether the last line of the terminal is one of ours, whoever wrote it: what is said next takes
  /// it away first.
  private static let isShown = Mutex(false)

  private let what: TerminalText
  private let isLive: Bool
  private let isQuiet: Bool

  init(_ what: TerminalText, _ output: Output, _ surroundings: Surroundings) {
    self.what = "waiting for \(what)"
    isQuiet = output.isQuiet || output.mode == .json || output.mode == .jsonLines
    isLive = surroundings.errorIsTerminal && surroundings["TERM"] != "dumb"
    if !isQuiet, !isLive { try? OutputStream.error.write("\(self.what)\n") }
    update("")
  }

  /// For what is usually there at once: only a terminal is told.
  init(quietly what: TerminalText, _ output: Output, _ surroundings: Surroundings) {
    self.what = "waiting for \(what)"
    isQuiet = output.isQuiet || output.mode == .json || output.mode == .jsonLines
    isLive = surroundings.errorIsTerminal && surroundings["TERM"] != "dumb"
    update("")
  }

  /// Replaces the line; without a terminal nothing more is said. It never grows into a second line,
  /// which the next one would leave behind, and is written over before its rest is wiped.
  func update(_ text: TerminalText) {
    guard isLive, !isQuiet else { return }
    let width = OutputStream.error.columns ?? 80
    let line = (text.isEmpty ? what : text).cut(to: max(1, width - 1))
    Self.isShown.withLock { shown in
      shown = true
      try? OutputStream.error.write("\r\(line)\u{1b}[K")
    }
  }

  func finish() { Self.clear() }

  static func clear() {
    isShown.withLock { shown in
      if shown { try? OutputStream.error.write("\r\u{1b}[K") }
      shown = false
    }
  }

  deinit { finish() }
}
