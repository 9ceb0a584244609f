import CEvent
import Glibc
package import HTTP
import Synchronization

/// An open file as a body. The kernel sends it straight from its own cache; the answer keeps
/// the file it was opened on, even when another takes its name meanwhile.
package final class FileBody: Sendable {
  package enum Failure: Error, Sendable, Hashable {
    case notFound
    case notAFile
    case unreadable(errno: Int32)
  }

  let descriptor: Int32
  package let length: Int
  package let validators: Validators

  package convenience init(path: String) throws(Failure) {
    // Non-blocking, so that a FIFO put in the file's place cannot hold the thread.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR ? .notFound : .unreadable(errno: code)
    }
    try self.init(descriptor: descriptor)
  }

  /// Takes the descriptor over, and closes it also where it fails.
  init(descriptor: Int32) throws(Failure) {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile
    }
    self.descriptor = descriptor
    isInMemory = false
    length = Int(facts.st_size)
    let parts = [
      Int(facts.st_ino), length, facts.st_mtim.tv_sec, Int(facts.st_mtim.tv_nsec),
    ]
    validators = Validators(
      etag: EntityTag(parts.map { String($0, radix: 36) }.joined(separator: "-")),
      lastModified: HTTPDate(seconds: Int64(facts.st_mtim.tv_sec)))
  }

  /// Bytes in a file that lives in memory, so that the kernel sends them without copying. Nil when
  /// there are many already: descriptors are dearer than the copying they save.
  init?(inMemory bytes: [UInt8]) {
    guard FileBody.memoryFiles.add(1, ordering: .relaxed).newValue <= 256 else {
      FileBody.memoryFiles.subtract(1, ordering: .relaxed)
      return nil
    }
    isInMemory = true
    descriptor = carrel_memory_file()
    length = bytes.count
    validators = Validators()
    guard descriptor >= 0, FileBody.write(bytes, to: descriptor) else { return nil }
  }

  private let isInMemory: Bool
  private static let memoryFiles = Atomic(0)

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if isInMemory { FileBody.memoryFiles.subtract(1, ordering: .relaxed) }
  }

  /// For callers without a socket. Shorter than asked for when the file has shrunk.
  package func read(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { target, written in
      written = 0
      while written < range.count {
        let count = unsafe pread(
          descriptor, target.baseAddress?.advanced(by: written), range.count - written,
          off_t(range.lowerBound + written))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        written += count
      }
    }
  }
}
