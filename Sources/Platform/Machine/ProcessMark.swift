import Glibc

/// Names one process of a machine for as long as the machine runs, so that another process can tell
/// whether it has ended. Process numbers are used again; together with the time of its start a number
/// is not.
package struct ProcessMark: Sendable, Hashable {
  package let text: String

  /// This process; nil where the kernel does not tell.
  package static let own: ProcessMark? = {
    let id = ThisProcess.id
    guard let space = ownSpace, let facts = Facts(of: id) else { return nil }
    return ProcessMark(text: "\(space) \(id) \(facts.start)")
  }()

  package init(text: String) { self.text = text }

  /// True only where it is certain. A process of another namespace cannot be seen from here, and may
  /// run all the same.
  package var hasEnded: Bool {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let id = Int32(parts[1]), id > 0, let start = UInt64(parts[2]),
      let space = Self.ownSpace, String(parts[0]) == space
    else { return false }
    // Unlike the files of /proc, which may be hidden, this tells of every user's processes.
    if kill(id, 0) == -1, errno == ESRCH { return true }
    guard let facts = Facts(of: id) else { return false }
    return facts.start != start || facts.isOver
  }

  private static let ownSpace: String? = {
    let path = "/proc/self/ns/pid"
    do throws(MachineError) {
      return "\(try Descriptor(opening: path, O_RDONLY).status(of: path).st_ino)"
    } catch {
      return nil
    }
  }()

  /// What the kernel tells of a process (proc_pid_stat(5)).
  private struct Facts {
    let start: UInt64
    /// It has ended, and its parent was not told yet. Its first thread alone may end before the others.
    let isOver: Bool

    init?(of id: Int32) {
      guard let bytes = try? WholeFile.read("/proc/\(id)/stat", upTo: 4096) else { return nil }
      // The name of the program stands in parentheses, and may hold anything.
      let text = String(decoding: bytes, as: UTF8.self)
      guard let name = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: name)...].split(separator: " ")
      guard fields.count > 19, let threads = Int(fields[17]), let start = UInt64(fields[19]) else {
        return nil
      }
      self.start = start
      isOver = ["Z", "X"].contains(fields[0]) && threads <= 1
    }
  }
}
