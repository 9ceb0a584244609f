import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Errors are typed, keep the engine's code, and never show a value` {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: SQL
    let sqliteReason: DatabaseError.Reason
    let sqliteCode: String
    let postgresReason: DatabaseError.Reason
    let postgresCode: String
  }

  private static let secret = "hunter2"

  private static let mistakes = [
    Mistake(
      testDescription: "unique", sql: "INSERT INTO child (id, word) VALUES (1, \(secret))",
      sqliteReason: .constraint(.unique, name: "child.id"),
      sqliteCode: "SQLITE_CONSTRAINT_PRIMARYKEY 1555",
      postgresReason: .constraint(.unique, name: "child_pkey"), postgresCode: "SQLSTATE 23505"),
    Mistake(
      testDescription: "unique text", sql: "INSERT INTO child (id, word) VALUES (2, \(secret))",
      sqliteReason: .constraint(.unique, name: "child.word"),
      sqliteCode: "SQLITE_CONSTRAINT_UNIQUE 2067",
      postgresReason: .constraint(.unique, name: "child_word_key"), postgresCode: "SQLSTATE 23505"),
    Mistake(
      testDescription: "foreign key", sql: "INSERT INTO child (id, parent) VALUES (2, \(77_777))",
      sqliteReason: .constraint(.foreignKey, name: nil),
      sqliteCode: "SQLITE_CONSTRAINT_FOREIGNKEY 787",
      postgresReason: .constraint(.foreignKey, name: "child_parent_fkey"),
      postgresCode: "SQLSTATE 23503"),
    Mistake(
      testDescription: "not null", sql: "UPDATE child SET word = \(String?.none)",
      sqliteReason: .constraint(.notNull, name: "child.word"),
      sqliteCode: "SQLITE_CONSTRAINT_NOTNULL 1299",
      postgresReason: .constraint(.notNull, name: "child.word"), postgresCode: "SQLSTATE 23502"),
    Mistake(
      testDescription: "check", sql: "UPDATE child SET word = \(secret + secret)",
      sqliteReason: .constraint(.check, name: "short_word"),
      sqliteCode: "SQLITE_CONSTRAINT_CHECK 275",
      postgresReason: .constraint(.check, name: "short_word"), postgresCode: "SQLSTATE 23514"),
    Mistake(
      testDescription: "no such table", sql: "SELECT \(secret) FROM nowhere", sqliteReason: .syntax,
      sqliteCode: "SQLITE_ERROR 1", postgresReason: .syntax, postgresCode: "SQLSTATE 42P01"),
    Mistake(
      testDescription: "no such column", sql: "SELECT nothing FROM child WHERE word = \(secret)",
      sqliteReason: .syntax, sqliteCode: "SQLITE_ERROR 1", postgresReason: .syntax,
      postgresCode: "SQLSTATE 42703"),
    Mistake(
      testDescription: "double quotes are for names", sql: "SELECT \"word?\" FROM child",
      sqliteReason: .syntax, sqliteCode: "SQLITE_ERROR 1", postgresReason: .syntax,
      postgresCode: "SQLSTATE 42703"),
    Mistake(
      testDescription: "nonsense", sql: "SELEKT \(secret)", sqliteReason: .syntax,
      sqliteCode: "SQLITE_ERROR 1", postgresReason: .syntax, postgresCode: "SQLSTATE 42601"),
    Mistake(
      testDescription: "malformed search words",
      sql: .either(sqlite: "SELECT 1 FROM words WHERE words MATCH ", postgres: "SELECT to_tsquery(")
        + "\("\"hunter2 & (")" + .either(sqlite: "", postgres: ")"),
      sqliteReason: .syntax, sqliteCode: "SQLITE_ERROR 1", postgresReason: .syntax,
      postgresCode: "SQLSTATE 42601"),
  ]

  @Test(arguments: Engine.allCases, mistakes)
  func `each database mistake has its typed reason and engine code, and shows no value`(
    engine: Engine, mistake: Mistake
  ) async throws {
    try await withStore(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("CREATE TABLE parent (id \(.integer) PRIMARY KEY)\(.strictTable)")
        try tx.execute(
          """
          CREATE TABLE child (
            id \(.integer) PRIMARY KEY, word \(.text) NOT NULL DEFAULT 'd' UNIQUE,
            parent \(.integer) REFERENCES parent (id),
            CONSTRAINT short_word CHECK (length(word) < 10))\(.strictTable)
          """)
        try tx.execute("INSERT INTO child (id, word) VALUES (1, \(Self.secret))")
        if tx.dialect == .sqlite {
          try tx.execute("CREATE VIRTUAL TABLE words USING fts5 (word)")
        }
      }
      let found = await failure {
        try await store.write { tx throws(DatabaseError) in try tx.execute(mistake.sql) }
      }
      let error = try #require(found)
      let isSQLite = engine == .sqlite
      #expect(error.reason == (isSQLite ? mistake.sqliteReason : mistake.postgresReason))
      #expect("\(error)".contains(isSQLite ? mistake.sqliteCode : mistake.postgresCode))
      #expect(!"\(error)".contains("hunter2") && !"\(error)".contains("77777"))
      #expect(!String(reflecting: error).contains("hunter2"))
      try await store.expectAnswers()
    }
  }

  @Test
  func `a database error shows a mistyped name as PostgreSQL reports it`() async throws {
    try await withStore(.postgres) { store in
      let found = await failure {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT wrod FROM pg_class", as: Int.self)
        }
      }
      #expect(found?.detail?.contains("wrod") == true)
    }
  }

  @Test
  func `opening a file that is not a database fails as corrupt`() async throws {
    try await withTemporaryFolder { folder in
      let path = try folder.write(Array(repeating: 0x41, count: 8192), to: "junk.sqlite3")
      let found = await reason { try await Store.open(.sqlite(path: path)) }
      #expect(found == .corrupt)
    }
  }

  @Test
  func `the integrity check finds a damaged database page`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("test.sqlite3")
      try await withStore(at: .sqlite(path: path)) { store in
        try await store.write { tx throws(DatabaseError) in
          try tx.execute(everyKind)
          try tx.insert(into: "every_kind", columns: ["id", "words"], rows: 0..<2000) {
            number, row throws(DatabaseError) in
            try row.append(number)
            try row.append("some words")
          }
        }
        #expect(try await store.integrityFaults() == [])
      }
      var bytes = try folder.read("test.sqlite3")
      for index in 5 * 4096..<6 * 4096 { bytes[index] = 0x5A }
      try folder.write(bytes, to: "test.sqlite3")
      try await withStore(at: .sqlite(path: path)) { store in
        let faults = try await store.integrityFaults()
        #expect(!faults.isEmpty)
      }
    }
  }
}

private func + (first: SQL, second: SQL) -> SQL { "\(first)\(second)" }
