import CEvent
import Glibc
import Machine
import Synchronization

/// The one thread that does the input and output of many lines. Others leave it jobs and wake it.
///
/// Unchecked `Sendable`: what others touch is behind a mutex or never changes, and the rest is touched by
/// the loop's own thread alone.
@safe final class LineLoop: @unchecked Sendable {
  typealias Job = @Sendable (LineLoop) -> Void

  private struct Inbox {
    var jobs: [Job] = []
    var isRunning = false
    var isStopping = false
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let inbox = Mutex(Inbox())
  private let bell: Int32
  // Touched by the loop's own thread alone.
  private var sockets: [UInt64: LineSocket] = [:]
  private var listeners: [UInt64: LineListener] = [:]

  init() { bell = eventfd_nonblocking() }

  deinit { Glibc.close(bell) }

  private static let lastID = Atomic<UInt64>(0)

  static func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  /// False when the loop has ended and nobody will ever do the job. The thread begins with the first.
  @discardableResult
  func post(_ job: @escaping Job) -> Bool {
    let (isTaken, isFirst) = inbox.withLock { inbox in
      guard !inbox.isStopping else { return (false, false) }
      inbox.jobs.append(job)
      defer { inbox.isRunning = true }
      return (true, !inbox.isRunning)
    }
    if isFirst { OwnThread.start { [self] in run() } }
    if isTaken { eventfd_write(bell, 1) }
    return isTaken
  }

  /// Fails what is under way and closes everything; nothing is taken any more.
  func stop() {
    inbox.withLock { $0.isStopping = true }
    eventfd_write(bell, 1)
  }

  /// Stops, and returns when all sockets are closed.
  func stopped() async {
    stop()
    await withCheckedContinuation { continuation in
      let isOver = inbox.withLock { inbox in
        if inbox.isRunning { inbox.waitingForEnd.append(continuation) }
        return !inbox.isRunning
      }
      if isOver { continuation.resume() }
    }
  }

  // MARK: On the thread

  func add(_ socket: LineSocket) { sockets[socket.id] = socket }
  func add(_ listener: LineListener) { listeners[listener.id] = listener }
  func socket(_ id: UInt64) -> LineSocket? { sockets[id] }

  func remove(_ id: UInt64) {
    sockets.removeValue(forKey: id)?.close()
    listeners.removeValue(forKey: id)?.close()
  }

  func remove(where isMeant: (LineSocket) -> Bool) {
    for (id, socket) in sockets where isMeant(socket) { remove(id) }
  }

  private func run() {
    // Signals are for the main thread; who has gone shows as EPIPE, not as SIGPIPE.
    var all = sigset_t()
    unsafe sigfillset(&all)
    // A crash on this thread has to reach the handler that reports it.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
      unsafe sigdelset(&all, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    while let jobs = take() {
      for job in jobs { job(self) }
      wait()
    }
    for socket in sockets.values {
      socket.fail { .stopped($0) }
      socket.close()
    }
    for listener in listeners.values { listener.close() }
    (sockets, listeners) = ([:], [:])
    let (late, waiting) = inbox.withLock { inbox in
      inbox.isRunning = false
      defer { inbox.jobs = [] }
      return (inbox.jobs, inbox.waitingForEnd)
    }
    // They find no socket any more, and say so to whoever waits.
    for job in late { job(self) }
    for continuation in waiting { continuation.resume() }
  }

  /// Nil when it is time to end.
  private func take() -> [Job]? {
    var count: eventfd_t = 0
    unsafe eventfd_read(bell, &count)
    return inbox.withLock { inbox in
      guard !inbox.isStopping else { return nil }
      defer { inbox.jobs = [] }
      return inbox.jobs
    }
  }

  private func wait() {
    let (open, doors) = (Array(sockets.values), Array(listeners.values))
    var watched = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
    for socket in open { watched.append(socket.watch) }
    for door in doors {
      watched.append(pollfd(fd: door.watched, events: Int16(POLLIN), revents: 0))
    }
    _ = unsafe poll(&watched, nfds_t(watched.count), patience(open, doors))
    for (index, socket) in open.enumerated() where watched[index + 1].revents != 0 {
      socket.pump()
    }
    let now = ContinuousClock.now
    for socket in open { socket.lapse(at: now) }
    for (index, door) in doors.enumerated() {
      door.resume()
      if watched[open.count + index + 1].revents != 0 { door.accept(on: self) }
    }
  }

  /// Milliseconds until the first deadline.
  private func patience(_ open: [LineSocket], _ doors: [LineListener]) -> Int32 {
    if doors.contains(where: \.isPaused) { return 100 }
    guard let next = open.lazy.compactMap(\.due).min() else { return -1 }
    let left = ContinuousClock.now.duration(to: next)
    return left <= .zero ? 0 : Int32(min(left / .milliseconds(1) + 1, 60_000))
  }
}
