import CSQLite

/// One connection to a SQLite file, either the one that writes or one of those that read.
@safe final class SQLiteSession: Session {
  let path: String
  let settings: StoreSettings
  let handle: OpaquePointer
  private(set) var isUsable = true
  private var statements: StatementCache<SQLiteStatement>
  /// The call being served. SQLite asks it, from inside long statements and while waiting for a lock.
  private(set) var interruption: Interruption?
  /// Set by the first read: a connection of the reading pool only ever reads.
  private var refusesWrites = false
  /// When the wait for the lock of another process began.
  var waitingSince = ContinuousClock.now

  init(owning handle: OpaquePointer, path: String, _ settings: StoreSettings) {
    unsafe self.handle = handle
    self.path = path
    self.settings = settings
    statements = StatementCache(capacity: settings.keptStatements)
  }

  deinit {
    _ = statements.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  var dialect: Dialect { .sqlite }

  func enter(_ interruption: Interruption) {
    self.interruption = interruption
    let bell = unsafe Bell(handle)
    interruption.hang { bell.ring() }
  }

  func leave() {
    interruption?.takeDown()
    interruption = nil
  }

  func begin(_ mode: TransactionMode) throws(DatabaseError) {
    switch mode {
    case .reading:
      if !refusesWrites { try execute("PRAGMA query_only = ON") }
      refusesWrites = true
      try execute("BEGIN")
    case .writing:
      try execute("BEGIN IMMEDIATE")
    }
  }

  func commit() throws(DatabaseError) {
    try execute("COMMIT")
  }

  func rollback() {
    // Some failures have rolled back already.
    guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
    leave()
    do throws(DatabaseError) { try execute("ROLLBACK") } catch { isUsable = false }
  }

  func run(
    _ sql: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) -> Int {
    let rendered = try sql.rendered(for: .sqlite)
    let statement = try prepared(rendered.text, kept: rendered.isWorthKeeping)
    defer { giveBack(statement, kept: rendered.isWorthKeeping) }
    guard statement.placeholders == rendered.bindings.count else {
      throw DatabaseError(.misuse("placeholders and values differ in number")).during(rendered.text)
    }
    for (index, binding) in rendered.bindings.enumerated() {
      try check(statement.bind(binding.value, at: index), during: rendered.text)
    }
    let before = unsafe sqlite3_total_changes64(handle)
    while true {
      if let reason = interruption?.reason { throw DatabaseError(reason) }
      switch statement.step() {
      case SQLITE_ROW:
        if try each(Row(statement)) == .stop { return changes(since: before) }
      case SQLITE_DONE: return changes(since: before)
      case let code: throw failure(code, during: rendered.text)
      }
    }
  }

  /// SQLite hands out one row at a time anyway.
  func stream(
    _ query: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) {
    _ = try run(query, each)
  }

  func execute(_ text: String) throws(DatabaseError) {
    _ = try run(SQL(parts: [.text(text)])) { _ throws(DatabaseError) in .next }
  }

  func check(_ code: Int32, during text: String) throws(DatabaseError) {
    guard code != SQLITE_OK else { return }
    throw failure(code, during: text)
  }

  func failure(_ code: Int32, during text: String) -> DatabaseError {
    // A wait for a lock or a long statement that was given up because of the call.
    if [SQLITE_BUSY, SQLITE_INTERRUPT].contains(code & 0xFF), let reason = interruption?.reason {
      return DatabaseError(reason, code: .sqlite(code), statement: text)
    }
    return unsafe DatabaseError(sqlite: handle, code, stepping: text)
  }

  func prepared(_ text: String, kept: Bool) throws(DatabaseError) -> SQLiteStatement {
    if let statement = statements.take(text) { return statement }
    var tail: Substring = ""
    guard
      let statement = try unsafe SQLiteStatement(text, on: handle, kept: kept, leaving: &tail)
    else { throw DatabaseError(.misuse("an empty statement")) }
    while !tail.isEmpty {
      let rest = String(tail)
      if try unsafe SQLiteStatement(rest, on: handle, kept: false, leaving: &tail) != nil {
        throw DatabaseError(.misuse("more than one statement")).during(text)
      }
    }
    return statement
  }

  func giveBack(_ statement: SQLiteStatement, kept: Bool) {
    statement.finish()
    if kept { _ = statements.put(statement, for: statement.text) }
  }

  /// Statements that change the schema leave SQLite's counter as it was.
  private func changes(since before: Int64) -> Int {
    let isUnchanged = unsafe sqlite3_total_changes64(handle) == before
    return isUnchanged ? 0 : Int(unsafe sqlite3_changes64(handle))
  }

  /// Unchecked: `sqlite3_interrupt` may be called from any thread while the connection is open, and an
  /// interruption has lost its bell before its session closes.
  @safe private struct Bell: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    func ring() { unsafe sqlite3_interrupt(handle) }
  }
}

extension DatabaseError {
  /// Before any value has been bound, the engine can only have spoken about the statement.
  init(sqlite handle: OpaquePointer, _ code: Int32, preparing text: String) {
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    self.init(
      SQLiteCode.reason(for: code, message: message), code: .sqlite(code), statement: text,
      detail: message)
  }

  init(sqlite handle: OpaquePointer, _ code: Int32, stepping text: String) {
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    self.init(
      SQLiteCode.reason(for: code, message: message), code: .sqlite(code), statement: text)
  }
}
