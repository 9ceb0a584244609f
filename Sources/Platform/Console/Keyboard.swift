import Glibc
import Synchronization

/// Asking a person at the keyboard.
package enum Keyboard {
  package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// How the terminal was before we hid what is typed; here so that an interruption in the middle
  /// of a password can put it back.
  private static let before = Mutex<termios?>(nil)

  private static let waiting = Mutex(false)

  /// Whether a person is being asked right now.
  package static var isAsked: Bool { waiting.withLock { $0 } }

  /// One line without its end; nil at the end of the input. Bytes are taken one by one, so that
  /// what follows the line stays for whoever reads next.
  package static func line(atMost limit: Int = 4096) -> String? {
    waiting.withLock { $0 = true }
    defer { waiting.withLock { $0 = false } }
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = unsafe Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == 0x0a { break }
      if bytes.count < limit { bytes.append(byte) }
    }
    if bytes.last == 0x0d { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One line that the screen does not show.
  package static func hiddenLine() -> String? {
    hide()
    defer { show() }
    return line()
  }

  /// Makes typing visible again, if it is hidden.
  package static func show() {
    before.withLock { saved in
      guard var state = saved else { return }
      unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &state)
      saved = nil
    }
  }

  private static func hide() {
    before.withLock { saved in
      var state = termios()
      guard unsafe tcgetattr(STDIN_FILENO, &state) == 0 else { return }
      saved = state
      state.c_lflag &= ~tcflag_t(ECHO)
      unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &state)
    }
  }
}
