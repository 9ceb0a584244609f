import Database
import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Migrations bring a database to what the program knows` {
  private static let works = Migration(
    "works",
    [
      "CREATE TABLE work (id \(.countedKey), title \(.text) NOT NULL)\(.strictTable)",
      "INSERT INTO work (title) VALUES (\("first"))",
    ])
  private static let covers = Migration("covers", ["ALTER TABLE work ADD COLUMN cover \(.blob)"])
  private static let loans = Migration(
    "loans", ["CREATE TABLE loan (work \(.integer) NOT NULL REFERENCES work (id))\(.strictTable)"])
  private static let broken = Migration(
    "broken", ["CREATE TABLE half (id \(.integer))", "INSERT INTO nowhere VALUES (1)"])

  private static let catalog = MigrationList("catalog", [works])
  private static let laterCatalog = MigrationList("catalog", [works, covers])
  private static let desk = MigrationList("desk", [loans])

  @Test(arguments: Engine.allCases)
  func `a new database gets all migrations in the order of their lists`(engine: Engine) async throws
  {
    try await withStore(engine) { store in
      let done = try await store.migrate([Self.laterCatalog, Self.desk], at: 1)
      #expect(done.applied == ["catalog/works", "catalog/covers", "desk/loans"])
      #expect(done.backup == nil)
      #expect(try await store.appliedMigrations() == done.applied)
    }
  }

  @Test(arguments: Engine.allCases)
  func `migrating a database a second time does nothing`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.migrate([Self.catalog], at: 1)
      let again = try await store.migrate([Self.catalog], at: 2)
      #expect(again.applied == [] && again.backup == nil)
      let titles = try await store.count("SELECT count(*) FROM work")
      #expect(titles == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `an empty migration list applies nothing`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let done = try await store.migrate([MigrationList("catalog", [])], at: 1)
      #expect(done.applied == [] && done.backup == nil)
      #expect(try await store.appliedMigrations() == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `only migrations added since the last run are applied`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.migrate([Self.catalog], at: 1)
      let done = try await store.migrate([Self.laterCatalog, Self.desk], at: 2)
      #expect(done.applied == ["catalog/covers", "desk/loans"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a changed migration is refused`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.migrate([Self.catalog], at: 1)
      let changed = MigrationList(
        "catalog", [Migration("works", ["CREATE TABLE work (id \(.integer))"])])
      let found = await reason { try await store.migrate([changed], at: 2) }
      #expect(found == .migration(.changed(service: "catalog", migration: "works")))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a database migrated by a newer program is refused`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.migrate([Self.laterCatalog, Self.desk], at: 1)
      let older = await failure { try await store.migrate([Self.catalog, Self.desk], at: 2) }
      #expect(
        older?.reason == .migration(.databaseIsNewer(service: "catalog", migration: "covers")))
      #expect("\(try #require(older))".contains("newer than the program"))
      let smaller = await reason { try await store.migrate([Self.laterCatalog], at: 2) }
      #expect(smaller == .migration(.databaseIsNewer(service: "desk", migration: "loans")))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a migration inserted before an applied one is refused`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.migrate([Self.catalog], at: 1)
      let list = MigrationList("catalog", [Migration("early", ["SELECT 1"]), Self.works])
      let found = await reason { try await store.migrate([list], at: 2) }
      #expect(found == .migration(.outOfOrder(service: "catalog", migration: "early")))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a failing migration undoes all migrations of the run`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.migrate([Self.catalog], at: 1)
      let list = MigrationList("catalog", [Self.works, Self.covers, Self.broken])
      let found = await reason { try await store.migrate([list, Self.desk], at: 2) }
      #expect(found == .syntax)
      #expect(try await store.appliedMigrations() == ["catalog/works"])
      let done = try await store.migrate([Self.laterCatalog, Self.desk], at: 3)
      #expect(done.applied == ["catalog/covers", "desk/loans"])
    }
  }

  static let badLists: [[MigrationList]] = [
    [MigrationList("desk", []), MigrationList("desk", [])],
    [MigrationList("desk", [Migration("a", []), Migration("a", [])])],
    [MigrationList("Desk", [])], [MigrationList("", [])], [MigrationList("../desk", [])],
    [MigrationList("desk", [Migration("two words", [])])],
    [MigrationList("desk", [Migration("a--b", [])])],
  ]

  @Test(arguments: Engine.allCases, badLists)
  func `an invalid migration list is refused`(engine: Engine, lists: [MigrationList]) async throws {
    try await withStore(engine) { store in
      let found = await reason { try await store.migrate(lists, at: 1) }
      guard case .migration = found else {
        Issue.record("\(String(describing: found))")
        return
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `stores that open together apply each migration once`(engine: Engine) async throws {
    try await withLocation(engine) { location in
      let applied = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await withStore(at: location) { store in
              try await store.migrate([Self.laterCatalog, Self.desk], at: 1).applied
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(applied == ["catalog/works", "catalog/covers", "desk/loans"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `processes that start together apply each migration once`(engine: Engine) async throws {
    try await engine.withAddress { address in
      let applied = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { try await Self.migrateInAnotherProcess(address) }
        }
        return try await group.reduce(0, +)
      }
      #expect(applied == 3)
    }
  }

  /// Returns how many migrations that process has applied.
  private static func migrateInAnotherProcess(_ address: String) async throws -> Int {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [address = address as String] in
      let store = try await Store.open(try Location(address), .forTests)
      let done = try await store.migrate([Self.laterCatalog, Self.desk], at: 1)
      for title in done.applied { print("applied \(title)") }
      await store.close()
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    return output.split(separator: "\n").count { $0.hasPrefix("applied ") }
  }

  @Test
  func `a SQLite file is copied before a migration, and the copy can be used`() async throws {
    try await withLocation(.sqlite) { location in
      try await withStore(at: location) { store in
        _ = try await store.migrate([Self.catalog], at: 1)
        let done = try await store.migrate([Self.laterCatalog, Self.desk], at: 2)
        let backup = try #require(done.backup)
        #expect(backup == "\(location).before-catalog-covers")
        try await withStore(at: .sqlite(path: backup)) { copy in
          #expect(try await copy.appliedMigrations() == ["catalog/works"])
          #expect(try await copy.integrityFaults() == [])
          let again = try await copy.migrate([Self.laterCatalog, Self.desk], at: 3)
          #expect(again.applied == done.applied)
        }
      }
    }
  }

  @Test
  func `no migration is applied when the copy of the SQLite file cannot be made`() async throws {
    try await withLocation(.sqlite) { location in
      try await withStore(at: location) { store in
        _ = try await store.migrate([Self.catalog], at: 1)
        try FileManager.default.createDirectory(
          atPath: "\(location).before-catalog-covers.part", withIntermediateDirectories: false)
        let found = await reason { try await store.migrate([Self.laterCatalog], at: 2) }
        #expect(found != nil)
        #expect(try await store.appliedMigrations() == ["catalog/works"])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a store reports whether migrations are pending`(engine: Engine) async throws {
    try await withStore(engine) { store in
      #expect(try await !store.isMigrated([Self.catalog]))
      _ = try await store.migrate([Self.catalog], at: 1)
      #expect(try await store.isMigrated([Self.catalog]))
      #expect(try await !store.isMigrated([Self.laterCatalog]))
    }
  }
}
