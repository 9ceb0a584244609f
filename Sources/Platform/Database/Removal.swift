/// What a service takes out of one of its tables when somebody is to be forgotten.
package struct Removal: Sendable {
  /// In a word for people: loans, notes.
  package let what: String
  private let name: SQLName
  fileprivate let condition: SQL

  package init(_ what: String, from table: SQLName, where condition: SQL) {
    (self.what, name, self.condition) = (what, table, condition)
  }

  package var table: String { name.text }
}

extension Transaction {
  /// How many rows that were.
  package func remove(_ removal: Removal) throws(DatabaseError) -> Int {
    try execute(removal.statement)
  }
}

extension Snapshot {
  /// The same rows, looked at: what would be taken out is what there is of somebody.
  package func walk(
    _ table: TableShape, of removal: Removal,
    _ body: ([Value]) throws(DatabaseError) -> Walk
  ) throws(DatabaseError) {
    guard removal.table == table.name else { return }
    try walk(table, where: removal.condition, body)
  }
}

extension Removal {
  fileprivate var statement: SQL { "DELETE FROM \(name: name) WHERE \(condition)" }
}

extension [Removal] {
  /// The same of several tables that say in the same way whose a row is.
  package static func each(
    _ what: String, of tables: [SQLName], where condition: SQL
  ) -> [Removal] {
    tables.map { Removal(what, from: $0, where: condition) }
  }
}
