/// How strictly a PostgreSQL transaction is kept apart from its neighbors. SQLite has one writer at a
/// time and is always serializable.
package enum Isolation: Sendable, Hashable {
  /// As if transactions ran one after the other; collisions are retried. The default.
  case serializable
  /// Each statement sees what is committed by then: for claiming rows with `SKIP LOCKED`.
  case readCommitted
}

enum TransactionMode: Equatable {
  case reading
  case writing(Isolation)
}
