/// A table as the database itself describes it, for whoever carries whole tables from one database to
/// another and knows none of them.
package struct TableShape: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package let name: String
    /// As this engine keeps it: SQLite has numbers where PostgreSQL has truths.
    package let kind: Kind
  }

  package let name: String
  package let columns: [Column]
  /// The column that the engine counts up.
  let counter: String?
  /// Tables whose rows must be there before these.
  let parents: Set<String>

  var sqlName: SQLName { SQLName(told: name) }
  var columnNames: [SQLName] { columns.map { SQLName(told: $0.name) } }
}

extension Snapshot {
  /// All tables, each after those that its rows refer to. What has columns of an engine's own must be
  /// named, and is left out: nothing is passed over by silence.
  package func tables(leavingOut others: Set<String>) throws(DatabaseError) -> [TableShape] {
    let found = dialect == .sqlite ? try sqliteTables(others) : try postgresTables(others)
    return Self.parentsFirst(found.sorted { $0.name < $1.name })
  }

  private static func parentsFirst(_ tables: [TableShape]) -> [TableShape] {
    var (rest, ordered, done) = (tables, [TableShape](), Set<String>())
    let names = Set(tables.map(\.name))
    while !rest.isEmpty {
      let ready = rest.filter { table in
        table.parents.subtracting([table.name]).intersection(names).isSubset(of: done)
      }
      // Tables that refer to each other have no order; a fill then says so itself.
      let next = ready.isEmpty ? rest : ready
      ordered += next
      done.formUnion(next.map(\.name))
      rest.removeAll { done.contains($0.name) }
    }
    return ordered
  }

  private func sqliteTables(_ others: Set<String>) throws(DatabaseError) -> [TableShape] {
    let listed = try rows(
      """
      SELECT l.name, l.type, s.sql FROM pragma_table_list l
      JOIN sqlite_schema s ON s.name = l.name AND s.type = 'table'
      WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name NOT LIKE 'sqlite%'
      """
    ) { row throws(DatabaseError) -> (String, String, String) in
      (try row[0], try row[1], try row[2])
    }
    var tables: [TableShape] = []
    for (name, type, text) in listed where !others.contains(name) {
      guard type == "table" else { throw Self.unknown(name) }
      let columns = try rows(
        "SELECT name, type, pk FROM pragma_table_info(\(name)) ORDER BY cid"
      ) { row throws(DatabaseError) -> (TableShape.Column, Int) in
        (try Self.column(try row[0], try row[1], of: name), try row[2])
      }
      let parents = try rows(
        "SELECT \(name: "table") FROM pragma_foreign_key_list(\(name))"
      ) { row throws(DatabaseError) -> String in try row[0] }
      let counts = text.uppercased().contains("AUTOINCREMENT")
      tables.append(
        TableShape(
          name: name, columns: columns.map(\.0),
          counter: counts ? columns.first { $0.1 == 1 }?.0.name : nil, parents: Set(parents)))
    }
    return tables
  }

  private func postgresTables(_ others: Set<String>) throws(DatabaseError) -> [TableShape] {
    var columns: [String: [TableShape.Column]] = [:]
    var counters: [String: String] = [:]
    try forEach(
      """
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attidentity <> ''
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY c.relname, a.attnum
      """
    ) { row throws(DatabaseError) in
      let (table, name): (String, String) = (try row[0], try row[1])
      if others.contains(table) { return .next }
      columns[table, default: []].append(try Self.column(name, try row[2], of: table))
      if try row[3] { counters[table] = name }
      return .next
    }
    var parents: [String: Set<String>] = [:]
    try forEach(
      """
      SELECT c.relname, p.relname FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
      WHERE k.contype = 'f' AND c.relnamespace = CAST(current_schema() AS regnamespace)
      """
    ) { row throws(DatabaseError) in
      let (table, parent): (String, String) = (try row[0], try row[1])
      parents[table, default: []].insert(parent)
      return .next
    }
    return columns.map { name, columns in
      TableShape(
        name: name, columns: columns, counter: counters[name], parents: parents[name] ?? [])
    }
  }

  private static func column(
    _ name: String, _ type: String, of table: String
  ) throws(DatabaseError) -> TableShape.Column {
    let kind: Kind? =
      switch type.uppercased() {
      case "INTEGER", "BIGINT": .integer
      case "REAL", "DOUBLE PRECISION": .real
      case "TEXT": .text
      case "BLOB", "BYTEA": .blob
      case "BOOLEAN": .boolean
      default: nil
      }
    guard let kind else { throw unknown("\(table).\(name)") }
    return TableShape.Column(name: name, kind: kind)
  }

  private static func unknown(_ what: String) -> DatabaseError {
    DatabaseError(.unsupported("carrying \(what), which is of this engine's own kind"))
  }
}

extension TableShape {
  /// The same table with its columns in this order; nil where they are not the same columns.
  package func ordered(as names: [String]) -> TableShape? {
    let ordered = names.compactMap { name in columns.first { $0.name == name } }
    guard ordered.count == names.count, ordered.count == columns.count else { return nil }
    return TableShape(name: name, columns: ordered, counter: counter, parents: parents)
  }
}
