import CEvent
import Glibc
import Synchronization

/// How other threads reach a loop: work goes into a queue, and one event wakes the loop. So nothing
/// else of a loop needs a lock.
final class Inbox: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  /// Readable while there is work.
  let descriptor: Int32
  private let state = Mutex(State())

  init() throws(ServerError) {
    descriptor = eventfd_nonblocking()
    guard descriptor >= 0 else { throw .outOfResources(errno: errno) }
  }

  deinit { close(descriptor) }

  /// False when the loop has ended and nobody will ever do the job.
  @discardableResult
  func post(_ job: @escaping Job) -> Bool {
    let (accepted, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.jobs.append(job)
      return (true, state.jobs.count == 1)
    }
    if isFirst { eventfd_write(descriptor, 1) }
    return accepted
  }

  /// All work there is. The event is emptied first: work that comes meanwhile signals again.
  func take() -> [Job] {
    var count: eventfd_t = 0
    unsafe eventfd_read(descriptor, &count)
    return state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Ends the queue, and gives out what came last.
  func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  private func close(_ descriptor: Int32) { Glibc.close(descriptor) }
}
