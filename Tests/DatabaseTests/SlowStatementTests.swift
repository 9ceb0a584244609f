import Database
import StoreSupport
import Synchronization
import TestSupport
import Testing

private enum Room {
  @TaskLocal static var name = ""
}

@Suite struct `Slow statements` {
  private final class Found: Sendable {
    let all = Mutex<[(statement: SlowStatement, room: String)]>([])

    var texts: [String] { all.withLock { $0.map(\.statement.text) } }
  }

  /// Long enough on any machine, whatever it counts.
  private static let counting: SQL = """
    WITH RECURSIVE n (i) AS (
      SELECT CAST(1 AS \(.integer)) UNION ALL SELECT i + 1 FROM n WHERE i < \(300_000))
    SELECT count(*) FROM n WHERE i > \(7) AND i NOT IN (\([11, 12, 13]))
    """

  private func settings(_ limit: Duration?, _ found: Found) -> StoreSettings {
    var settings = StoreSettings.forTests
    settings.slowAfter = limit
    settings.tellSlow = { statement in
      found.all.withLock { $0.append((statement, Room.name)) }
    }
    return settings
  }

  @Test(arguments: Engine.allCases)
  func `Slow statements are told with their text, without values, in the task that asked`(
    engine: Engine
  ) async throws {
    let found = Found()
    try await withStore(engine, settings(.milliseconds(5), found)) { store in
      found.all.withLock { $0 = [] }
      try await Room.$name.withValue("reading room") {
        let count = try await store.read { tx throws(DatabaseError) -> Int in
          try tx.value(Self.counting)
        }
        #expect(count == 300_000 - 7 - 3)
      }
    }
    let (statement, room) = try #require(found.all.withLock { $0.first })
    #expect(room == "reading room")
    #expect(statement.took >= .milliseconds(5))
    #expect(statement.text.hasPrefix("WITH RECURSIVE n (i) AS ( SELECT CAST(1 AS "))
    #expect(statement.text.hasSuffix("WHERE i > ? AND i NOT IN (?, …)"))
    #expect(!statement.text.contains("300"))
  }

  @Test(arguments: Engine.allCases)
  func `Slow statements are told of writes, too, and of bulks by their table`(engine: Engine)
    async throws
  {
    let found = Found()
    try await withStore(engine, settings(.zero, found)) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("CREATE TABLE shelf (name \(.text) NOT NULL)\(.strictTable)")
        try tx.insert(into: "shelf", columns: ["name"], rows: ["hidden"]) {
          name, row throws(DatabaseError) in try row.append(name)
        }
        try tx.execute("UPDATE shelf SET name = \("secret") WHERE name = \("hidden")")
      }
    }
    let texts = found.texts
    #expect(texts.contains("INSERT INTO shelf"))
    #expect(texts.contains("UPDATE shelf SET name = ? WHERE name = ?"))
    #expect(!texts.contains { $0.contains("hidden") || $0.contains("secret") })
  }

  @Test(arguments: Engine.allCases)
  func `Slow statements are nobody's business where nobody asked`(engine: Engine) async throws {
    let found = Found()
    try await withStore(engine, settings(nil, found)) { store in
      _ = try await store.read { tx throws(DatabaseError) -> Int in try tx.value("SELECT 1") }
    }
    #expect(found.texts.isEmpty)
  }

  @Test(arguments: Engine.allCases)
  func `Slow statements pools tell how busy they are`(engine: Engine) async throws {
    try await withStore(engine) { store in
      _ = try await store.write { tx throws(DatabaseError) in
        try tx.execute("CREATE TABLE t (a \(.integer))")
      }
      let pools = store.pools
      #expect(pools.map(\.name) == (engine == .sqlite ? ["readers", "writer"] : ["all"]))
      #expect(pools.allSatisfy { $0.busy == 0 && $0.waiting == 0 && $0.limit >= $0.open })
      #expect(pools.reduce(0) { $0 + $1.open } >= 1)
    }
  }
}
