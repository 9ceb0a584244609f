import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Prepared statements` {
  @Test(arguments: Engine.allCases)
  func `Prepared statements survive being pushed out by others`(engine: Engine) async throws {
    var settings = StoreSettings.forTests
    settings.keptStatements = 3
    settings.connections = 1
    try await withStore(engine, settings) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        var found: [Int] = []
        for round in 0..<5 {
          found.append(try snapshot.value("SELECT 1 + \(round)"))
          found.append(try snapshot.value("SELECT 2 + \(round)"))
          found.append(try snapshot.value("SELECT 3 + \(round)"))
          found.append(try snapshot.value("SELECT 4 + \(round)"))
          found.append(try snapshot.value("SELECT 5 + \(round)"))
        }
        return found
      }
      let expected: [Int] = (0..<5).flatMap { (round: Int) -> [Int] in (1...5).map { $0 + round } }
      #expect(found == expected)
    }
  }

  @Test
  func `Prepared statements are kept on the server, no more than allowed`() async throws {
    var settings = StoreSettings.forTests
    settings.keptStatements = 3
    settings.connections = 1
    try await withStore(.postgres, settings) { store in
      let count = try await store.read { snapshot throws(DatabaseError) in
        let _: Int = try snapshot.value("SELECT 1")
        let _: Int = try snapshot.value("SELECT 2")
        let _: Int = try snapshot.value("SELECT 3")
        let _: Int = try snapshot.value("SELECT 4")
        let _: Bool = try snapshot.value("SELECT 5 IN (\([5, 6]))")
        // The oldest goes as soon as a new one was asked.
        let counts = try (0..<2).map { _ throws(DatabaseError) in
          try snapshot.value(
            "SELECT count(*) FROM pg_prepared_statements WHERE name <> ''", as: Int.self)
        }
        return counts[1]
      }
      #expect(count == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `prepared statements serve lists of every length up to 40 with 12 statements`(
    engine: Engine
  ) async throws {
    var settings = StoreSettings.forTests
    settings.connections = 1
    try await withStore(engine, settings) { store in
      let (found, kept) = try await store.read { snapshot throws(DatabaseError) in
        var found: [Bool] = []
        for length in 1...40 {
          let list = Array(1...length)
          found.append(try snapshot.value("SELECT \(length) IN (\(list))"))
          found.append(try snapshot.value("SELECT \(length + 1) NOT IN (\(list))"))
        }
        guard engine == .postgres else { return (found, 0) }
        let kept = try snapshot.value(
          "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1 %'",
          as: Int.self
        )
        return (found, kept)
      }
      #expect(found.count == 80 && !found.contains(false))
      // Of one, two, four, eight, sixteen and thirty-two values.
      #expect(engine == .sqlite || kept == 12)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Prepared statements follow a table that has changed`(engine: Engine) async throws {
    var settings = StoreSettings.forTests
    settings.connections = 2
    try await withStore(engine, settings) { store in
      let columns: @Sendable () async throws -> Int = {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.one("SELECT * FROM counter") { row throws(DatabaseError) in row.count }
        }
      }
      try await store.write { tx throws(DatabaseError) in
        try tx.execute(counters)
        try tx.add("a")
      }
      #expect(try await columns() == 2)
      #expect(try await columns() == 2)
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("ALTER TABLE counter ADD COLUMN extra \(.text)")
      }
      #expect(try await columns() == 3)
      #expect(try await columns() == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Prepared statements take a value and its absence alike`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        var found: [Int?] = []
        for value in [1, nil, 3] {
          found.append(try snapshot.value("SELECT \(value) + \(1)"))
        }
        return found
      }
      #expect(found == [2, nil, 4])
    }
  }
}
