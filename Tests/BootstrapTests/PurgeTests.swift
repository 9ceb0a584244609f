import BackOffice
import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import Bootstrap

@Suite struct `Forgetting a reader` {
  /// What says of a row whose it is. Whoever adds a table with one of these columns is reminded here.
  @Test(arguments: Engine.allCases)
  func `Forgetting a reader reaches every table that says whose a row is`(engine: Engine)
    async throws
  {
    try await withStore(engine, tables: House.tables) { store in
      let owned = try await store.read { snapshot throws(DatabaseError) in
        Set(try snapshot.rows(Self.owned) { row throws(DatabaseError) -> String in try row[0] })
      }
      let leaver = Leaver(PatronID("p"), [AccountID("a")])
      let reached = Set(Purge.removals(of: leaver).map(\.table))
      // The audit tells what was done, by numbers that lead to nobody once the names are gone.
      #expect(owned.subtracting(reached) == ["registry_audit", "registry_audit_month"])
      #expect(owned.count > 30)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Forgetting a reader runs in one go over empty tables, and knows who is not there`(
    engine: Engine
  ) async throws {
    try await withStore(engine, tables: House.tables) { store in
      let purge = Purge(store: store, now: { 1_000 })
      #expect(try await purge.purge(PatronID("none"), by: "test", request: "r") == nil)
      _ = try await store.write { tx throws(DatabaseError) in
        try tx.execute("INSERT INTO patron (id, name, made_at) VALUES ('p', 'Ada', 1)")
      }
      let purged = try #require(
        try await purge.purge(PatronID("p"), by: "test", request: "r"))
      #expect(purged.name == "Ada" && purged.parts.map(\.what) == ["names"])
      #expect(purged.rows == 1 && purged.loansLeft == 0)
    }
  }

  private static let owned: SQL = .either(
    sqlite: """
      SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.name IN ('patron', 'account', 'reader', 'owner_patron')
      """,
    postgres: """
      SELECT DISTINCT table_name::text FROM information_schema.columns
      WHERE table_schema = current_schema()
        AND column_name IN ('patron', 'account', 'reader', 'owner_patron')
      """)
}
