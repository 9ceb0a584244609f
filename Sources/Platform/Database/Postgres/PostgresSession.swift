import CPostgres

/// One connection to a PostgreSQL server.
final class PostgresSession: Session {
  let wire: PostgresWire
  private var statements: StatementCache<PreparedName>
  private var namesGiven = 0
  private var cursorsOpened = 0
  /// How the transaction begins, until its first statement takes that along.
  private var opening: String?
  private var mode = TransactionMode.reading

  /// A statement the server keeps for this connection, under a name.
  private struct PreparedName {
    let name: String
  }

  init(_ wire: PostgresWire, keeping capacity: Int) {
    self.wire = wire
    statements = StatementCache(capacity: capacity)
  }

  var dialect: Dialect { .postgres }
  var isUsable: Bool { wire.isUsable }

  func enter(_ interruption: Interruption) { wire.enter(interruption) }
  func leave() { wire.leave() }

  func begin(_ mode: TransactionMode) throws(DatabaseError) {
    self.mode = mode
    opening =
      switch mode {
      // One snapshot for the whole transaction, as in SQLite; it can wait for nobody.
      case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      case .writing(.serializable): "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
      case .writing(.readCommitted): "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
      }
  }

  /// Told once: still there at the end of a transaction in which nothing was done.
  private func takeOpening() -> String? {
    defer { opening = nil }
    return opening
  }

  /// For what cannot take the beginning along.
  private func begun() throws(DatabaseError) {
    guard let first = takeOpening() else { return }
    try wire.command(first)
  }

  func commit() throws(DatabaseError) {
    guard takeOpening() == nil else { return }
    let result: PostgresResult
    do throws(DatabaseError) {
      result = try wire.command("COMMIT", .unstoppable)
    } catch {
      guard error.reason == .connectionLost else { throw error }
      throw DatabaseError(.outcomeUnknown, code: error.code, statement: "COMMIT")
    }
    guard result.command == "COMMIT" else { throw DatabaseError(.transactionFailed) }
  }

  func rollback() {
    guard isUsable, takeOpening() == nil else { return }
    // Nothing hangs on the end of what only read.
    if mode == .reading { return wire.leaveBehind("ROLLBACK") }
    do throws(DatabaseError) {
      try wire.command("ROLLBACK", .unstoppable)
    } catch { wire.giveUp() }
  }

  func run(
    _ sql: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) -> Int {
    let rendered = try sql.rendered(for: .postgres)
    let result = try execute(rendered)
    for row in 0..<result.rowCount {
      result.row = row
      if try each(Row(result)) == .stop { break }
    }
    return result.status == PGRES_TUPLES_OK && !result.changesRows ? 0 : result.rowsChanged
  }

  /// Through a cursor, which can be left early and lets other statements run in between.
  func stream(
    _ query: SQL, _ each: (borrowing Row) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) {
    cursorsOpened += 1
    let name = "carrel_\(cursorsOpened)"
    var rendered = try query.rendered(for: .postgres)
    rendered.text = "DECLARE \(name) NO SCROLL CURSOR FOR \(rendered.text)"
    rendered.isWorthKeeping = false
    _ = try execute(rendered)
    walk: while true {
      let batch = try execute(RenderedSQL(text: "FETCH 256 FROM \(name)", isWorthKeeping: false))
      for row in 0..<batch.rowCount {
        batch.row = row
        if try each(Row(batch)) == .stop { break walk }
      }
      if batch.rowCount < 256 { break }
    }
    try wire.command("CLOSE \(name)")
  }

  /// The empty name is the server's slot for a statement that is used once.
  private func execute(_ sql: RenderedSQL) throws(DatabaseError) -> PostgresResult {
    let parameters = PostgresParameters(sql.bindings)
    let key = String(sql.bindings.map(\.kind.letter)) + " " + sql.text
    let kept = sql.isWorthKeeping ? statements.take(key) : nil
    if let kept { _ = statements.put(kept, for: key) }
    if kept == nil { namesGiven += 1 }
    let name = kept?.name ?? (sql.isWorthKeeping ? "carrel_\(namesGiven)" : "")
    var isPrepared = false
    let answer: Result<PostgresResult, DatabaseError>
    do throws(DatabaseError) {
      answer = .success(
        try wire.run(
          sql.text, as: name, parameters, opening: takeOpening(),
          preparing: kept == nil ? sql.bindings.map(\.kind.typeID) : nil, isPrepared: &isPrepared))
    } catch {
      answer = .failure(forgettingStatements(error))
    }
    if kept == nil, sql.isWorthKeeping, isPrepared { try keep(name, for: key, answer) }
    return try answer.get()
  }

  /// In the place of one that was not used for long. After a failure the transaction takes no other
  /// command, and the server has one statement more for a while.
  private func keep(
    _ name: String, for key: String, _ answer: Result<PostgresResult, DatabaseError>
  ) throws(DatabaseError) {
    for old in statements.put(PreparedName(name: name), for: key) {
      guard isUsable, case .success = answer else { continue }
      try wire.command("DEALLOCATE \(old.name)")
    }
  }

  /// A changed table makes kept statements useless, and something between us and the server may have
  /// dropped them. Both end this transaction, and both are gone when it is tried again.
  private func forgettingStatements(_ error: DatabaseError) -> DatabaseError {
    guard error.code == .sqlState("0A000") || error.code == .sqlState("26000"),
      statements.count > 0
    else { return error }
    wire.giveUp()
    return DatabaseError(.connectionLost, code: error.code, statement: error.statement)
  }

  func insert(
    into table: SQLName, columns: [SQLName],
    _ fill: (inout RowWriter) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Int {
    let names = columns.map { SQL(parts: [.name($0)]) }
    let sql: SQL = "COPY \(name: table) (\(SQL.joined(names))) FROM STDIN"
    let text = try sql.rendered(for: .postgres).text
    try begun()
    try wire.command(text)
    let copy = PostgresCopy(wire)
    var writer = RowWriter(copy, expecting: columns.count)
    do throws(DatabaseError) {
      while try fill(&writer) {
        try writer.finish()
        try copy.endRow()
      }
      try copy.flush()
    } catch {
      wire.abandonCopy()
      throw error
    }
    return try wire.endCopy(text).rowsChanged
  }

  /// Services that start together on several machines take turns. The number is ours alone.
  func lockForMigration() throws(DatabaseError) {
    _ = try run("SELECT pg_advisory_xact_lock(\(0x6361_7272_656C))") { _ throws(DatabaseError) in
      .next
    }
  }

  /// The server's administrator backs up before an upgrade: this is not ours to do.
  func hasTables() throws(DatabaseError) -> Bool {
    var count = 0
    // Ours: a schema may be shared with others.
    _ = try run("SELECT count(*) FROM pg_class WHERE oid = to_regclass('carrel_migration')") {
      row throws(DatabaseError) in
      count = try row[0]
      return .next
    }
    return count > 0
  }

  func backUp(to path: String) throws(DatabaseError) {
    throw DatabaseError(.unsupported("backup by the program; use pg_dump"))
  }

  func integrityFaults() throws(DatabaseError) -> [String] {
    throw DatabaseError(.unsupported("an integrity check by the program; use pg_amcheck"))
  }
}

extension PostgresResult {
  /// A `SELECT` reports its rows as if they had been changed.
  fileprivate var changesRows: Bool {
    ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { command.hasPrefix($0) }
  }
}
