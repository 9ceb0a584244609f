/// What an operator asks of a database.
extension Store {
  /// Writes a consistent, complete copy to a new file while others go on reading and writing. SQLite
  /// only: a PostgreSQL server is backed up with its own tools.
  package func backUp(
    to path: String, by deadline: ContinuousClock.Instant? = nil
  ) async throws(DatabaseError) {
    try await perform(.reading, deadline) { transaction throws(DatabaseError) in
      try transaction.session.backUp(to: path)
      return .rollBack(())
    }
  }

  /// Reads the whole file and names what is wrong with it; empty when all is well. SQLite only.
  package func integrityFaults(
    by deadline: ContinuousClock.Instant? = nil
  ) async throws(DatabaseError) -> [String] {
    try await perform(.reading, deadline) { transaction throws(DatabaseError) in
      .rollBack(try transaction.session.integrityFaults())
    }
  }

  /// Writes that wait for a connection: a number that grows says the database is too slow.
  package var waitingWriters: Int { writers.waiting }
}
