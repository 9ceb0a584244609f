import Glibc

/// An open file of the kernel with one owner, closed exactly once.
@safe struct Descriptor: ~Copyable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  /// All files are opened so that no child process inherits them unasked.
  init(
    opening path: String, _ flags: Int32, mode: UInt32 = 0o600, attempt: String = "open"
  ) throws(MachineError) {
    let number = retrying { unsafe open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw MachineError(attempt, path) }
    self.number = number
  }

  deinit { close(number) }

  func status(of path: String) throws(MachineError) -> stat {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw MachineError("examine", path) }
    return status
  }

  /// Reads to the end, or to one byte more than the limit.
  func read(upTo limit: Int, of path: String) throws(MachineError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= limit {
      let wanted = min(chunk.count, limit - bytes.count + 1)
      let count = retrying { unsafe Glibc.read(number, &chunk, wanted) }
      guard count >= 0 else { throw MachineError("read", path) }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  func write(_ bytes: [UInt8], to path: String) throws(MachineError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        retrying { unsafe Glibc.write(number, all.baseAddress! + done, all.count - done) }
      }
      guard count >= 0 else { throw MachineError("write", path) }
      done += count
    }
  }

  func synchronize(_ path: String) throws(MachineError) {
    guard retrying({ fsync(number) }) == 0 else { throw MachineError("write", path) }
  }
}

/// Calls again while a signal cuts the call short.
func retrying<N: SignedInteger>(_ call: () -> N) -> N {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
