import StoreSupport
import TestSupport
import Testing

@testable import Database

/// How often a PostgreSQL server is waited for: each time costs two threads a turn of the machine.
@Suite struct `The way to a server and back` {
  @Test func `a read with one query takes one round trip, and each further query one more`()
    async throws
  {
    try await onWire { wire throws in
      // Beginning, preparing and asking go out together.
      for count in [1, 0, 1, 2, 3] { #expect(try wire.reading(count) == count) }
      for count in [3, 2, 3] { #expect(try wire.readingList(of: count) == 1) }
    }
  }

  @Test func `a write takes one round trip for each statement and one to commit`() async throws {
    try await onWire { wire throws in
      #expect(try wire.writing([]) == 0)
      #expect(try wire.writing(["CREATE TABLE kept (id \(.integer) PRIMARY KEY)"]) == 2)
      #expect(try wire.writing(["INSERT INTO kept VALUES (\(1))"]) == 2)
      #expect(
        try wire.writing(["INSERT INTO kept VALUES (\(2))", "INSERT INTO kept VALUES (\(3))"]) == 3)
      #expect(try wire.reading(1) == 1)
    }
  }

  @Test func `all queries of a read transaction on PostgreSQL see the same state`()
    async throws
  {
    try await Engine.postgres.withAddress { address in
      try await withStore(at: try Location(address)) { store in
        try await store.write { tx throws(DatabaseError) in
          try tx.execute("CREATE TABLE seen (id \(.integer) PRIMARY KEY)")
        }
        let counts = try await store.read { snapshot throws(DatabaseError) -> [Int] in
          let first: Int = try snapshot.value("SELECT count(*) FROM seen")
          blocking {
            _ = try? await store.write { tx throws(DatabaseError) in
              try tx.execute("INSERT INTO seen VALUES (1)")
            }
          }
          return [first, try snapshot.value("SELECT count(*) FROM seen")]
        }
        #expect(counts == [0, 0])
        let after: Int = try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT count(*) FROM seen")
        }
        #expect(after == 1)
      }
    }
  }

  @Test func `a transaction that fails on its first query does not affect the next one`()
    async throws
  {
    try await onWire { wire throws in
      for _ in 0..<2 {
        #expect(try wire.failing("SELECT 1 / \(0)") == .sqlState("22012"))
        #expect(try wire.failing("SELECT nothing FROM nowhere") == .sqlState("42P01"))
        #expect(try wire.reading(2) == 2)
      }
    }
  }

  private func onWire(_ body: @Sendable (Wire) throws -> Void) async throws {
    try await Engine.postgres.withAddress { address in try Self.connect(address, body) }
  }

  private static func connect(_ address: String, _ body: (Wire) throws -> Void) throws {
    guard case .postgres(let server) = try Location(address) else { return }
    let call = Interruption(deadline: .now + .seconds(60), patience: .seconds(1))
    let session = try PostgresSession.connected(to: server, .forTests, call)
    session.enter(call)
    defer { session.leave() }
    try body(Wire(session: session))
  }
}

/// Transactions one after the other on one connection; each tells how often the server was waited for.
private struct Wire {
  let session: PostgresSession

  func reading(_ questions: Int) throws(DatabaseError) -> Int {
    let before = session.wire.exchanges
    try session.begin(.reading)
    for number in 0..<questions { try ask("SELECT 1 + \(number)") }
    session.rollback()
    return session.wire.exchanges - before
  }

  /// A statement whose text is another one with each length, which is not kept.
  func readingList(of count: Int) throws(DatabaseError) -> Int {
    let before = session.wire.exchanges
    try session.begin(.reading)
    try ask("SELECT 1 WHERE 2 IN (\(Array(0..<count)))")
    session.rollback()
    return session.wire.exchanges - before
  }

  func writing(_ statements: [SQL]) throws(DatabaseError) -> Int {
    let before = session.wire.exchanges
    try session.begin(.writing(.serializable))
    for statement in statements { try ask(statement) }
    try session.commit()
    return session.wire.exchanges - before
  }

  /// The code that the server gives for what is wrong; nil where nothing is.
  func failing(_ query: SQL) throws(DatabaseError) -> DatabaseError.EngineCode? {
    try session.begin(.reading)
    defer { session.rollback() }
    do throws(DatabaseError) { try ask(query) } catch { return error.code }
    return nil
  }

  private func ask(_ query: SQL) throws(DatabaseError) {
    _ = try session.run(query) { _ throws(DatabaseError) in .next }
  }
}
