import Console
import Synchronization

/// Tells on the error stream what is being waited for: on a terminal in one line that is rewritten,
/// elsewhere once, as a line of its own.
final class Waiting: Sendable {
  private let isLive: Bool
  private let isQuiet: Bool
  private let isShown = Mutex(false)

  init(_ what: String, _ output: Output, _ surroundings: Surroundings) {
    isQuiet = output.isQuiet || output.mode == .json || output.mode == .jsonLines
    isLive = surroundings.errorIsTerminal && surroundings["TERM"] != "dumb"
    if !isQuiet, !isLive { try? OutputStream.error.write("waiting for \(what)\n") }
    update("waiting for \(what)")
  }

  /// For what is usually there at once: only a terminal is told.
  init(quietly what: String, _ output: Output, _ surroundings: Surroundings) {
    isQuiet = output.isQuiet || output.mode == .json || output.mode == .jsonLines
    isLive = surroundings.errorIsTerminal && surroundings["TERM"] != "dumb"
    update("waiting for \(what)")
  }

  /// Replaces the line; without a terminal nothing more is said.
  func update(_ text: String) {
    guard isLive, !isQuiet else { return }
    isShown.withLock { $0 = true }
    try? OutputStream.error.write("\r\u{1b}[K\(text)")
  }

  func finish() {
    let wasShown = isShown.withLock { shown in
      defer { shown = false }
      return shown
    }
    if wasShown { try? OutputStream.error.write("\r\u{1b}[K") }
  }

  deinit { finish() }
}
