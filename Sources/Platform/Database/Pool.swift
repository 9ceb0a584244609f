import Synchronization

/// Hands out connections in the order of asking. Threads are started when first needed; a caller that
/// has to wait can be cancelled and never waits past its deadline.
final class Pool: Sendable {
  private struct Waiter {
    let ticket: UInt64
    let answer: CheckedContinuation<Result<ConnectionThread, DatabaseError>, Never>
  }

  private struct State {
    var threads: [ConnectionThread] = []
    var idle: [ConnectionThread] = []
    var inUse = 0
    var waiters: [Waiter] = []
    var lastTicket: UInt64 = 0
    var isClosed = false
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Callers that wait for a connection, for tests and reports.
  var waiting: Int { state.withLock { $0.waiters.count } }

  func standing(as name: String) -> PoolStanding {
    state.withLock { state in
      PoolStanding(
        name: name, limit: limit, open: state.threads.count, busy: state.inUse,
        waiting: state.waiters.count)
    }
  }

  func take(_ interruption: Interruption) async throws(DatabaseError) -> ConnectionThread {
    try interruption.check()
    if let thread = try takeNow() { return thread }
    return try await wait(interruption)
  }

  /// The next in the queue gets the connection before anyone who comes later.
  func give(back thread: ConnectionThread) {
    let (waiter, closers) = state.withLock {
      state -> (Waiter?, [CheckedContinuation<Void, Never>]) in
      if !state.waiters.isEmpty { return (state.waiters.removeFirst(), []) }
      state.idle.append(thread)
      state.inUse -= 1
      guard state.isClosed, state.inUse == 0 else { return (nil, []) }
      defer { state.closers = [] }
      return (nil, state.closers)
    }
    waiter?.answer.resume(returning: .success(thread))
    for closer in closers { closer.resume() }
  }

  /// Refuses whoever waits or comes later, lets running calls end, then closes every connection.
  func close() async {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.answer.resume(returning: .failure(DatabaseError(.closed))) }
    await withCheckedContinuation { continuation in
      let isQuiet = state.withLock { state in
        if state.inUse > 0 { state.closers.append(continuation) }
        return state.inUse == 0
      }
      if isQuiet { continuation.resume() }
    }
    let threads = state.withLock { state in
      state.idle = []
      defer { state.threads = [] }
      return state.threads
    }
    for thread in threads {
      await withCheckedContinuation { continuation in
        thread.submit { session in
          session = nil
          continuation.resume()
        }
      }
    }
  }

  private func takeNow() throws(DatabaseError) -> ConnectionThread? {
    try state.withLock { state throws(DatabaseError) in
      guard !state.isClosed else { throw DatabaseError(.closed) }
      guard state.waiters.isEmpty else { return nil }
      if let thread = state.idle.popLast() {
        state.inUse += 1
        return thread
      }
      guard state.threads.count < limit else { return nil }
      let thread = try ConnectionThread()
      state.threads.append(thread)
      state.inUse += 1
      return thread
    }
  }

  private func wait(_ interruption: Interruption) async throws(DatabaseError) -> ConnectionThread {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    let timer = Task {
      try await Task.sleep(until: interruption.deadline, clock: .continuous)
      self.turnAway(ticket, .deadlineExceeded)
    }
    defer {
      timer.cancel()
      interruption.takeDown()
    }
    let result = await withCheckedContinuation { continuation in
      enqueue(Waiter(ticket: ticket, answer: continuation))
      interruption.hang { self.turnAway(ticket, .cancelled) }
      // The deadline may have passed before there was anyone to turn away.
      if interruption.reason == .deadlineExceeded { turnAway(ticket, .deadlineExceeded) }
    }
    return try result.get()
  }

  /// A connection may have come free since the caller last looked.
  private func enqueue(_ waiter: Waiter) {
    let answer = state.withLock { state -> Result<ConnectionThread, DatabaseError>? in
      if state.isClosed { return .failure(DatabaseError(.closed)) }
      if state.waiters.isEmpty, let thread = state.idle.popLast() {
        state.inUse += 1
        return .success(thread)
      }
      state.waiters.append(waiter)
      return nil
    }
    if let answer { waiter.answer.resume(returning: answer) }
  }

  private func turnAway(_ ticket: UInt64, _ reason: DatabaseError.Reason) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
    }
    waiter?.answer.resume(returning: .failure(DatabaseError(reason)))
  }
}
