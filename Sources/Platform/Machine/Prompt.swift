import Glibc

/// Why a question got no answer.
package enum PromptError: Error, Sendable, Hashable {
  case notATerminal
  /// The person closed the input (Ctrl-D).
  case ended
  case interrupted
  case tooLong(limit: Int)
  case notText
  /// Another question is being asked; one terminal takes one answer at a time.
  case busy
  case failed(MachineError)
}

/// Asks a person a question on a terminal. Blocking: call it by way of `OwnThread`.
package struct Prompt: Sendable {
  package let input: Int32
  package let output: Int32
  package static let limit = 4096

  /// Questions go to standard error, so that they do not end up in a redirected result.
  package init(input: Int32 = 0, output: Int32 = 2) {
    (self.input, self.output) = (input, output)
  }

  package func line(_ question: String) throws(PromptError) -> String {
    let bytes = try ask(question, isHidden: false)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    return text
  }

  /// Typed without being shown. Bytes, because a string cannot be wiped.
  package func hidden(_ question: String) throws(PromptError) -> [UInt8] {
    try ask(question, isHidden: true)
  }

  private func ask(_ question: String, isHidden: Bool) throws(PromptError) -> [UInt8] {
    guard isatty(input) == 1 else { throw .notATerminal }
    let hold = try TerminalHold(on: input, isHidden: isHidden)
    // Only once echo is off: whoever sees the question may start to type.
    do {
      try RawOutput(descriptor: output).write(Array(question.utf8))
    } catch {
      hold.release()
      throw .failed(MachineError(code: error.code, attempt: "write", subject: "the terminal"))
    }
    defer { hold.release() }
    return try answer(wokenBy: hold.wake)
  }

  private func answer(wokenBy wake: Int32) throws(PromptError) -> [UInt8] {
    var answer: [UInt8] = []
    while true {
      var waits = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      if unsafe poll(&waits, 2, -1) < 0, errno != EINTR {
        throw .failed(MachineError("read", "the terminal"))
      }
      if waits[1].revents != 0 { throw .interrupted }
      guard waits[0].revents != 0 else { continue }
      // A byte at a time: what follows the line belongs to whoever reads next.
      var byte: UInt8 = 0
      let count = unsafe read(input, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      // A terminal that hangs up reads as an error.
      guard count >= 0 || errno == EIO else {
        throw .failed(MachineError("read", "the terminal"))
      }
      if count <= 0 {
        if answer.isEmpty { throw .ended }
        return answer
      }
      if byte == UInt8(ascii: "\n") {
        if answer.last == UInt8(ascii: "\r") { answer.removeLast() }
        return answer
      }
      guard answer.count < Self.limit else { throw .tooLong(limit: Self.limit) }
      answer.append(byte)
    }
  }
}
