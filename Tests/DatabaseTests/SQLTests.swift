import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `A value never becomes SQL text` {
  static let attempts = [
    "'; DROP TABLE every_kind; --", "\" OR \"\"=\"", "$1", "?1", ":x", "\\'; SELECT 1", "%_", "/*",
    "1); DELETE FROM every_kind WHERE (1=1", "‘’′", "\u{2019}; --", "E'\\x27'",
  ]

  @Test(arguments: Engine.allCases, attempts)
  func `a text with SQL in it is stored and found unchanged`(engine: Engine, attempt: String)
    async throws
  {
    try await withStore(engine) { store in
      let found = try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        try tx.execute("INSERT INTO every_kind (id, words) VALUES (1, 'kept'), (2, \(attempt))")
        return try tx.rows("SELECT words FROM every_kind WHERE words = \(attempt)") {
          row throws(DatabaseError) -> String in try row[0]
        }
      }
      #expect(found == [attempt])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A value never becomes SQL text lists expand to one binding an element`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        try tx.execute("INSERT INTO every_kind (id, words) VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        let words = ["a", "c", "') OR 1=1 --"]
        return try tx.rows(
          "SELECT id FROM every_kind WHERE words IN (\(words)) AND id > \(0) ORDER BY id"
        ) { row throws(DatabaseError) -> Int in try row[0] }
      }
      #expect(found == [1, 3])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an empty list in a query is an empty set, also under NOT IN`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let counts = try await store.write { tx throws(DatabaseError) -> [Int] in
        try tx.execute(everyKind)
        try tx.execute("INSERT INTO every_kind (id, words, bytes) VALUES (1, 'a', \([UInt8]([1])))")
        return [
          try tx.value("SELECT count(*) FROM every_kind WHERE id IN (\([Int]()))"),
          try tx.value("SELECT count(*) FROM every_kind WHERE id NOT IN (\([Int]()))"),
          try tx.value("SELECT count(*) FROM every_kind WHERE words IN (\([String]()))"),
          try tx.value("SELECT count(*) FROM every_kind WHERE words NOT IN (\([String]()))"),
          try tx.value("SELECT count(*) FROM every_kind WHERE bytes NOT IN (\([[UInt8]]()))"),
        ]
      }
      #expect(counts == [0, 1, 0, 1, 1])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A value never becomes SQL text pieces are joined and their bindings renumbered`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store in
      let found = try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        try tx.execute("INSERT INTO every_kind (id, words) VALUES (1, 'a'), (2, 'b'), (3, 'b')")
        let filters: [SQL] = ["words = \("b")", "id > \(2)"]
        let column: SQLName = "id"
        return try tx.rows(
          """
          SELECT \(name: column) FROM \(name: "every_kind")
          WHERE \(SQL.joined(filters, by: " AND ")) AND id < \(10) ORDER BY \(name: column)
          """
        ) { row throws(DatabaseError) -> Int in try row[0] }
      }
      #expect(found == [3])
    }
  }

  static let oddNames: [SQLName] = ["", "Loan", "a\"b", "a b", "1a", "a;b", "naïve", "a\0"]

  @Test(arguments: Engine.allCases, oddNames)
  func `an SQL name that is not a plain name is refused`(engine: Engine, name: SQLName) async throws
  {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT 1 AS \(name: name)", as: Int.self)
        }
      }
      guard case .misuse = found else {
        Issue.record("\(String(describing: found))")
        return
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a reserved word may be used as an SQL name`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.one("SELECT \(7) AS \(name: "select")") { row throws(DatabaseError) -> Int in
          try row["select"]
        }
      }
      #expect(found == 7)
    }
  }

  @Test(arguments: Engine.allCases)
  func `two statements in one database call are refused`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT 1; SELECT 2", as: Int.self)
        }
      }
      #expect(found == .syntax || found == .misuse("more than one statement"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a semicolon and comments at the end of a statement do no harm`(engine: Engine) async throws
  {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT \(1); -- one\n /* more */ ", as: Int.self)
      }
      #expect(found == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a statement placeholder without a value is refused`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT $1 || $2 || \("x")", as: String.self)
        }
      }
      #expect(found != nil)
    }
  }
}
