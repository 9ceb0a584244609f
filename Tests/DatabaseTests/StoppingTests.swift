import Database
import StoreSupport
import TestSupport
import Testing

/// Counts for longer than any test wants to wait.
private let endless: SQL = """
  WITH RECURSIVE n (i) AS (SELECT CAST(1 AS \(.integer)) UNION ALL SELECT i + 1 FROM n)
  SELECT count(*) FROM n WHERE i < 0
  """

@Suite(.timeLimit(.minutes(2))) struct `A call can be stopped` {
  @Test(arguments: Engine.allCases)
  func `a long database statement ends at its deadline`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read(by: .now + .milliseconds(100)) { snapshot throws(DatabaseError) in
          try snapshot.value(endless, as: Int.self)
        }
      }
      #expect(found == .deadlineExceeded)
      try await store.expectAnswers()
    }
  }

  @Test(arguments: Engine.allCases)
  func `a long database statement ends when its task is canceled`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let started = Gate()
      let task = Task {
        try await store.read(by: .now + .seconds(100)) { snapshot throws(DatabaseError) in
          started.open()
          return try snapshot.value(endless, as: Int.self)
        }
      }
      await started.wait()
      task.cancel()
      #expect(await reason { try await task.value } == .cancelled)
      try await store.expectAnswers()
    }
  }

  @Test
  func `a canceled statement stops on the database server too`() async throws {
    try await withStore(.postgres) { store in
      let running: SQL = """
        SELECT count(*) FROM pg_stat_activity
        WHERE state = 'active' AND query LIKE '%pg_sleep(1000)%' AND pid <> pg_backend_pid()
          AND datname = current_database()
        """
      let task = Task {
        try await store.read(by: .now + .seconds(100)) { snapshot throws(DatabaseError) in
          try snapshot.first("SELECT 1 FROM (SELECT pg_sleep(1000)) AS s") {
            _ throws(DatabaseError) in 1
          }
        }
      }
      while try await store.count(running) == 0 { await Task.yield() }
      task.cancel()
      #expect(await reason { try await task.value } == .cancelled)
      while try await store.count(running) > 0 { await Task.yield() }
    }
  }

  /// The server's answer and the order to stop cross each other. Here the statement outlives the order.
  @Test
  func `a canceled transaction holds no row when its last statement had already succeeded`()
    async throws
  {
    try await withCounters(.postgres) { store in
      try await store.write { tx throws(DatabaseError) in try tx.add("row") }
      let other = try await Store.open(store.location, .forTests)
      let held = Gate()
      let task = Task {
        try await store.write(by: .now + .seconds(100)) { tx throws(DatabaseError) in
          try tx.execute("UPDATE counter SET number = 1 WHERE name = 'row'")
          held.open()
          try tx.execute(
            """
            DO $$ BEGIN PERFORM pg_sleep(1000); EXCEPTION WHEN query_canceled THEN NULL; END $$
            """)
        }
      }
      await held.wait()
      while try await other.count(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND datname = current_database()
        """) == 0
      { await Task.yield() }
      task.cancel()
      #expect(await reason { try await task.value } == .cancelled)
      try await other.write(by: .now + .seconds(5)) { tx throws(DatabaseError) in
        try tx.execute("UPDATE counter SET number = 2 WHERE name = 'row'")
      }
      await other.close()
    }
  }

  @Test(arguments: Engine.allCases)
  func `A call can be stopped cancelling between statements rolls back`(engine: Engine) async throws
  {
    try await withCounters(engine) { store in
      let (started, release) = (Gate(), Gate())
      let task = Task {
        try await store.write { tx throws(DatabaseError) in
          try tx.add("undone")
          started.open()
          release.wait()
        }
      }
      await started.wait()
      task.cancel()
      release.open()
      #expect(await reason { try await task.value } == .cancelled)
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a database call in a canceled task does nothing`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await store.write { tx throws(DatabaseError) in try tx.add("never") }
      }
      task.cancel()
      #expect(await reason { try await task.value } == .cancelled)
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `waiting for a database connection ends at the deadline or when canceled`(engine: Engine)
    async throws
  {
    var settings = StoreSettings.forTests
    settings.connections = 1
    try await withStore(engine, settings) { store in
      let (started, release) = (Gate(), Gate())
      async let busy: Void = store.write { _ throws(DatabaseError) in
        started.open()
        release.wait()
      }
      await started.wait()
      let late = await reason {
        try await store.write(by: .now + .milliseconds(20)) { _ throws(DatabaseError) in }
      }
      #expect(late == .deadlineExceeded)
      let task = Task { try await store.write { _ throws(DatabaseError) in } }
      while store.waitingWriters == 0 { await Task.yield() }
      task.cancel()
      #expect(await reason { try await task.value } == .cancelled)
      release.open()
      try await busy
      try await store.expectAnswers()
    }
  }

  @Test(arguments: Engine.allCases)
  func `a database call with a deadline in the past does nothing`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.write(by: .now - .seconds(1)) { tx throws(DatabaseError) in
          try tx.add("never")
        }
      }
      #expect(found == .deadlineExceeded)
      try await store.expectNames([])
    }
  }
}

extension Store {
  func count(_ sql: SQL) async throws(DatabaseError) -> Int {
    try await read { snapshot throws(DatabaseError) in try snapshot.value(sql) }
  }
}
