import Circulation
import Database
import TestSupport
import Testing

@testable import Catalog

@Suite struct `A catalog that a patron named` {
  private static let named = LibraryID("https://catalog.example/opds")

  private static func titles(_ round: Int, _ count: Int) -> [[String]] {
    [(0..<count).map { "r\(round)-\($0)" }]
  }

  /// Rows of a table, or of all that hold something for each edition.
  private static func count(
    _ store: Store, of table: SQL = "catalog_edition"
  ) async throws -> Int {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.value("SELECT count(*) FROM \(table)")
    }
  }

  private static let tables: [SQL] = [
    "catalog_edition", "catalog_record", "catalog_face", "catalog_words", "catalog_key",
    "catalog_kin", "catalog_work", "catalog_availability",
  ]

  @Test(arguments: Engine.allCases)
  func `A catalog that a patron named keeps no more titles than it has room for`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      let stub = StubLender(titles: Self.titles(0, 60) + Self.titles(1, 60))
      let tally = try await catalog.harvest(stub, at: Self.named, room: 100)
      #expect(tally.added == 100 && tally.isComplete)
      #expect(tally.warnings == [NamedCatalogs.cutShort])
      #expect(try await catalog.standings(of: [Self.named])[Self.named]?.cutShort == 1)
      // What it has stays, also where another catalog of the patron took the rest of the room.
      try await catalog.harvest(stub, at: Self.named, room: 10)
      try await catalog.harvest(stub, at: Self.named, room: 10)
      try await catalog.harvest(stub, at: Self.named, room: 10)
      #expect(try await catalog.found("title", at: [Self.named], limit: 200).count == 100)
      try await catalog.harvest(stub, at: Self.named, room: 500)
      #expect(try await Self.count(store) == 120)
      #expect(try await catalog.standings(of: [Self.named])[Self.named]?.cutShort == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalog that a patron named and whose titles change names at each harvest stays bounded`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      for round in 0..<12 {
        try await catalog.harvest(
          StubLender(titles: Self.titles(round, 40)), at: Self.named, room: 100)
        #expect(try await Self.count(store) <= 100)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalog that a patron named and that never ends loses what it lists no longer`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      for round in 0..<5 {
        let stub = StubLender(titles: Self.titles(round, 30))
        stub.cut(at: [0])
        let tally = try await catalog.harvest(stub, at: Self.named)
        #expect(tally.warnings.count == 1 && tally.dropped == (round < 2 ? 0 : 30))
      }
      #expect(try await Self.count(store) == 90)
      #expect(try await catalog.found("title", at: [Self.named], limit: 200).count == 60)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalog that a patron named and unlinked leaves no row behind`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      // Of a library of the operator, with the same books.
      try await catalog.harvest(StubLender(titles: Self.titles(0, 20)))
      var before: [Int] = []
      for table in Self.tables { before.append(try await Self.count(store, of: table)) }
      try await catalog.harvest(
        StubLender(titles: Self.titles(0, 20) + Self.titles(1, 300)), at: Self.named)
      try await catalog.note([ItemID("r0-1"): available(.openAccess, at: 1)], at: Self.named)
      #expect(try await catalog.deleteNamed(besides: [Self.named]) == 0)
      #expect(try await Self.count(store) == 340)
      #expect(try await catalog.deleteNamed(besides: []) == 1)
      var after: [Int] = []
      for table in Self.tables { after.append(try await Self.count(store, of: table)) }
      #expect(after == before)
      #expect(try await Self.count(store, of: "catalog_library") == 1)
      #expect(try await catalog.found("title", limit: 200).count == 20)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalog that a patron named keeps no more from searches than it has room for`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.harvest(StubLender(titles: Self.titles(0, 20)), at: Self.named, room: 100)
      for page in 0..<5 {
        try await catalog.take(
          (0..<500).map { edition("s\(page)-\($0)", "Found") }, of: Self.named, provider: lender)
      }
      #expect(try await Self.count(store) == 2_100)
      try await catalog.note(
        Dictionary(
          uniqueKeysWithValues: (0..<50).map {
            (ItemID("never-\($0)"), available(.openAccess, at: 1))
          }), at: Self.named)
      #expect(try await Self.count(store, of: "catalog_availability") == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalog that a patron named is written in small steps`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, store in
      // All stamps of a transaction are the same, or follow each other without a gap of others.
      try await catalog.harvest(StubLender(titles: Self.titles(0, 1_000)), at: Self.named)
      let most: Int = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.value(
          """
          SELECT max(n) FROM (SELECT count(*) AS n FROM catalog_face GROUP BY stamp) AS stamps
          """)
      }
      #expect(most <= NamedCatalogs.batch)
    }
  }
}
