import Glibc

/// The other side of `PictureProgram`: one order on the input, one answer on the output.
package enum PictureWorker {
  /// Reads to the end, so that the gateway never waits for us to go on reading.
  package static func order() -> PictureOrder? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe read(STDIN_FILENO, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count <= longest else { return nil }
      if count == 0 { return PictureOrder(decoding: bytes) }
      bytes += piece[..<count]
    }
  }

  /// Ends the process, without what the libraries would still do.
  package static func leave(saying bytes: [UInt8], code: Int32 = 0) -> Never {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { _exit(4) }
      rest = rest.dropFirst(count)
    }
    _exit(code)
  }

  private static let longest = ImageLimits.photograph.bytes + 64 << 10
}
