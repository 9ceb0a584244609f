import Glibc

/// systemd's side of a service: told how the program does, and asked what it was given. Where there
/// is no service manager every call is quietly nothing.
package struct ServiceManager: Sendable, Hashable {
  package enum News: Sendable, Hashable {
    case ready, reloading, stopping, watchdog
    case status(String)
  }

  package let socketPath: String?
  /// How often the watchdog wants to hear at the latest; half of it is a good rhythm.
  package let watchdogInterval: Duration?

  package init(in environment: Environment, process: Int32 = ownProcessID()) {
    socketPath = environment.nonEmpty("NOTIFY_SOCKET")
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    // Meant for another process, if it names one.
    let isOurs = environment.nonEmpty("WATCHDOG_PID").map { Int32($0) == process } ?? true
    watchdogInterval = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// One datagram with all the news, so that they count together (sd_notify(3)).
  package func tell(_ news: News...) throws(MachineError) {
    guard let socketPath, !news.isEmpty else { return }
    let message = news.map(Self.line).joined(separator: "\n")
    try Self.send(Array(message.utf8), to: socketPath)
  }

  private static func line(_ news: News) -> String {
    switch news {
    case .ready: return "READY=1"
    case .stopping: return "STOPPING=1"
    case .watchdog: return "WATCHDOG=1"
    case .reloading:
      // Type=notify-reload wants to know since when, by the monotonic clock.
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      return "RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)"
    case .status(let text):
      // A line break would begin a new assignment.
      return "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    }
  }

  private static func send(_ message: [UInt8], to path: String) throws(MachineError) {
    var name = Array(path.utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let isAbstract = name.first == UInt8(ascii: "@")
    guard isAbstract || name.first == UInt8(ascii: "/"), name.count < room else {
      throw MachineError(code: EINVAL, attempt: "notify", subject: path)
    }
    // An abstract name begins with a zero byte and ends with its length.
    if isAbstract { name[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1))
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
    guard number >= 0 else { throw MachineError("notify", path) }
    let socket = Descriptor(owning: number)
    let sent = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        retrying {
          unsafe sendto(
            socket.number, message, message.count, Int32(MSG_NOSIGNAL), address, length)
        }
      }
    }
    guard sent == message.count else { throw MachineError("notify", path) }
  }
}

package func ownProcessID() -> Int32 { getpid() }
