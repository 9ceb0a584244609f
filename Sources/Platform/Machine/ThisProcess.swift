import Glibc

/// What the program asks and says about itself.
package enum ThisProcess {
  package static var id: Int32 { getpid() }

  /// What the program has in memory now.
  package static func residentBytes() throws(MachineError) -> Int {
    let path = "/proc/self/statm"
    let text = try Descriptor(opening: path, O_RDONLY).read(upTo: 256, of: path)
    let fields = text.split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else {
      throw MachineError(code: EINVAL, attempt: "understand", subject: path)
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// How many processors it may use: a container or `taskset` may allow fewer than there are.
  package static var processorCount: Int {
    if let set = Doors.affinity() {
      return max(1, set.reduce(0) { $0 + $1.nonzeroBitCount })
    }
    return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// A core file would hold every unlocked secret. The limit alone is not enough: the kernel does not
  /// apply it where cores are piped to a program (core(5)).
  package static func refuseCoreDumps() throws(MachineError) {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0,
      Doors.prctl(Self.setDumpable, 0) == 0
    else {
      throw MachineError("refuse", "core dumps")
    }
  }

  /// Raises the limit of open files as far as `wanted` where the system allows it; tells what it is then.
  /// Programs start with a low one, for others that cannot handle large numbers.
  @discardableResult
  package static func raiseFileLimit(to wanted: Int) -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return ProcessFigures.fileLimit }
    let now = Int(clamping: limit.rlim_cur)
    guard now < wanted else { return now }
    limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
    unsafe _ = setrlimit(resource, &limit)
    return ProcessFigures.fileLimit
  }

  package static var mayDumpCore: Bool { Doors.prctl(Self.getDumpable) != 0 }

  /// Fills the places of closed standard streams: the next file opened would become standard error,
  /// and messages would be written into it.
  package static func fillStandardStreams() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
      // The lowest free number is the one missing.
      unsafe _ = open("/dev/null", O_RDWR)
    }
  }

  package static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

  private static let getDumpable: Int32 = 3
  private static let setDumpable: Int32 = 4
}
