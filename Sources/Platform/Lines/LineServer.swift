import CEvent
import Glibc
import HTTP
import Synchronization

/// Waits for clients on this machine's loopback and gives each of them to a task.
package final class LineServer: Sendable {
  package struct TLS: Sendable {
    package var certificate: String
    package var key: String
    /// Who signs the certificates of clients; nil where none are asked for.
    package var clientAuthority: String?

    package init(certificate: String, key: String, clientAuthority: String? = nil) {
      (self.certificate, self.key) = (certificate, key)
      self.clientAuthority = clientAuthority
    }
  }

  /// As the system chose it.
  package let port: Int
  private let loop = LineLoop()
  private let visits = Visits()

  /// `serve` talks with one client; when it returns the line is closed.
  package init(
    port: Int = 0, tls: TLS? = nil, atMost clients: Int = 512,
    serve: @escaping @Sendable (LineConnection) async -> Void
  ) throws(LineError) {
    let context: TLSContext?
    if let tls { context = try TLSContext.server(tls) } else { context = nil }
    guard let home = Address.IP(bytes: [127, 0, 0, 1]),
      let spot = Spot.all(of: .ip(home), port: port).first
    else { throw .cannotResolve }
    let descriptor = try spot.listening()
    self.port = Self.port(of: descriptor)
    let (loop, visits) = (loop, visits)
    loop.post { loop in
      loop.add(
        LineListener(LineLoop.nextID(), descriptor) { client in
          guard visits.count < clients else { return false }
          var session: TLSSession?
          if let context {
            session = context.session(on: client)
            guard session != nil else { return false }
          }
          let (id, state) = (LineLoop.nextID(), LineState())
          loop.add(LineSocket(id, client, session, isConnected: true, state))
          visits.begin(LineConnection(loop, id, state), serve)
          return true
        })
    }
  }

  /// Breaks off every conversation, and takes new ones as before: what a restart looks like.
  package func breakOff() async {
    await withCheckedContinuation { continuation in
      let isTaken = loop.post { loop in
        loop.remove { _ in true }
        continuation.resume()
      }
      if !isTaken { continuation.resume() }
    }
  }

  package var clients: Int { visits.count }

  package func stop() async {
    visits.cancel()
    await loop.stopped()
  }

  deinit { loop.stop() }

  private static func port(of descriptor: Int32) -> Int {
    var plain = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &plain) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    return Int(UInt16(bigEndian: plain.sin_port))
  }
}

/// Who is being talked with.
private final class Visits: Sendable {
  private struct State {
    var last = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.tasks.count } }

  func begin(_ line: LineConnection, _ serve: @escaping @Sendable (LineConnection) async -> Void) {
    state.withLock { state in
      state.last += 1
      let number = state.last
      state.tasks[number] = Task {
        await serve(line)
        line.close()
        self.end(number)
      }
    }
  }

  private func end(_ number: Int) { state.withLock { $0.tasks[number] = nil } }

  func cancel() { for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() } }
}

/// A socket that waits for clients, on its loop's thread.
final class LineListener {
  let id: UInt64
  private let descriptor: Int32
  private let welcome: (Int32) -> Bool
  private(set) var isPaused = false

  init(_ id: UInt64, _ descriptor: Int32, welcome: @escaping (Int32) -> Bool) {
    (self.id, self.descriptor, self.welcome) = (id, descriptor, welcome)
  }

  var watched: Int32 { isPaused ? -1 : descriptor }

  func accept(on loop: LineLoop) {
    while true {
      let client = accept_nonblocking(descriptor, nil, nil)
      guard client >= 0 else {
        // Without a free descriptor the socket stays readable; trying again at once would only heat
        // the processor.
        isPaused = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
        return
      }
      Spot.switchOn(client, Int32(IPPROTO_TCP), TCP_NODELAY)
      if !welcome(client) { Glibc.close(client) }
    }
  }

  func resume() { isPaused = false }

  func close() { Glibc.close(descriptor) }
}
