import Glibc
import Synchronization

/// A thread that owns one connection. The session is a local variable of the thread's loop, so it
/// cannot be reached from anywhere else; jobs come in one at a time and borrow it.
final class ConnectionThread: Sendable {
  typealias Job = @Sendable (inout (any Session)?) -> Void

  private let inbox = Inbox()

  init() throws(DatabaseError) {
    let start = unsafe Unmanaged.passRetained(Start(inbox))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        start.run()
        return nil
      }, unsafe start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      throw DatabaseError(.busy, detail: "no thread could be started")
    }
    pthread_detach(thread)
  }

  /// The session is closed and the thread ends when nobody holds this object any more.
  deinit { inbox.close() }

  func submit(_ job: @escaping Job) {
    inbox.put(job)
  }

  private final class Start: Sendable {
    private let inbox: Inbox

    init(_ inbox: Inbox) {
      self.inbox = inbox
    }

    func run() {
      // Signals are for the threads that know what to do with them.
      var all = sigset_t()
      unsafe sigfillset(&all)
      // A crash on this thread has to reach the handler that reports it.
      for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
        unsafe sigdelset(&all, number)
      }
      unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
      var session: (any Session)?
      while let job = inbox.take() { job(&session) }
    }
  }
}

/// The jobs waiting for one thread.
///
/// Unchecked: the queue is behind its mutex, and the semaphore, whose address never changes, is made
/// for being used from several threads.
@safe private final class Inbox: @unchecked Sendable {
  private struct Contents {
    var jobs: [ConnectionThread.Job] = []
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  private let arrivals: UnsafeMutablePointer<sem_t>

  init() {
    unsafe arrivals = .allocate(capacity: 1)
    unsafe sem_init(arrivals, 0, 0)
  }

  deinit {
    unsafe sem_destroy(arrivals)
    unsafe arrivals.deallocate()
  }

  func put(_ job: @escaping ConnectionThread.Job) {
    contents.withLock { $0.jobs.append(job) }
    unsafe sem_post(arrivals)
  }

  func close() {
    contents.withLock { $0.isClosed = true }
    unsafe sem_post(arrivals)
  }

  /// Waits for the next job; nil when closed and all jobs are done.
  func take() -> ConnectionThread.Job? {
    while true {
      while unsafe sem_wait(arrivals) != 0 {}
      let (job, isOver) = contents.withLock { contents in
        let job = contents.jobs.isEmpty ? nil : contents.jobs.removeFirst()
        return (job, job == nil && contents.isClosed)
      }
      if let job { return job }
      if isOver { return nil }
    }
  }
}
