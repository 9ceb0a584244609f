import Glibc

/// Who may do what with a file, as the mode bits say.
package struct Access: Sendable, Hashable {
  package let mode: UInt32
  package let owner: UInt32

  init(_ status: stat) { (mode, owner) = (status.st_mode & 0o7777, status.st_uid) }

  package init(of path: String) throws(MachineError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw MachineError("examine", path) }
    self.init(status)
  }

  package var isReadableByOthers: Bool { mode & 0o044 != 0 }
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
  /// Root's files count as ours: root can read everything as it is.
  package var isOurs: Bool { owner == UserAccount.effectiveID || owner == 0 }

  func refusal(of path: String) -> FileError? {
    if isReadableByOthers { return .openToOthers(path: path) }
    return isOurs ? nil : .ownedBySomeoneElse(path: path)
  }
}

extension Access {
  /// Whether this process may write there: by modes, lists, and what is mounted for reading only.
  package static func mayWrite(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
}
