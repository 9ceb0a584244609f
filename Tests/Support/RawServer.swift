import Glibc
import Synchronization

/// A server on a loopback port that says, byte for byte, what a test makes it say: whole answers,
/// half ones, and what no answer should be. One thread accepts, one thread serves each connection.
package final class RawServer: Sendable {
  private struct State {
    var accepted = 0
    var sockets: Set<Int32> = []
    var isStopped = false
  }

  package let port: Int
  private let listener: Int32
  private let state = Mutex(State())
  private let script: @Sendable (RawConnection) -> Void

  /// The script runs once for each connection; the connection is closed when it returns.
  /// A small receive buffer keeps a client from sending all it has before anybody reads.
  package init(
    receiveBuffer: Int32? = nil, _ script: @escaping @Sendable (RawConnection) -> Void
  ) throws {
    self.script = script
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    if var size = receiveBuffer {
      unsafe setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw ServerFault.noPort }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    startThread { [self] in acceptAll() }
  }

  /// The same on a Unix socket; there is no port then.
  package init(
    at path: String, _ script: @escaping @Sendable (RawConnection) -> Void
  ) throws {
    self.script = script
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw ServerFault.noPort
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let isBound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
          && listen(listener, 128) == 0
      }
    }
    guard isBound else { throw ServerFault.noPort }
    (self.listener, port) = (listener, 0)
    startThread { [self] in acceptAll() }
  }

  enum ServerFault: Error { case noPort }

  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  package var accepted: Int { state.withLock { $0.accepted } }

  package func stop() {
    // Shutting down wakes the threads that wait on these; they do the closing, and say so before: a
    // number that is closed may be another's at once.
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      _ = shutdown(listener, Int32(SHUT_RDWR))
      for socket in state.sockets { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  private func acceptAll() {
    while true {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        break
      }
      // A program that another test starts must not keep this connection open.
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      let number = state.withLock { state in
        state.accepted += 1
        state.sockets.insert(socket)
        if state.isStopped { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        return state.accepted
      }
      startThread { [self] in
        script(RawConnection(socket, number: number))
        state.withLock { _ = $0.sockets.remove(socket) }
        close(socket)
      }
    }
    state.withLock { $0.isStopped = true }
    close(listener)
  }
}

/// One accepted connection, used by its own thread.
package final class RawConnection {
  private let socket: Int32
  package var descriptor: Int32 { socket }
  /// The how-manieth connection of its server this is, from 1.
  package let number: Int
  private var buffer: [UInt8] = []

  init(_ socket: Int32, number: Int) {
    self.socket = socket
    self.number = number
  }

  package struct Request {
    /// Request line and headers, without the empty line.
    package let head: String
    package let body: [UInt8]

    package var line: String { head.components("\r\n").first ?? "" }
    package var method: String { line.components(" ").first ?? "" }
    package var target: String { line.components(" ").dropFirst().first ?? "" }

    package func header(_ name: String) -> String? {
      for line in head.components("\r\n").dropFirst()
      where line.lowercased().hasPrefix("\(name.lowercased()):") {
        return String(line.dropFirst(name.count + 1).drop { $0 == " " })
      }
      return nil
    }
  }

  /// Nil when the client has gone away.
  package func request() -> Request? {
    guard let head = read(upTo: "\r\n\r\n") else { return nil }
    let request = Request(head: head, body: [])
    if let length = request.header("Content-Length").flatMap({ Int($0) }) {
      guard let body = read(count: length) else { return nil }
      return Request(head: head, body: body)
    }
    guard request.header("Transfer-Encoding") != nil, let body = read(upTo: "0\r\n\r\n") else {
      return request
    }
    return Request(head: head, body: Array(body.utf8))
  }

  /// Nil when the client has gone away before.
  package func bytes(_ count: Int) -> [UInt8]? { read(count: count) }

  /// Up to a byte that ends it, without that.
  package func text(upTo end: UInt8) -> String? { read(upTo: String(UnicodeScalar(end))) }

  package func line() -> String? { read(upTo: "\r\n") }

  @discardableResult package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// False when the client has gone away.
  @discardableResult package func write(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe send(
          socket, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// A whole answer with its length.
  @discardableResult
  package func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "")
    -> Bool
  {
    answer(status, headers, Array(body.utf8))
  }

  @discardableResult
  package func answer(_ status: String, _ headers: [String], _ body: [UInt8]) -> Bool {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""]
    return write(Array(lines.joined(separator: "\r\n").utf8) + body)
  }

  /// Returns once the client has closed its end, whatever it still sends before.
  package func waitForClose() {
    while fill() {}
  }

  /// Everything until the client has closed its end.
  package func rest() -> [UInt8] {
    waitForClose()
    return buffer
  }

  /// The next close sends a reset instead of an orderly end.
  package func resetOnClose() {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var count = -1
    repeat { count = unsafe recv(socket, &chunk, chunk.count, 0) } while count < 0 && errno == EINTR
    guard count > 0 else { return false }
    buffer += chunk.prefix(count)
    return true
  }

  private func read(upTo mark: String) -> String? {
    let mark = Array(mark.utf8)
    while true {
      if buffer.count >= mark.count {
        for start in 0...(buffer.count - mark.count)
        where buffer[start..<start + mark.count].elementsEqual(mark) {
          let text = String(decoding: buffer[..<start], as: UTF8.self)
          buffer.removeFirst(start + mark.count)
          return text
        }
      }
      guard fill() else { return nil }
    }
  }

  private func read(count: Int) -> [UInt8]? {
    while buffer.count < count { guard fill() else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }
}

/// Tests block these threads at will; the cooperative pool must not be blocked.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = unsafe Unmanaged.passRetained(Box(body))
  let code = unsafe pthread_create(
    &thread, nil,
    { argument in
      if let argument = unsafe argument {
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      }
      return nil
    }, box.toOpaque())
  precondition(code == 0, "no thread for a test")
  pthread_detach(thread)
}

extension String {
  package func components(_ separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

/// Keeps a server's thread busy: for servers whose whole point is to be slow.
package func busyWait(_ span: Duration, unless isOver: () -> Bool = { false }) {
  let end = ContinuousClock.now + span
  while ContinuousClock.now < end, !isOver() { sched_yield() }
}

extension RawConnection {
  /// Whether the client has closed or reset the connection, without reading what it has sent.
  package var isClosedByPeer: Bool {
    var state = pollfd(fd: descriptor, events: Int16(pollPeerClosed), revents: 0)
    return unsafe poll(&state, 1, 20) > 0
  }
}

/// POLLRDHUP, which is only declared with GNU extensions on.
private let pollPeerClosed = 0x2000
