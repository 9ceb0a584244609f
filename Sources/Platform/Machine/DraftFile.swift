import Glibc
import Synchronization

/// A file that is written piece by piece beside the one whose place it will take, all of it or none:
/// until `finish` nobody sees it, and what is let go unfinished was never there.
package final class DraftFile: Sendable {
  private struct Held: ~Copyable {
    let file: Descriptor
    var isFinished = false
  }

  private let path: String
  private let target: String
  private let draft: String
  private let held: Mutex<Held>

  /// Where the path is a symbolic link, what it points to is replaced.
  package init(of path: String, mode: UInt32 = 0o600) throws(MachineError) {
    let target = Path.resolvingLink(path)
    // The name is drawn, and must not exist: no one can lay a link in its place beforehand.
    let name = ".\(String(Chance.system.next(), radix: 36)).tmp"
    let draft = Path.parent(of: target).appending(path: name)
    let file = try Descriptor(opening: draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    // Past the umask: the mode is the caller's decision.
    guard fchmod(file.number, mode) == 0 else {
      unsafe _ = unlink(draft)
      throw MachineError("protect", draft)
    }
    (self.path, self.target, self.draft) = (path, target, draft)
    held = Mutex(Held(file: file))
  }

  deinit {
    if !held.withLock({ $0.isFinished }) { unsafe _ = unlink(draft) }
  }

  package func write(_ bytes: [UInt8]) throws(MachineError) {
    try held.withLock { held throws(MachineError) in try held.file.write(bytes, to: path) }
  }

  /// File and folder both flushed to disk.
  package func finish() throws(MachineError) {
    try held.withLock { held throws(MachineError) in
      try held.file.synchronize(path)
      guard unsafe rename(draft, target) == 0 else { throw MachineError("replace", path) }
      held.isFinished = true
    }
    try Folder.synchronize(Path.parent(of: target))
  }
}
