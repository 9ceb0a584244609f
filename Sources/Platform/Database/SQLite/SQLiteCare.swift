import CSQLite

/// Backup, integrity and the bulk path: what a SQLite connection does besides running statements.
extension SQLiteSession {
  /// Copies through a connection of its own that reads one snapshot, so that the copy is consistent
  /// and never starts over because of writers. The file appears under its name only when it is complete.
  func backUp(to destination: String) throws(DatabaseError) {
    guard !SQLiteFile.isSame(destination, path) else {
      throw DatabaseError(.misuse("a backup onto itself"))
    }
    let part = destination + ".part"
    try SQLiteFile.makeEmpty(part)
    do throws(DatabaseError) {
      try copySnapshot(to: part)
      try SQLiteFile.move(part, to: destination)
    } catch {
      SQLiteFile.remove(part)
      throw error
    }
  }

  private func copySnapshot(to part: String) throws(DatabaseError) {
    let call =
      interruption ?? Interruption(deadline: .now + settings.timeout, patience: settings.patience)
    // An interruption has one bell, and this session has hung its own: the source gets another.
    let source = try Self.opened(
      path, settings, Interruption(deadline: call.deadline, patience: call.patience))
    try source.begin(.reading)
    defer { source.rollback() }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(part, &handle, flags, nil)
    guard let handle = unsafe handle else { throw DatabaseError(.other, code: .sqlite(code)) }
    defer { unsafe sqlite3_close_v2(handle) }
    guard code == SQLITE_OK else {
      throw unsafe DatabaseError(sqlite: handle, code, stepping: "backup")
    }
    guard let copy = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
      let code = unsafe sqlite3_extended_errcode(handle)
      throw unsafe DatabaseError(sqlite: handle, code, stepping: "backup")
    }
    var result = SQLITE_OK
    while result == SQLITE_OK, call.reason == nil {
      result = unsafe sqlite3_backup_step(copy, 1000)
    }
    let end = unsafe sqlite3_backup_finish(copy)
    try call.check()
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw unsafe DatabaseError(
        sqlite: handle, result == SQLITE_DONE ? end : result, stepping: "backup")
    }
  }

  func integrityFaults() throws(DatabaseError) -> [String] {
    var faults: [String] = []
    do throws(DatabaseError) {
      _ = try run("PRAGMA integrity_check") { row throws(DatabaseError) in
        let line: String = try row[0]
        if line != "ok" { faults.append(line) }
        return .next
      }
      _ = try run("PRAGMA foreign_key_check") { row throws(DatabaseError) in
        let (table, parent): (String, String) = (try row[0], try row[2])
        faults.append("a row of \(table) refers to a missing row of \(parent)")
        return .next
      }
    } catch {
      // A file may be too damaged for the check itself.
      guard error.reason == .corrupt else { throw error }
      faults.append("\(error)")
    }
    return faults
  }

  /// The write lock, which every write transaction takes, is enough.
  func lockForMigration() throws(DatabaseError) {}

  func hasTables() throws(DatabaseError) -> Bool {
    var count = 0
    _ = try run("SELECT count(*) FROM sqlite_schema") { row throws(DatabaseError) in
      count = try row[0]
      return .next
    }
    return count > 0
  }

  func insert(
    into table: SQLName, columns: [SQLName],
    _ fill: (inout RowWriter) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Int {
    let names = columns.map { SQL(parts: [.name($0)]) }
    let values = (1...max(1, columns.count)).map { "$\($0)" }.joined(separator: ", ")
    let sql: SQL =
      "INSERT INTO \(name: table) (\(SQL.joined(names))) VALUES (\(SQL(parts: [.text(values)])))"
    let text = try sql.rendered(for: .sqlite).text
    let statement = try prepared(text, kept: true)
    defer { giveBack(statement, kept: true) }
    var writer = RowWriter(SQLiteBinding(statement, on: self), expecting: columns.count)
    var count = 0
    while try fill(&writer) {
      try writer.finish()
      if count & 0xFF == 0, let reason = interruption?.reason { throw DatabaseError(reason) }
      let code = statement.step()
      guard code == SQLITE_DONE else { throw failure(code, during: text) }
      statement.rewind()
      count += 1
    }
    return count
  }
}

/// Binds the values of a row as they come.
private final class SQLiteBinding: RowSink {
  private let statement: SQLiteStatement
  private let session: SQLiteSession

  init(_ statement: SQLiteStatement, on session: SQLiteSession) {
    (self.statement, self.session) = (statement, session)
  }

  func put(_ value: Value, at index: Int) throws(DatabaseError) {
    try session.check(statement.bind(value, at: index), during: statement.text)
  }

  func put(text: Span<UInt8>, at index: Int) throws(DatabaseError) {
    try session.check(statement.bind(text: text, at: index), during: statement.text)
  }
}
