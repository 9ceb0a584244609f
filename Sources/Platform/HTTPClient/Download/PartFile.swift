import Glibc
import Synchronization

/// The file a download grows in. Locked while in use, so that two downloads to one place never
/// mix their bytes, not even from two processes.
final class PartFile: Sendable {
  struct Start: Sendable, Equatable {
    let offset: Int
    let validator: String?
    let total: Int?
  }

  private struct State {
    var descriptor: Int32
    var length: Int
  }

  let key: String
  private let target: String
  private let state: Mutex<State>

  private var partPath: String { "\(target).part" }
  private var notePath: String { "\(target).part.note" }

  init(for target: String, key: String) throws(SystemFault) {
    self.target = target
    self.key = key
    let (descriptor, length) = try PartFile.open("\(target).part")
    state = Mutex(State(descriptor: descriptor, length: length))
  }

  deinit { close() }

  private static func open(_ path: String) throws(SystemFault) -> (Int32, Int) {
    // Between opening and locking, the download that held the lock may have renamed the file.
    for _ in 0..<8 {
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let descriptor = unsafe Glibc.open(path, flags, 0o600)
      guard descriptor >= 0 else { throw .errno(errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        Glibc.close(descriptor)
        throw code == EWOULDBLOCK ? .busy : .errno(code)
      }
      var opened = stat()
      var named = stat()
      guard unsafe fstat(descriptor, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG else {
        Glibc.close(descriptor)
        throw .notRegularFile
      }
      if unsafe lstat(path, &named) == 0, named.st_ino == opened.st_ino,
        named.st_dev == opened.st_dev
      {
        return (descriptor, Int(opened.st_size))
      }
      Glibc.close(descriptor)
    }
    throw .busy
  }

  var length: Int { state.withLock { $0.length } }

  /// Where to go on; from zero when it is not known what the bytes are a part of.
  func start() throws(SystemFault) -> Start {
    let length = length
    if length > 0, let note = readNote(), note.key == key, length <= note.total ?? length {
      return Start(offset: length, validator: note.validator, total: note.total)
    }
    try discard()
    return Start(offset: 0, validator: nil, total: nil)
  }

  func append(_ bytes: RawSpan) throws(SystemFault) {
    try state.withLock { state throws(SystemFault) in
      var done = 0
      while done < bytes.byteCount {
        let offset = state.length
        let count = unsafe bytes.withUnsafeBytes { buffer in
          guard let start = buffer.baseAddress else { return 0 }
          return unsafe pwrite(state.descriptor, start + done, buffer.count - done, offset)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .errno(count < 0 ? errno : ENOSPC) }
        done += count
        state.length += count
      }
    }
  }

  /// Back to an empty file without a note, in this order.
  func discard() throws(SystemFault) {
    guard unsafe unlink(notePath) == 0 || errno == ENOENT else { throw .errno(errno) }
    try state.withLock { state throws(SystemFault) in
      guard ftruncate(state.descriptor, 0) == 0 else { throw .errno(errno) }
      state.length = 0
    }
  }

  /// Whole or not at all, like the file itself.
  func write(_ note: PartNote) throws(SystemFault) {
    let scratch = "\(notePath).new"
    let descriptor = unsafe Glibc.open(
      scratch, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .errno(errno) }
    let bytes = note.bytes
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    let code = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
    Glibc.close(descriptor)
    guard code == 0, unsafe rename(scratch, notePath) == 0 else {
      let reason = code == 0 ? errno : code
      _ = unsafe unlink(scratch)
      throw .errno(reason)
    }
  }

  private func readNote() -> PartNote? {
    let descriptor = unsafe Glibc.open(notePath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 70_000)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(descriptor, $0.baseAddress, $0.count)
    }
    return count > 0 ? PartNote(Array(bytes.prefix(count))) : nil
  }

  /// The file is on the disk before it has its name, and the name before we say so.
  func commit() throws(SystemFault) {
    try state.withLock { state throws(SystemFault) in
      guard fsync(state.descriptor) == 0 else { throw .errno(errno) }
      guard unsafe rename(partPath, target) == 0 else { throw .errno(errno) }
      _ = unsafe unlink(notePath)
      let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
      let directory = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard directory >= 0 else { throw .errno(errno) }
      defer { Glibc.close(directory) }
      // Some file systems cannot sync a folder, and say so with EINVAL.
      guard fsync(directory) == 0 || errno == EINVAL else { throw .errno(errno) }
      Glibc.close(state.descriptor)
      state.descriptor = -1
    }
  }

  /// Lets go of the lock; an empty part is not worth leaving behind.
  func close() {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      if state.length == 0 { _ = unsafe unlink(partPath) }
      Glibc.close(state.descriptor)
      state.descriptor = -1
    }
  }
}
