import Glibc

/// The last bytes of a file, or its first ones, and how long it is.
struct FileTail {
  let bytes: [UInt8]
  let size: Int

  enum Edge { case start, end }

  init(of path: String, upTo reach: Int, from edge: Edge = .end) throws(ZipError) {
    // Where a pipe stands in its place nobody waits for its other end.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .noFile(unsafe String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .noFile("not a file")
    }
    size = Int(status.st_size)
    let wanted = min(size, reach)
    var read = 0
    let from = edge == .start ? 0 : size - wanted
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { target, written in
      while read < wanted {
        let got = unsafe pread(
          file, target.baseAddress?.advanced(by: read), wanted - read, off_t(from + read))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        read += got
      }
      written = read
    }
    guard read == wanted else { throw .noFile("cannot be read") }
  }
}

extension ZipArchive {
  /// How a file begins that is no archive.
  package static func head(of file: String, _ count: Int) -> [UInt8]? {
    try? FileTail(of: file, upTo: count, from: .start).bytes
  }
}
