import Glibc

extension FileBody {
  /// A file without a name, written piece by piece before it is sent: with the last answer of it, it is
  /// gone from the disk. `append` tells whether there was room; nil where there was none.
  package static func unnamed<Fault: Error>(
    in folder: String, _ fill: (_ append: ([UInt8]) -> Bool) throws(Fault) -> Void
  ) throws(Fault) -> FileBody? {
    let name = "\(folder)/part-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    unsafe unlink(name)
    var hasRoom = true
    do throws(Fault) {
      try fill { piece in
        hasRoom = hasRoom && write(piece, to: descriptor)
        return hasRoom
      }
    } catch {
      close(descriptor)
      throw error
    }
    guard hasRoom else {
      close(descriptor)
      return nil
    }
    return try? FileBody(descriptor: descriptor)
  }

  static func write(_ piece: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < piece.count {
      let count = unsafe piece.withUnsafeBytes { source in
        unsafe Glibc.write(
          descriptor, source.baseAddress?.advanced(by: written), source.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
