import CEvent
import Glibc
import HTTP
import Synchronization

/// One thread with its event base, its share of the listening sockets and its connections.
@safe final class Loop: @unchecked Sendable {
  // After `start` everything but the inbox is touched by the loop's own thread alone; others post.
  let base: OpaquePointer
  let site: Site
  let inbox: Inbox
  /// Where answers are put together before they are sent; empty between two connections' turns.
  let staging: OpaquePointer
  /// Whether what is staged holds a piece of a file.
  var stagesFile = false
  var head = HeadBytes()
  private(set) var connections: [Connection] = []
  private(set) var isDraining = false
  /// How many connections there are, for the other loops to see.
  let load = Atomic<Int>(0)
  /// All loops of the server, while it runs.
  var crew: [Loop] = []

  private var acceptors: [Acceptor] = []
  private var wakeup: OpaquePointer?
  private var ticker: OpaquePointer?
  private var deadline = Monotonic.never
  private var dateSecond = 0
  private var dateLine: [UInt8] = []
  private let idBase: UInt64
  private var idCount: UInt64 = 0
  private var ended: @Sendable () -> Void = {}

  init(_ site: Site, _ sockets: [ListeningSocket]) throws(ServerError) {
    self.site = site
    inbox = try Inbox()
    guard let base = unsafe event_base_new(), let staging = unsafe evbuffer_new() else {
      throw .outOfResources(errno: ENOMEM)
    }
    unsafe (self.base, self.staging) = (base, staging)
    var random = SystemRandomNumberGenerator()
    idBase = random.next()
    // Files put into it are sent by the kernel instead of being read.
    unsafe evbuffer_set_flags(staging, UInt64(EVBUFFER_FLAG_DRAINS_TO_FD))
    acceptors = sockets.map { Acceptor($0, on: self) }
  }

  // MARK: Life

  /// Starts the thread. `ended` is called from it as the very last thing.
  func start(ended: @escaping @Sendable () -> Void) {
    self.ended = ended
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe wakeup = event_new(
      base, inbox.descriptor, Int16(EV_READ | EV_PERSIST),
      { _, _, loop in
        for job in unsafe Unmanaged<Loop>.fromOpaque(loop.unsafelyUnwrapped)
          .takeUnretainedValue().inbox.take()
        { job() }
      }, own)
    unsafe event_add(wakeup, nil)
    unsafe ticker = event_new(
      base, -1, Int16(EV_PERSIST),
      { _, _, loop in
        unsafe Unmanaged<Loop>.fromOpaque(loop.unsafelyUnwrapped).takeUnretainedValue().tick()
      }, own)
    for acceptor in acceptors { acceptor.open() }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { loop in
        unsafe Unmanaged<Loop>.fromOpaque(loop.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    // Impossible on a working system, and without threads there is no server.
    precondition(code == 0, "no thread for a loop")
    pthread_detach(thread)
  }

  private func run() {
    // Signals are for the main thread; a client that has gone shows as EPIPE, not as SIGPIPE.
    var all = sigset_t()
    unsafe sigfillset(&all)
    // A crash on this thread has to reach the handler that reports it.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
      unsafe sigdelset(&all, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    unsafe event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
    for job in inbox.close() { job() }
    for connection in connections { connection.abort() }
    (acceptors, crew) = ([], [])
    unsafe event_free(wakeup)
    unsafe event_free(ticker)
    unsafe evbuffer_free(staging)
    unsafe event_base_free(base)
    ended()
  }

  /// Takes no more clients, lets running requests finish until `deadline`, then ends the thread.
  func drain(until deadline: Monotonic) {
    guard !isDraining else { return }
    isDraining = true
    self.deadline = deadline
    for acceptor in acceptors { acceptor.close() }
    acceptors = []
    for connection in connections.reversed() { connection.drain() }
    endIfDrained()
  }

  private func endIfDrained() {
    if isDraining, connections.isEmpty { unsafe event_base_loopbreak(base) }
  }

  // MARK: Connections

  /// Gives a new client to the loop with the fewest. The kernel deals clients out by their
  /// addresses, which is uneven when they are few: a reader should not wait behind twenty others
  /// while the second thread has twelve.
  func welcome(_ descriptor: Int32, _ peer: Peer) {
    var quietest = self
    var least = load.load(ordering: .relaxed) - 1
    for other in crew where other.load.load(ordering: .relaxed) < least {
      quietest = other
      least = other.load.load(ordering: .relaxed)
    }
    if quietest === self || isDraining { return Connection.open(descriptor, peer, on: self) }
    let chosen = quietest
    let posted = chosen.inbox.post { Connection.open(descriptor, peer, on: chosen) }
    if !posted { Connection.open(descriptor, peer, on: self) }
  }

  func add(_ connection: Connection) {
    connection.slot = connections.count
    connections.append(connection)
    load.store(connections.count, ordering: .relaxed)
    if connections.count == 1 {
      var step = timeval(tv_sec: 0, tv_usec: Loop.tickMicroseconds)
      unsafe event_add(ticker, &step)
    }
  }

  func remove(_ connection: Connection) {
    let last = connections.removeLast()
    if last !== connection {
      last.slot = connection.slot
      connections[connection.slot] = last
    }
    load.store(connections.count, ordering: .relaxed)
    if connections.isEmpty { unsafe event_del(ticker) }
    endIfDrained()
  }

  /// How late a time-out may be noticed. One sweep over all connections is cheaper than a timer
  /// for each that is moved with every request.
  private static let tickMicroseconds = 50_000

  private func tick() {
    let now = Monotonic.now
    for acceptor in acceptors { acceptor.resume() }
    // From the back, because a connection that closes is replaced by the last one.
    var index = connections.count - 1
    while index >= 0 {
      if index < connections.count {
        if now >= deadline { connections[index].abort() } else { connections[index].tick(now) }
      }
      index -= 1
    }
  }

  // MARK: Small things every answer needs

  func nextID() -> RequestID {
    idCount += 1
    return RequestID(loop: idBase, count: idCount)
  }

  /// `Date: …` with its line end, made once a second.
  func currentDateLine() -> [UInt8] {
    let second = time(nil)
    if second != dateSecond {
      dateSecond = second
      dateLine = Array("Date: ".utf8) + HTTPDate(seconds: Int64(second)).bytes + [0x0D, 0x0A]
    }
    return dateLine
  }
}
