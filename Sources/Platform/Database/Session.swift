/// One connection to one engine. It lives on a thread of its own, is opened, used and closed there,
/// and therefore blocks as it likes and needs no lock.
protocol Session: AnyObject {
  var dialect: Dialect { get }

  /// False once the connection can no longer be trusted; it is then replaced, never repaired.
  var isUsable: Bool { get }

  /// From here to `leave`, the interruption may stop what the session does.
  func enter(_ interruption: Interruption)
  func leave()

  func begin(_ mode: TransactionMode) throws(DatabaseError)
  func commit() throws(DatabaseError)
  /// Cannot fail: a session that cannot roll back is no longer usable, which does the same.
  func rollback()

  /// Runs one statement, hands over its rows until told to stop, and tells how many rows it changed.
  func run(
    _ sql: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) -> Int

  /// Like `run` for a query, but holds only a few rows in memory at a time.
  func stream(
    _ query: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError)

  /// Inserts rows by the fastest way the engine has. `fill` writes one row, or returns false at the end.
  func insert(
    into table: SQLName, columns: [SQLName],
    _ fill: (inout RowWriter) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Int

  /// Keeps other programs and processes from migrating until this transaction ends.
  func lockForMigration() throws(DatabaseError)
  func hasTables() throws(DatabaseError) -> Bool
  /// Writes a consistent copy while others read and write. Nil path where the engine has its own tools.
  func backUp(to path: String) throws(DatabaseError)
  /// What an engine finds wrong with its own files, a sentence each.
  func integrityFaults() throws(DatabaseError) -> [String]
}
