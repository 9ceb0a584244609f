/// A transaction that may also write. It commits when the closure it was lent to returns, and rolls
/// back when that throws.
package final class Transaction: Snapshot {
  /// Runs one statement for its effect and tells how many rows it changed.
  @discardableResult
  package func execute(_ sql: SQL) throws(DatabaseError) -> Int {
    try run(sql) { _ throws(DatabaseError) in .next }
  }

  /// A part that can fail alone: when `body` throws, what it did is undone and the outer transaction
  /// goes on as if it had never been tried. Parts may be nested.
  @discardableResult
  package func savepoint<T>(
    _ body: (Transaction) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try execute("SAVEPOINT carrel")
    do throws(DatabaseError) {
      let result = try body(self)
      if let failure { throw failure }
      try execute("RELEASE SAVEPOINT carrel")
      return result
    } catch {
      leaveSavepoint(after: error)
      throw error
    }
  }

  /// Inserts many rows, faster than one statement a row: SQLite steps one prepared statement, and
  /// PostgreSQL copies. `write` appends the values of one element in the order of the columns.
  @discardableResult
  package func insert<Rows: Sequence>(
    into table: SQLName, columns: [SQLName], rows: Rows,
    _ write: (Rows.Element, inout RowWriter) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> Int {
    var iterator = rows.makeIterator()
    return try guarded("INSERT INTO \(table.text)") { () throws(DatabaseError) in
      try session.insert(into: table, columns: columns) { row throws(DatabaseError) in
        guard let next = iterator.next() else { return false }
        try write(next, &row)
        return true
      }
    }
  }

  /// Some errors end the whole transaction and leave no savepoint to return to: it stays failed.
  private func leaveSavepoint(after failure: DatabaseError) {
    forgive()
    do throws(DatabaseError) {
      try execute("ROLLBACK TO SAVEPOINT carrel")
      try execute("RELEASE SAVEPOINT carrel")
    } catch {
      fail(with: failure)
    }
  }
}
