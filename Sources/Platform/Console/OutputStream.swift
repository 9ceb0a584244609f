import Glibc
package import TextSafety

/// Where a process speaks: results on one stream, everything about them on the other.
package struct OutputStream: Sendable, Hashable {
  package enum Trouble: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reader has gone, as `head` does when it has seen enough. Nobody is left to tell.
    case readerGone
    case failed(String)

    package var description: String {
      switch self {
      case .readerGone: "the reader has closed the pipe"
      case .failed(let reason): reason
      }
    }
  }

  package static let output = OutputStream(descriptor: STDOUT_FILENO)
  package static let error = OutputStream(descriptor: STDERR_FILENO)

  private let descriptor: Int32

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal behind the stream, if it is one and says so.
  package var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  package func write(_ text: TerminalText) throws(Trouble) { try put(Array(text.text.utf8)) }

  /// A document that is a result in itself, byte for byte; only a terminal, which would obey what is
  /// in it, gets it cleaned.
  package func write(document bytes: [UInt8]) throws(Trouble) {
    guard isTerminal else { return try put(bytes) }
    try write(TerminalText(lines: String(decoding: bytes, as: UTF8.self)))
  }

  /// Writes all of it, however often the system takes only a part.
  private func put(_ bytes: [UInt8]) throws(Trouble) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + done, buffer.count - done)
      }
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: throw .readerGone
      case let code: throw .failed(unsafe String(cString: strerror(code)))
      }
    }
  }

  /// A terminal or pipe that another program has switched to non-blocking is still ours to fill.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}
