package import JSON

/// What is in a backup, or was carried from one database to another.
package struct BackupItem: Sendable, Hashable {
  package struct Table: Sendable, Hashable {
    package let name: String
    package let rows: Int

    package init(name: String, rows: Int) { (self.name, self.rows) = (name, rows) }
  }

  /// The file, or the database that things went to.
  package let place: String
  package let madeAt: String
  package let madeBy: String
  package let engine: String
  package let tables: [Table]
  package var bytes = 0
  package var books = 0
  package var missingBooks = 0
  package var hasBooks = false
  package var hasKeys = false
  package var isSealed = false
  /// What was there before, and is kept under this name.
  package var former: String?

  package init(
    place: String, madeAt: String, madeBy: String, engine: String, tables: [Table]
  ) {
    (self.place, self.madeAt, self.madeBy) = (place, madeAt, madeBy)
    (self.engine, self.tables) = (engine, tables)
  }

  package var rows: Int { tables.reduce(0) { $0 + $1.rows } }

  package var json: JSONValue {
    var object: JSONObject = [
      "place": .string(place), "made_at": .string(madeAt), "made_by": .string(madeBy),
      "engine": .string(engine), "rows": .integer(rows), "bytes": .integer(bytes),
      "books": .integer(books), "missing_books": .integer(missingBooks),
      "with_books": .bool(hasBooks), "vault_keys": .bool(hasKeys), "sealed": .bool(isSealed),
      "tables": .array(tables.map { ["name": .string($0.name), "rows": .integer($0.rows)] }),
    ]
    object["former"] = former.map(JSONValue.string)
    return .object(object)
  }
}

/// What went along, or came in.
package struct ExportItem: Sendable, Hashable {
  package struct Kind: Sendable, Hashable {
    package let name: String
    package let count: Int

    package init(name: String, count: Int) { (self.name, self.count) = (name, count) }
  }

  package let place: String
  package let readers: [String]
  package let kinds: [Kind]
  package let books: Int
  /// What was here already; nil for an export.
  package let unchanged: Int?

  package init(
    place: String, readers: [String], kinds: [Kind], books: Int, unchanged: Int?
  ) {
    (self.place, self.readers, self.kinds) = (place, readers, kinds)
    (self.books, self.unchanged) = (books, unchanged)
  }

  package var count: Int { kinds.reduce(0) { $0 + $1.count } }

  package var json: JSONValue {
    var object: JSONObject = [
      "place": .string(place), "readers": .array(readers.map(JSONValue.string)),
      "kinds": .array(kinds.map { ["name": .string($0.name), "count": .integer($0.count)] }),
      "books": .integer(books),
    ]
    object["unchanged"] = unchanged.map(JSONValue.integer)
    return .object(object)
  }
}
