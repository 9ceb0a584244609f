/// A database that services keep their tables in: a SQLite file or a PostgreSQL server, behind one API.
///
/// Work is done inside closures, `read` or `write`, which run on a thread that belongs to the
/// connection and cannot await. A closure may run more than once (after a collision, or after the
/// server went away before the commit), so it must have no effect but on the database.
///
/// SQL is written once, in the subset that both engines understand the same way:
/// - Types: `\(.integer)` (64 bits; also instants, as milliseconds since 1970 UTC), `\(.real)`,
///   `\(.text)`, `\(.blob)`, `\(.boolean)`, `\(.countedKey)`; tables end with `)\(.strictTable)`. No
///   dates, no decimals, no arrays. A text has no zero byte, a real is a number: others are refused.
/// - `INSERT … ON CONFLICT (…) DO UPDATE`, `RETURNING`, common table expressions, window functions,
///   `CASE`, `COALESCE`, `TRUE` and `FALSE`, partial indexes are the same. `GREATEST`/`max(a, b)`, dates,
///   JSON and full-text search are not: `\(.either(sqlite: "…", postgres: "…"))`.
/// - `LIKE` minds case on both. Order of text follows the server's locale unless `\(.bytewise)` follows.
///   NULL is first in SQLite and last in PostgreSQL: say `NULLS LAST`.
/// - Names are lower case. Text in quotes is `'text'`, never `"text"`. Integer arguments of PostgreSQL's
///   functions are often 32 bits: `CAST(\(n) AS INTEGER)`.
/// - After a statement failed, the transaction accepts no other; what may fail goes into `savepoint`.
package final class Store: Sendable {
  package let location: Location
  package let dialect: Dialect

  let settings: StoreSettings
  private let open: Attempt.Opening
  let writers: Pool
  let readers: Pool
  let replica: Replica?

  private init(_ location: Location, _ settings: StoreSettings) {
    self.location = location
    self.settings = settings
    let open: Attempt.Opening
    switch location {
    case .sqlite(let path):
      dialect = .sqlite
      open = { interruption throws(DatabaseError) in
        try SQLiteSession.opened(path, settings, interruption)
      }
      writers = Pool(limit: 1)
      readers = Pool(limit: settings.readers)
      replica = nil
    case .postgres(let address):
      dialect = .postgres
      open = { interruption throws(DatabaseError) in
        try PostgresSession.connected(to: address, settings, interruption)
      }
      writers = Pool(limit: settings.connections)
      readers = writers
      replica = Replica(settings)
    }
    self.open = settings.trial.map { Self.tried(open, by: $0) } ?? open
  }

  private static func tried(_ open: @escaping Attempt.Opening, by trial: StoreTrial)
    -> Attempt.Opening
  {
    { interruption throws(DatabaseError) in TriedSession(try open(interruption), trial) }
  }

  /// Opens the database, creating the file if there is none, and checks that it answers.
  package static func open(
    _ location: Location, _ settings: StoreSettings = StoreSettings(),
    by deadline: ContinuousClock.Instant? = nil
  ) async throws(DatabaseError) -> Store {
    let store = Store(location, settings)
    // Reading is enough: a long import by another program must not keep this one from starting.
    _ = try await store.perform(.reading, deadline) { transaction throws(DatabaseError) in
      .rollBack(try transaction.session.hasTables())
    }
    return store
  }

  /// Reads one consistent state of the database.
  package func read<T: Sendable>(
    by deadline: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(DatabaseError) -> T {
    // There is nothing to commit, and a connection that breaks at the end has lost nothing.
    try await perform(.reading, deadline) { transaction throws(DatabaseError) in
      .rollBack(try body(transaction))
    }
  }

  /// Reads one consistent state that may be some seconds old: of the replica, where there is one that
  /// answers and keeps up. For pages that everybody sees, never for what somebody has just done.
  package func readAside<T: Sendable>(
    by deadline: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(DatabaseError) -> T {
    guard let replica, await replica.isGood(beside: self) else {
      return try await read(by: deadline, body)
    }
    do throws(DatabaseError) {
      return try await perform(.reading, deadline, at: replica.source) {
        transaction throws(DatabaseError) in .rollBack(try body(transaction))
      }
    } catch {
      guard error.isOfReplica else { throw error }
      replica.leave()
      return try await read(by: deadline, body)
    }
  }

  /// Commits what `body` does, or nothing if it throws, is cancelled or runs past the deadline.
  @discardableResult
  package func write<T: Sendable>(
    by deadline: ContinuousClock.Instant? = nil, isolation: Isolation = .serializable,
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> T
  ) async throws(DatabaseError) -> T {
    try await perform(.writing(isolation), deadline) { transaction throws(DatabaseError) in
      .commit(try body(transaction))
    }
  }

  /// A write that may find a reason not to happen: `.failure` undoes everything and is the answer, a
  /// value of the caller's own type, not an error of the database.
  package func decide<T: Sendable, Refusal: Error>(
    by deadline: ContinuousClock.Instant? = nil, isolation: Isolation = .serializable,
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> Result<T, Refusal>
  ) async throws(DatabaseError) -> Result<T, Refusal> {
    try await perform(.writing(isolation), deadline) { transaction throws(DatabaseError) in
      let result = try body(transaction)
      if case .failure = result { return .rollBack(result) }
      return .commit(result)
    }
  }

  /// Lets running calls end, then closes every connection. Later calls answer `.closed`.
  package func close() async {
    await replica?.source.pool.close()
    await readers.close()
    if readers !== writers { await writers.close() }
  }

  func perform<T: Sendable>(
    _ mode: TransactionMode, _ deadline: ContinuousClock.Instant?, patience: Duration? = nil,
    at source: Source? = nil,
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> Verdict<T>
  ) async throws(DatabaseError) -> T {
    let interruption = Interruption(
      deadline: deadline ?? .now + settings.timeout, patience: patience ?? settings.patience)
    let watch = StatementWatch(settings)
    let attempt = Attempt(
      open: source?.open ?? open, mode: mode, interruption: interruption, watch: watch)
    defer { watch?.tellAll() }
    let pool = source?.pool ?? (mode == .reading ? readers : writers)
    let result: Result<T, DatabaseError> = await withTaskCancellationHandler {
      do throws(DatabaseError) {
        let thread = try await pool.take(interruption)
        return await withCheckedContinuation { continuation in
          thread.submit { session in
            let result = Result { () throws(DatabaseError) in
              try attempt.run(on: &session, body)
            }
            pool.give(back: thread)
            continuation.resume(returning: result)
          }
        }
      } catch {
        return .failure(error)
      }
    } onCancel: {
      interruption.cancel()
    }
    return try result.get()
  }
}

/// Connections to one server, and how they are made.
struct Source: Sendable {
  let pool: Pool
  let open: Attempt.Opening
}
