import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Rows are decoded by the type asked for` {
  enum State: String, Storable { case none, saved }
  struct Key: RawRepresentable, Storable, Equatable { let rawValue: Int64 }

  @Test(arguments: Engine.allCases)
  func `the database stores enumerations and typed identifiers by their raw value`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.one(
          "SELECT \(Key(rawValue: 7)) AS k, \(State.saved) AS s, \(State?.none) AS n"
        ) {
          row throws(DatabaseError) -> (Key, State, State?) in
          (try row["k"], try row["s"], try row["n"])
        }
      }
      #expect(found == (Key(rawValue: 7), .saved, nil))
    }
  }

  @Test(arguments: Engine.allCases)
  func `decoding a database column as another type is an error`(engine: Engine) async throws {
    let asInteger = await fault(engine) { row throws(DatabaseError) in let _: Int = try row["words"]
    }
    #expect(asInteger == .mismatch("words", wanted: .integer, found: "text"))
    let asState = await fault(engine) { row throws(DatabaseError) in let _: State = try row["words"]
    }
    #expect(asState == .mismatch("words", wanted: .text, found: "text"))
    let asFlag = await fault(engine) { row throws(DatabaseError) in let _: Bool = try row["number"]
    }
    #expect(asFlag == .mismatch("number", wanted: .boolean, found: "integer"))
  }

  @Test(arguments: Engine.allCases)
  func `decoding NULL is an error unless an optional is asked for`(engine: Engine) async throws {
    let found = await fault(engine) { row throws(DatabaseError) in
      let _: String = try row["missing"]
    }
    #expect(found == .null("missing"))
  }

  @Test(arguments: Engine.allCases)
  func `decoding a column that the row does not have is an error`(engine: Engine) async throws {
    let byName = await fault(engine) { row throws(DatabaseError) in let _: Int = try row["absent"] }
    #expect(byName == .missing("absent"))
    let beyond = await fault(engine) { row throws(DatabaseError) in let _: Int = try row[9] }
    #expect(beyond == .missing("9"))
    let before = await fault(engine) { row throws(DatabaseError) in let _: Int = try row[-1] }
    #expect(before == .missing("-1"))
  }

  private func fault(
    _ engine: Engine, _ decode: @escaping @Sendable (borrowing Row) throws(DatabaseError) -> Void
  ) async -> DatabaseError.ColumnFault? {
    let found = await failure {
      try await withStore(engine) { store in
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.one(
            "SELECT \("secret") AS words, \(String?.none) AS missing, \(77) AS number", decode)
        }
      }
    }
    #expect(found.map { !"\($0)".contains("secret") && !"\($0)".contains("77") } == true)
    guard case .column(let fault) = found?.reason else { return nil }
    return fault
  }

  @Test(arguments: Engine.allCases)
  func `sums, counts, averages and comparisons have the same types on both engines`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        try tx.execute(
          """
          INSERT INTO every_kind (id, whole, number, flag)
          VALUES (1, 1, 0.5, TRUE), (2, -4000000000, 0.25, FALSE)
          """)
        return try tx.one(
          """
          SELECT sum(whole), count(*), avg(whole), sum(number), max(id) = 2, min(whole), sum(id)
          FROM every_kind
          """
        ) { row throws(DatabaseError) -> ([Int], [Double], Bool) in
          (
            [try row[0], try row[1], try row[5], try row[6]], [try row[2], try row[3], try row[6]],
            try row[4]
          )
        }
      }
      #expect(found.0 == [-3_999_999_999, 2, -4_000_000_000, 3])
      #expect(found.1 == [-1_999_999_999.5, 0.75, 3])
      #expect(found.2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a row's bytes can be read in place, also when NULL or empty`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let sums = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.one("SELECT \([UInt8]([1, 2, 250])), \([UInt8]?.none), \([UInt8]([]))") {
          row throws(DatabaseError) -> [Int?] in
          (0..<3).map { column in
            row.withBytes(column) { bytes in
              guard let bytes else { return nil }
              return (0..<bytes.byteCount).reduce(0) { sum, index in
                sum + Int(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
              }
            }
          }
        }
      }
      #expect(sums == [253, nil, 0])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a query for one row fails on no row and on two rows`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let none = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT 1 WHERE FALSE", as: Int.self)
        }
      }
      let two = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT 1 UNION ALL SELECT 2", as: Int.self)
        }
      }
      #expect(none == .rowCount(expected: 1, found: 0))
      #expect(two == .rowCount(expected: 1, found: 2))
    }
  }

  @Test(arguments: Engine.allCases)
  func `Rows are decoded by the type asked for: first takes the first or nothing`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) -> [Int?] in
        [
          try snapshot.first("SELECT 1 UNION ALL SELECT 2 ORDER BY 1") {
            row throws(DatabaseError) in try row[0]
          },
          try snapshot.first("SELECT 1 WHERE FALSE") { row throws(DatabaseError) in try row[0] },
        ]
      }
      #expect(found == [1, nil])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a statement returns the number of rows it changed`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let counts = try await store.write { tx throws(DatabaseError) in
        [
          try tx.execute(everyKind),
          try tx.execute("INSERT INTO every_kind (id) VALUES (1), (2), (3)"),
          try tx.execute("UPDATE every_kind SET whole = \(5) WHERE id > \(1)"),
          try tx.execute("UPDATE every_kind SET whole = \(5) WHERE id > \(99)"),
          try tx.execute("SELECT * FROM every_kind"),
          try tx.execute("DELETE FROM every_kind"),
          try tx.execute("CREATE INDEX every_kind_words ON every_kind (words)"),
        ]
      }
      #expect(counts == [0, 3, 2, 0, 0, 3, 0])
    }
  }

  @Test(arguments: Engine.allCases)
  func `generated database keys are returned and never reused`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let keys = try await store.write { tx throws(DatabaseError) -> [Int] in
        try tx.execute("CREATE TABLE work (id \(.countedKey), title \(.text))\(.strictTable)")
        let insert: SQL = "INSERT INTO work (title) VALUES ('x') RETURNING id"
        let first: Int = try tx.value(insert)
        let second: Int = try tx.value(insert)
        try tx.execute("DELETE FROM work")
        return [first, second, try tx.value(insert)]
      }
      #expect(keys == [1, 2, 3])
    }
  }

  @Test(arguments: Engine.allCases)
  func `LIKE is case-sensitive on both database engines`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT \("Owl") LIKE \("owl%")", as: Bool.self)
      }
      #expect(!found)
    }
  }
}
