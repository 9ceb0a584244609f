import Glibc

/// Bytes straight to a descriptor, with no buffer that could be lost or printed twice. The other end
/// closing (`| head`) is an outcome of its own: it ends the program quietly, it is no failure.
package struct RawOutput: Sendable, Hashable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  package static let standard = RawOutput(descriptor: 1)
  package static let error = RawOutput(descriptor: 2)

  package enum Failure: Error, Sendable, Hashable {
    case closedByReader
    case failed(code: Int32)

    package var code: Int32 {
      switch self {
      case .closedByReader: EPIPE
      case .failed(let code): code
      }
    }
  }

  /// Everything or an error. Needs SIGPIPE ignored (`Signals.ignoreBrokenPipe`).
  package func write(_ bytes: [UInt8]) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        unsafe Glibc.write(descriptor, all.baseAddress! + done, all.count - done)
      }
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE: throw .closedByReader
      case EAGAIN:
        // A terminal shared with a program that made it non-blocking.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&wait, 1, -1)
      case let code: throw .failed(code: code)
      }
    }
  }

  package func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }
}
