/// A transaction that reads: everything asked through it belongs to one state of the database, while
/// others go on writing. It lives for the length of a closure on the connection's own thread, so it
/// cannot be held across an `await` and no lock outlives a network call.
package class Snapshot {
  let session: any Session
  private(set) var failure: DatabaseError?

  private let watch: StatementWatch?

  init(_ session: any Session, _ watch: StatementWatch? = nil) {
    (self.session, self.watch) = (session, watch)
  }

  package var dialect: Dialect { session.dialect }

  /// All rows, decoded.
  package func rows<T>(
    _ query: SQL, _ decode: (borrowing Row) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> [T] {
    var found: [T] = []
    try run(query) { row throws(DatabaseError) in
      found.append(try decode(row))
      return .next
    }
    return found
  }

  /// The first row, if there is one.
  package func first<T>(
    _ query: SQL, _ decode: (borrowing Row) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T? {
    var found: T?
    try run(query) { row throws(DatabaseError) in
      found = try decode(row)
      return .stop
    }
    return found
  }

  /// The only row; none or several are an error.
  package func one<T>(
    _ query: SQL, _ decode: (borrowing Row) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    var found: T?
    var count = 0
    try run(query) { row throws(DatabaseError) in
      count += 1
      if count == 1 { found = try decode(row) }
      return .next
    }
    guard count == 1, let found else {
      throw DatabaseError(.rowCount(expected: 1, found: count))
    }
    return found
  }

  /// The first column of the only row.
  package func value<V: Storable>(
    _ query: SQL, as type: V.Type = V.self
  ) throws(DatabaseError) -> V {
    try one(query) { row throws(DatabaseError) in try row[0] }
  }

  /// Rows one by one, for answers that do not fit in memory. The body may run other statements, but
  /// must not change the table it walks over: what it would then meet differs between engines.
  package func forEach(
    _ query: SQL, _ body: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) {
    var thrown: DatabaseError?
    try guarded(query.shown(for: dialect)) { () throws(DatabaseError) in
      try session.stream(query) { row throws(DatabaseError) in
        do throws(DatabaseError) {
          return try body(row)
        } catch {
          thrown = error
          return .stop
        }
      }
    }
    if let thrown { throw thrown }
  }

  @discardableResult
  func run(
    _ sql: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) -> Int {
    var thrown: DatabaseError?
    let changed = try guarded(sql.shown(for: dialect)) { () throws(DatabaseError) in
      try session.run(sql) { row throws(DatabaseError) in
        do throws(DatabaseError) {
          return try each(row)
        } catch {
          thrown = error
          return .stop
        }
      }
    }
    if let thrown { throw thrown }
    return changed
  }

  /// After a failed statement PostgreSQL refuses everything until the transaction or the savepoint is
  /// left, and SQLite does not. Code that runs on both needs the stricter of the two. A mistake in
  /// decoding a row is the caller's own and spoils nothing.
  func guarded<R>(
    _ text: @autoclosure () -> String, _ body: () throws(DatabaseError) -> R
  ) throws(DatabaseError) -> R {
    if failure != nil { throw DatabaseError(.transactionFailed) }
    do throws(DatabaseError) {
      guard let watch else { return try body() }
      return try watch.timed(text(), body)
    } catch {
      failure = error
      throw error
    }
  }

  func forgive() { failure = nil }

  func fail(with error: DatabaseError) { failure = error }
}

@available(*, unavailable)
extension Snapshot: Sendable {}

/// What a walk over rows does next.
package enum Walk: Sendable, Hashable {
  case next, stop
}
