import Glibc

/// What the program takes of the machine, for monitoring.
package struct ProcessFigures: Sendable, Hashable {
  /// Time of processors since the start, its own and the system's for it.
  package let cpu: Duration
  package let residentBytes: Int
  package let openFiles: Int
  /// The most files it may open.
  package let fileLimit: Int
  package let threads: Int

  package static func current() throws(MachineError) -> ProcessFigures {
    var usage = rusage()
    guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else {
      throw MachineError("examine", "the program itself")
    }
    let spent = [usage.ru_utime, usage.ru_stime].map {
      Duration.seconds($0.tv_sec) + .microseconds($0.tv_usec)
    }
    return ProcessFigures(
      cpu: spent[0] + spent[1], residentBytes: try ThisProcess.residentBytes(),
      openFiles: countOpenFiles(), fileLimit: fileLimit, threads: try countThreads())
  }

  package static var fileLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 0
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Without the folder itself, which is open while it is read.
  private static func countOpenFiles() -> Int {
    guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
    defer { unsafe _ = closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return max(0, count - 3)
  }

  /// The twentieth field of proc(5); the second is a name in brackets that may hold blanks.
  private static func countThreads() throws(MachineError) -> Int {
    let path = "/proc/self/stat"
    let bytes = try Descriptor(opening: path, O_RDONLY).read(upTo: 4096, of: path)
    let rest = bytes.suffix(from: bytes.lastIndex(of: UInt8(ascii: ")")) ?? 0).dropFirst(2)
    let fields = rest.split(separator: UInt8(ascii: " "))
    guard fields.count > 17, let count = Int(String(decoding: fields[17], as: UTF8.self)) else {
      throw MachineError(code: EINVAL, attempt: "understand", subject: path)
    }
    return count
  }
}
