import Glibc

extension ChildProcess {
  /// The next line that the program prints, as servers do when they are ready; nil when it ends
  /// without one or takes longer than allowed.
  package func line(within patience: Duration, upTo limit: Int = 1 << 20) async -> String? {
    guard let output else { return nil }
    let deadline = ContinuousClock.now + patience
    return await OwnThread.run {
      var bytes: [UInt8] = []
      while bytes.count < limit, ContinuousClock.now < deadline {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, 100) > 0 else { continue }
        var byte: UInt8 = 0
        guard unsafe read(output, &byte, 1) == 1 else { return nil }
        if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(byte)
      }
      return nil
    }
  }
}
