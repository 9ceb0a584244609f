/// Whole tables out of a database and into one.
extension Snapshot {
  /// Every row of a table, in the form that both engines share: a truth is 0 or 1.
  package func walk(
    _ table: TableShape, where condition: SQL = "TRUE",
    _ body: ([Value]) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) {
    let count = table.columns.count
    try forEach("SELECT \(table.columnList) FROM \(name: table.sqlName) WHERE \(condition)") {
      row throws(DatabaseError) in
      var values: [Value] = []
      values.reserveCapacity(count)
      for index in 0..<count { values.append(try row.value(at: index).shared) }
      return try body(values)
    }
  }

  /// The highest number that was ever given out, also to rows that are gone. Nil where nothing is
  /// counted, or nothing was yet.
  package func lastNumber(of table: TableShape) throws(DatabaseError) -> Int64? {
    guard let counter = table.counter else { return nil }
    switch dialect {
    case .sqlite:
      return try first("SELECT seq FROM sqlite_sequence WHERE name = \(table.name)") {
        row throws(DatabaseError) -> Int64 in try row[0]
      }
    case .postgres:
      return try value(
        """
        SELECT pg_sequence_last_value(
          CAST(pg_get_serial_sequence(\(table.name), \(counter)) AS regclass))
        """)
    }
  }

  /// What has been applied, each service's in their order.
  package func appliedMigrations() throws(DatabaseError) -> [AppliedMigration] {
    guard try hasMigrations() else { return [] }
    return try rows("SELECT service, name FROM carrel_migration ORDER BY service, position") {
      row throws(DatabaseError) in AppliedMigration(service: try row[0], name: try row[1])
    }
  }

  /// Whether tables of ours are here.
  package func hasMigrations() throws(DatabaseError) -> Bool {
    switch dialect {
    case .sqlite:
      try value("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'carrel_migration')")
    case .postgres:
      try value(
        """
        SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = 'carrel_migration'
          AND relnamespace = CAST(current_schema() AS regnamespace))
        """)
    }
  }
}

package struct AppliedMigration: Sendable, Hashable {
  package let service: String
  package let name: String

  package init(service: String, name: String) { (self.service, self.name) = (service, name) }
}

extension Transaction {
  /// Fills a table with rows as `walk` hands them out; tells how many those were.
  @discardableResult
  package func fill(
    _ table: TableShape, _ next: () throws(DatabaseError) -> [Value]?
  ) throws(DatabaseError) -> Int {
    let kinds = table.columns.map(\.kind)
    return try guarded("INSERT INTO \(table.name)") { () throws(DatabaseError) in
      try session.insert(into: table.sqlName, columns: table.columnNames) {
        row throws(DatabaseError) in
        guard let values = try next() else { return false }
        guard values.count == kinds.count else {
          throw DatabaseError(.rowCount(expected: kinds.count, found: values.count))
        }
        for (value, kind) in zip(values, kinds) { try row.append(value: value.kept(as: kind)) }
        return true
      }
    }
  }

  /// Adds one row, unless one is there that it would contradict: by its key, or by what may be there
  /// only once. Columns that are not named take what they take by themselves. False where it was.
  package func add(
    to table: TableShape, _ values: [(column: String, value: Value)]
  ) throws(DatabaseError) -> Bool {
    let kinds = Dictionary(table.columns.map { ($0.name, $0.kind) }, uniquingKeysWith: { $1 })
    var (names, bound): ([SQL], [SQL]) = ([], [])
    for (column, value) in values {
      guard let kind = kinds[column] else { throw DatabaseError(.column(.missing(column))) }
      names.append("\(name: SQLName(told: column))")
      bound.append(SQL(parts: [.value(value.kept(as: kind), kind)]))
    }
    return try execute(
      """
      INSERT INTO \(name: table.sqlName) (\(SQL.joined(names))) VALUES (\(SQL.joined(bound)))
      ON CONFLICT DO NOTHING
      """) == 1
  }

  /// Takes all rows out of these tables, the children before their parents.
  package func empty(_ tables: [TableShape]) throws(DatabaseError) {
    for table in tables.reversed() { try execute("DELETE FROM \(name: table.sqlName)") }
  }

  /// Numbers go on behind this one. PostgreSQL does not undo it with the transaction, so it is for
  /// tables that were made in the same one.
  package func setLastNumber(_ number: Int64, of table: TableShape) throws(DatabaseError) {
    guard let counter = table.counter, number > 0 else { return }
    switch dialect {
    case .sqlite:
      try execute("DELETE FROM sqlite_sequence WHERE name = \(table.name)")
      try execute("INSERT INTO sqlite_sequence (name, seq) VALUES (\(table.name), \(number))")
    case .postgres:
      _ = try value(
        """
        SELECT setval(CAST(pg_get_serial_sequence(\(table.name), \(counter)) AS regclass),
          \(number), TRUE)
        """, as: Int64.self)
    }
  }

  /// Does something to these tables that their triggers know nothing of: rows that are put back have
  /// been told of before.
  package func withoutTriggers<T>(
    on tables: [TableShape], _ body: (Transaction) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    switch dialect {
    case .postgres:
      for table in tables {
        try execute("ALTER TABLE \(name: table.sqlName) DISABLE TRIGGER USER")
      }
      let result = try body(self)
      for table in tables {
        try execute("ALTER TABLE \(name: table.sqlName) ENABLE TRIGGER USER")
      }
      return result
    case .sqlite:
      let triggers = try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'") {
        row throws(DatabaseError) -> (String, String) in (try row[0], try row[1])
      }
      for (name, _) in triggers { try execute("DROP TRIGGER \(name: SQLName(told: name))") }
      let result = try body(self)
      // The engine's own words for what it was told to make.
      for (_, text) in triggers { try execute(SQL(parts: [.text(text)])) }
      return result
    }
  }

  /// Takes away all that these migrations made. PostgreSQL only: of SQLite one removes the file.
  package func dropAll(madeBy lists: [MigrationList]) throws(DatabaseError) {
    for name in try lists.made("TABLE") + ["carrel_migration"] {
      try execute("DROP TABLE IF EXISTS \(name: SQLName(told: name)) CASCADE")
    }
    for name in try lists.made("FUNCTION") {
      try execute("DROP FUNCTION IF EXISTS \(name: SQLName(told: name))() CASCADE")
    }
  }
}

extension TableShape {
  fileprivate var columnList: SQL { .joined(columnNames.map { "\(name: $0)" }) }
}

extension Value {
  fileprivate var shared: Value {
    if case .boolean(let flag) = self { .integer(flag ? 1 : 0) } else { self }
  }

  fileprivate func kept(as kind: Kind) -> Value {
    switch (self, kind) {
    case (.integer(let number), .boolean): .boolean(number != 0)
    case (.integer(let number), .real): .real(Double(number))
    default: self
    }
  }
}

extension [MigrationList] {
  /// The names behind `CREATE <what>` in all statements for PostgreSQL.
  fileprivate func made(_ what: String) throws(DatabaseError) -> [String] {
    var names: [String] = []
    for statement in flatMap(\.migrations).flatMap(\.statements) {
      let words = try statement.rendered(for: .postgres).text
        .split { $0.isWhitespace || $0 == "(" || $0 == "\"" }.map(String.init)
      for (index, word) in words.enumerated() where word == "CREATE" {
        var rest = words[(index + 1)...]
        guard rest.popFirst() == what else { continue }
        if rest.starts(with: ["IF", "NOT", "EXISTS"]) { rest = rest.dropFirst(3) }
        if let name = rest.first { names.append(name) }
      }
    }
    return names
  }
}
