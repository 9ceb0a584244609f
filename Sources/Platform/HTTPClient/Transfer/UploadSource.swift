import Glibc

/// The bytes of one request body, given out in order and again from any place: libcurl starts over
/// when a pooled connection turns out to be dead.
@safe final class UploadSource {
  private enum Origin {
    case bytes([UInt8])
    case file(Int32)
  }

  private let origin: Origin
  let size: Int
  private(set) var sent = 0
  private(set) var fault: SystemFault?

  init(_ bytes: [UInt8]) {
    origin = .bytes(bytes)
    size = bytes.count
  }

  init(file path: String) throws(SystemFault) {
    // Without O_NONBLOCK a FIFO would hang the opening.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .errno(errno) }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegularFile
    }
    origin = .file(descriptor)
    size = Int(facts.st_size)
  }

  deinit {
    if case .file(let descriptor) = origin { close(descriptor) }
  }

  var isExhausted: Bool { sent == size }

  /// Nil when the bytes cannot be had; then `fault` says why.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = min(buffer.count, size - sent)
    guard wanted > 0, let start = buffer.baseAddress else { return 0 }
    switch origin {
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { source in
        unsafe buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[sent..<sent + wanted]))
      }
      sent += wanted
      return wanted
    case .file(let descriptor):
      var got = -1
      repeat { got = unsafe pread(descriptor, start, wanted, sent) } while got < 0 && errno == EINTR
      guard got > 0 else {
        fault = got == 0 ? .shrank : .errno(errno)
        return nil
      }
      sent += got
      return got
    }
  }

  func rewind(to offset: Int) -> Bool {
    guard (0...size).contains(offset) else { return false }
    sent = offset
    return true
  }
}
