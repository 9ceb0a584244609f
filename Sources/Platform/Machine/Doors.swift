import Glibc

/// Linux calls that the Glibc module does not show to Swift: some live behind _GNU_SOURCE, `prctl` is
/// variadic. Each is looked up by name once. Bound to these few, all with integer or pointer
/// arguments, for which variadic and plain calls agree on x86-64 and AArch64.
enum Doors {
  private typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
  private typealias Affinity = @convention(c) (Int32, Int, UnsafeMutableRawPointer) -> Int32
  private typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
  private typealias Statfs = @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer) -> Int32

  static func prctl(_ option: Int32, _ argument: UInt = 0) -> Int32 {
    guard let symbol = unsafe dlsym(nil, "prctl") else { return missing() }
    return unsafe unsafeBitCast(symbol, to: Prctl.self)(option, argument, 0, 0, 0)
  }

  /// The processors this process may run on, one bit each.
  static func affinity() -> [UInt8]? {
    guard let symbol = unsafe dlsym(nil, "sched_getaffinity") else { return nil }
    // Room for 8192 processors; the kernel refuses a set smaller than its own.
    var set = [UInt8](repeating: 0, count: 1024)
    let result = unsafe set.withUnsafeMutableBytes {
      unsafe unsafeBitCast(symbol, to: Affinity.self)(0, $0.count, $0.baseAddress!)
    }
    return result == 0 ? set : nil
  }

  /// Both ends closed in child processes from the first moment on: setting the flag afterwards would
  /// leave a gap in which another thread's child inherits them.
  static func pipe() -> (read: Int32, write: Int32)? {
    guard let symbol = unsafe dlsym(nil, "pipe2") else { return nil }
    var ends: [Int32] = [-1, -1]
    let result = unsafe unsafeBitCast(symbol, to: Pipe2.self)(&ends, O_CLOEXEC)
    return result == 0 ? (ends[0], ends[1]) : nil
  }

  /// The file system's magic number: the first word of the answer on every 64-bit Linux.
  static func fileSystemMagic(at path: String) -> Int? {
    guard let symbol = unsafe dlsym(nil, "statfs") else { return nil }
    // The structure has 120 bytes; the rest is reserve.
    var answer = [Int](repeating: 0, count: 64)
    let result = unsafe answer.withUnsafeMutableBytes { room in
      unsafe path.withCString {
        unsafe unsafeBitCast(symbol, to: Statfs.self)($0, room.baseAddress!)
      }
    }
    return result == 0 ? answer[0] : nil
  }

  private static func missing() -> Int32 {
    errno = ENOSYS
    return -1
  }
}
