/// What the body of a transaction wants done with it.
enum Verdict<T: Sendable>: Sendable {
  case commit(T)
  case rollBack(T)
}

/// One transaction from opening the connection to commit, tried again where that is safe: after a
/// collision as often as the deadline allows, and once after a broken connection, because a transaction
/// whose commit was never sent has left nothing behind. A commit without an answer is never repeated.
struct Attempt {
  typealias Opening = @Sendable (Interruption) throws(DatabaseError) -> any Session

  let open: Opening
  let mode: TransactionMode
  let interruption: Interruption
  let watch: StatementWatch?

  /// Enough for a hundred tasks that all change the same row.
  private static let collisionsAllowed = 100

  func run<T>(
    on session: inout (any Session)?,
    _ body: (Transaction) throws(DatabaseError) -> Verdict<T>
  ) throws(DatabaseError) -> T {
    var collisions = 0
    var hasReconnected = false
    while true {
      try interruption.check()
      // Closed now, not at the thread's next call: the server may still hold the transaction open,
      // and the rows it changed stay locked until the connection ends.
      defer { if session?.isUsable == false { session = nil } }
      // A connection made for this very attempt that breaks is a failing server, not an old socket.
      do throws(DatabaseError) {
        let current = try usable(&session)
        current.enter(interruption)
        defer { current.leave() }
        return try once(on: current, body)
      } catch {
        switch error.reason {
        case .conflict where collisions < Self.collisionsAllowed:
          collisions += 1
          pause(collisions)
        case .connectionLost where !hasReconnected:
          hasReconnected = true
        default: throw error
        }
      }
    }
  }

  private func usable(_ session: inout (any Session)?) throws(DatabaseError) -> any Session {
    if let session { return session }
    let fresh = try open(interruption)
    session = fresh
    return fresh
  }

  private func once<T>(
    on session: any Session, _ body: (Transaction) throws(DatabaseError) -> Verdict<T>
  ) throws(DatabaseError) -> T {
    try session.begin(mode)
    let transaction = Transaction(session, watch)
    do throws(DatabaseError) {
      switch try body(transaction) {
      case .rollBack(let result):
        session.rollback()
        return result
      case .commit(let result):
        // A failure the body swallowed is still a failure: nothing half done is kept.
        if let failure = transaction.failure { throw failure }
        try interruption.check()
        try session.commit()
        return result
      }
    } catch {
      session.rollback()
      throw error
    }
  }

  /// Colliding transactions come back at different times, and sooner while there have been few.
  private func pause(_ collisions: Int) {
    let ceiling = min(1 << min(collisions, 6), 50)
    let wished = ContinuousClock.now + .milliseconds(Int.random(in: 0...ceiling))
    sleepUntil(min(wished, interruption.deadline))
  }
}
