import Glibc

/// A system call that failed, with what it was about: "Permission denied" alone helps no one.
package struct MachineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kernel's error number.
  package let code: Int32
  /// What was tried, in words: "open", "lock".
  package let attempt: String
  /// The path or program it was tried on; never contents.
  package let subject: String

  package init(code: Int32, attempt: String, subject: String) {
    (self.code, self.attempt, self.subject) = (code, attempt, subject)
  }

  /// From the error number the last call left behind.
  init(_ attempt: String, _ subject: String) {
    self.init(code: errno, attempt: attempt, subject: subject)
  }

  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
  package var isExisting: Bool { code == EEXIST }
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// What the system calls it.
  package var reason: String {
    var room = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(code, &room, room.count) == 0 else { return "error \(code)" }
    return room.prefix { $0 != 0 }.reduce(into: "") {
      $0.unicodeScalars.append(Unicode.Scalar(UInt8(bitPattern: $1)))
    }
  }

  package var description: String { "cannot \(attempt) \(subject): \(reason)" }
}
