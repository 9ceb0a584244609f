import CEvent
import Glibc
import HTTP
import Machine
import Synchronization

/// An address that a socket can be opened to.
struct Spot: Sendable {
  let ip: Address.IP
  private let storage: sockaddr_storage
  private let length: socklen_t

  /// A socket on its way there.
  func connecting() throws(LineError) -> Int32 {
    let descriptor = try Self.socket(of: Int32(storage.ss_family))
    let code = unsafe withPointer { unsafe connect(descriptor, $0, $1) }
    guard code == 0 || errno == EINPROGRESS else {
      let code = errno
      close(descriptor)
      throw .cannotConnect(errno: code)
    }
    return descriptor
  }

  /// A socket that waits for others there.
  func listening() throws(LineError) -> Int32 {
    let descriptor = try Self.socket(of: Int32(storage.ss_family))
    Self.switchOn(descriptor, SOL_SOCKET, SO_REUSEADDR)
    guard unsafe withPointer({ unsafe bind(descriptor, $0, $1) }) == 0, listen(descriptor, 256) == 0
    else {
      let code = errno
      close(descriptor)
      throw .cannotConnect(errno: code)
    }
    return descriptor
  }

  private static func socket(of family: Int32) throws(LineError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(family, kind, 0)
    guard descriptor >= 0 else { throw .cannotConnect(errno: errno) }
    switchOn(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    switchOn(descriptor, SOL_SOCKET, SO_KEEPALIVE)
    return descriptor
  }

  static func switchOn(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    unsafe setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }

  /// What the system's resolver gives for it; it may take its time, unless the host is a number.
  static func all(of host: Address.Host, port: Int) -> [Spot] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    let name: String
    switch host {
    case .name(let text): name = text
    case .ip(let ip):
      name = ip.description
      unsafe hints.ai_flags = AI_NUMERICHOST
    }
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(name, String(port), &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var spots: [Spot] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let spot = unsafe Spot(entry.pointee) { spots.append(spot) }
      unsafe next = entry.pointee.ai_next
    }
    return spots
  }

  private init?(_ entry: addrinfo) {
    guard let address = unsafe entry.ai_addr else { return nil }
    let raw = unsafe UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
    let place: Range<Int>
    switch unsafe entry.ai_family {
    // Behind family and port; of the newer kind also behind the flow.
    case AF_INET: place = 4..<8
    case AF_INET6: place = 8..<24
    default: return nil
    }
    guard raw.count >= place.upperBound,
      raw.count <= MemoryLayout<sockaddr_storage>.size,
      let ip = Address.IP(bytes: unsafe Array(raw[place]))
    else { return nil }
    self.ip = ip
    length = unsafe entry.ai_addrlen
    var storage = sockaddr_storage()
    unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: raw) }
    self.storage = storage
  }
}

/// Asks the system's resolver, which blocks, on threads of its own: one for each host, however many
/// wait for it.
final class Resolver: Sendable {
  private typealias Answer = @Sendable ([Spot]?) -> Void

  private struct Waiting {
    var last = 0
    var asking: [String: [Int: Answer]] = [:]
  }

  private let waiting = Mutex(Waiting())

  func spots(
    of place: LinePlace, _ pinned: [String: [Address.IP]], by deadline: ContinuousClock.Instant
  ) async throws(LineError) -> [Spot] {
    let found: [Spot]?
    if case .name(let name) = place.host {
      if let ips = pinned[name] {
        found = ips.flatMap { Spot.all(of: .ip($0), port: place.port) }
      } else {
        found = await looked(up: place, by: deadline)
      }
    } else {
      found = Spot.all(of: place.host, port: place.port)
    }
    if Task.isCancelled { throw .cancelled(.resolving) }
    guard let found else { throw .timedOut(.resolving) }
    guard !found.isEmpty else { throw .cannotResolve }
    return found
  }

  /// Nil when it took too long.
  private func looked(up place: LinePlace, by deadline: ContinuousClock.Instant) async -> [Spot]? {
    let key = "\(place.host.text) \(place.port)"
    let ticket = waiting.withLock { waiting in
      waiting.last += 1
      return waiting.last
    }
    let alarm = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      self.giveUp(key, ticket)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFirst = waiting.withLock { waiting in
          let isFirst = waiting.asking[key] == nil
          waiting.asking[key, default: [:]][ticket] = { continuation.resume(returning: $0) }
          return isFirst
        }
        if isFirst {
          OwnThread.start { [self] in
            let spots = Spot.all(of: place.host, port: place.port)
            let all = waiting.withLock { $0.asking.removeValue(forKey: key) }
            for answer in (all ?? [:]).values { answer(spots) }
          }
        }
        if Task.isCancelled { giveUp(key, ticket) }
      }
    } onCancel: {
      giveUp(key, ticket)
    }
  }

  private func giveUp(_ key: String, _ ticket: Int) {
    // The list of who waits stays while the resolver is asked, so that nobody asks beside it.
    waiting.withLock { $0.asking[key]?.removeValue(forKey: ticket) }?(nil)
  }
}
