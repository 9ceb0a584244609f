import Glibc

/// One conversation with a scanner, on a thread that may wait, with one end for all of it.
struct ScannerLine: ~Copyable {
  private let descriptor: Int32
  private let end: ContinuousClock.Instant
  private let callingOff: CallingOff

  /// The longest answer that is read; a name of malware and some words around it.
  private static let longest = 4096

  init(
    to place: Scanner.Place, by end: ContinuousClock.Instant, _ callingOff: CallingOff
  ) throws(ScanFault) {
    var last = ScanFault.away(errno: ENOENT)
    for spot in ScannerSpot.all(of: place) {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let number = Glibc.socket(spot.family, kind, 0)
      guard number >= 0 else { throw .away(errno: errno) }
      let code = spot.connect(number)
      let problem = errno
      if code == 0 || problem == EINPROGRESS {
        do throws(ScanFault) {
          try Self.wait(for: number, POLLOUT, by: end, callingOff)
          let fault = Self.fault(of: number)
          if fault == 0 {
            (descriptor, self.end, self.callingOff) = (number, end, callingOff)
            return
          }
          last = .away(errno: fault)
        } catch {
          close(number)
          throw error
        }
      } else {
        last = .away(errno: problem)
      }
      close(number)
    }
    throw last
  }

  deinit { close(descriptor) }

  private static func fault(of number: Int32) -> Int32 {
    var (fault, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    let code = unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &fault, &length)
    return code == 0 ? fault : errno
  }

  /// False where it answers already, or has hung up: then its answer is to be read.
  borrowing func send(_ bytes: [UInt8]) throws(ScanFault) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let happened = try Self.wait(for: descriptor, POLLOUT | POLLIN, by: end, callingOff)
      if happened & Int16(POLLIN) != 0 { return false }
      let count = unsafe bytes.withUnsafeBytes { rest in
        unsafe Glibc.send(
          descriptor, rest.baseAddress.map { unsafe $0 + sent }, rest.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EPIPE || errno == ECONNRESET {
        return false
      } else if errno != EINTR, errno != EAGAIN {
        throw .cut
      }
    }
    return true
  }

  /// Up to the zero that ends it, without that.
  borrowing func answer() throws(ScanFault) -> [UInt8] {
    var said: [UInt8] = []
    while true {
      _ = try Self.wait(for: descriptor, POLLIN, by: end, callingOff)
      var room = [UInt8](repeating: 0, count: 1024)
      let count = unsafe recv(descriptor, &room, room.count, 0)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .cut }
      said += room.prefix(count)
      if let zero = said.firstIndex(of: 0) { return Array(said[..<zero]) }
      guard said.count <= Self.longest else { throw .garbled }
    }
  }

  /// A look at whether it was called off comes a few times a second.
  @discardableResult
  private static func wait(
    for number: Int32, _ events: Int32, by end: ContinuousClock.Instant, _ callingOff: CallingOff
  ) throws(ScanFault) -> Int16 {
    while true {
      if callingOff.isCalledOff { throw .cancelled }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw .timedOut }
      var watched = pollfd(fd: number, events: Int16(events), revents: 0)
      let turn = min(left, .milliseconds(200)) / .milliseconds(1)
      if unsafe poll(&watched, 1, Int32(turn) + 1) > 0 { return watched.revents }
    }
  }
}

/// An address that a scanner may listen at, in the kernel's own form.
struct ScannerSpot {
  private var storage = sockaddr_storage()
  private var length = socklen_t(0)

  var family: Int32 { Int32(storage.ss_family) }

  func connect(_ number: Int32) -> Int32 {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(number, $0, length)
      }
    }
  }

  static func all(of place: Scanner.Place) -> [ScannerSpot] {
    switch place {
    case .socket(let path): Self(path).map { [$0] } ?? []
    case .port(let host, let number): all(of: host, number)
    }
  }

  /// Nil for a path that is too long for the kernel.
  private init?(_ path: String) {
    var plain = sockaddr_un()
    plain.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: plain.sun_path), !bytes.contains(0) else {
      return nil
    }
    unsafe withUnsafeMutableBytes(of: &plain.sun_path) { unsafe $0.copyBytes(from: bytes) }
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
    unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe $0.storeBytes(of: plain, as: sockaddr_un.self)
    }
  }

  private init(_ found: UnsafePointer<sockaddr>, _ length: socklen_t) {
    self.length = length
    let bytes = unsafe UnsafeRawBufferPointer(start: found, count: Int(length))
    unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
  }

  private static func all(of host: String, _ port: Int) -> [ScannerSpot] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var spots: [ScannerSpot] = []
    var next = unsafe list
    while let one = unsafe next?.pointee {
      if let address = unsafe one.ai_addr,
        unsafe one.ai_addrlen <= MemoryLayout<sockaddr_storage>.size
      {
        spots.append(unsafe ScannerSpot(address, one.ai_addrlen))
      }
      unsafe next = one.ai_next
    }
    return spots
  }
}
