import Database
import Glibc

/// Reads the rows as the `sqlite3` shell does, from the same file into the same table.
func importRows(from file: String, into database: String) async throws -> Int {
  let bytes = try contents(of: file)
  let store = try await Store.open(try Location(database))
  let count = try await store.write(by: .now + .seconds(600)) { tx throws(DatabaseError) in
    try tx.execute(
      """
      CREATE TABLE edition (
        id \(.integer) PRIMARY KEY, title \(.text) NOT NULL, author \(.text) NOT NULL,
        language \(.text) NOT NULL, updated \(.integer) NOT NULL, isbn \(.text) NOT NULL)\(.strictTable)
      """)
    return try tx.insert(
      into: "edition", columns: ["id", "title", "author", "language", "updated", "isbn"],
      rows: CSVRecords(bytes)
    ) { record, row throws(DatabaseError) in
      try row.append(record.integer(0))
      try row.append(utf8: record.bytes.span.extracting(record.place(of: 1)))
      try row.append(utf8: record.bytes.span.extracting(record.place(of: 2)))
      try row.append(utf8: record.bytes.span.extracting(record.place(of: 3)))
      try row.append(record.integer(4))
      try row.append(utf8: record.bytes.span.extracting(record.place(of: 5)))
    }
  }
  await store.close()
  return count
}
