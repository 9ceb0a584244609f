import Database
import StoreSupport
import TestSupport
import Testing

/// Another program at work on the same SQLite file: the `sqlite3` shell, holding what it is told to.
private func withLockedFile<R>(
  _ statement: String, _ patience: Duration, _ body: (Store, RunningProcess) async throws -> R
) async throws -> R {
  try await withTemporaryFolder { folder in
    let path = folder.path("a.db")
    var settings = StoreSettings.forTests
    settings.patience = patience
    return try await withStore(at: .sqlite(path: path), settings) { store in
      try await store.write { tx throws(DatabaseError) in try tx.execute(counters) }
      let shell = try RunningProcess("sqlite3", [path])
      try shell.write("\(statement); SELECT 'held';\n")
      #expect(try await shell.nextLine() == "held")
      return try await body(store, shell)
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A lock that another process holds` {
  @Test
  func `A lock that another process holds is waited for, then reported as busy`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .milliseconds(100)) { store, _ in
      let found = await failure {
        try await store.write { tx throws(DatabaseError) in try tx.add("a") }
      }
      #expect(found?.reason == .busy)
      #expect(found?.code == .sqlite(5))
    }
  }

  @Test
  func `A lock that another process holds does not keep readers from reading`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .milliseconds(100)) { store, _ in
      try await store.expectNames([])
    }
  }

  @Test
  func `another process's write lock does not keep a program from starting to read`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .milliseconds(100)) { store, _ in
      try await withStore(at: store.location) { other in try await other.expectNames([]) }
    }
  }

  @Test
  func `A lock that another process holds does not make a migration give up early`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .milliseconds(10)) { store, shell in
      async let migrating = store.migrate([MigrationList("desk", [])], at: 1)
      // Long enough for the patience of ordinary writes to have ended.
      let other = await reason {
        try await withStore(at: store.location, .impatient) { other in
          try await other.write { tx throws(DatabaseError) in try tx.add("a") }
        }
      }
      #expect(other == .busy)
      try shell.write("COMMIT;\n")
      _ = try await migrating
    }
  }

  @Test
  func `A lock that another process holds is taken as soon as it is free`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .seconds(60)) { store, shell in
      async let write: Void = store.write { tx throws(DatabaseError) in try tx.add("a") }
      try shell.write("INSERT INTO counter VALUES ('theirs', 1); COMMIT;\n")
      try await write
      try await store.expectNames(["a", "theirs"])
    }
  }

  @Test
  func `A lock that another process holds is not waited for beyond the deadline`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .seconds(60)) { store, _ in
      let found = await reason {
        try await store.write(by: .now + .milliseconds(50)) { tx throws(DatabaseError) in
          try tx.add("a")
        }
      }
      #expect(found == .deadlineExceeded)
    }
  }

  @Test
  func `A lock that another process holds is not waited for by a cancelled task`() async throws {
    try await withLockedFile("BEGIN IMMEDIATE", .seconds(60)) { store, _ in
      let task = Task {
        try await store.write(by: .now + .seconds(60)) { tx throws(DatabaseError) in
          try tx.add("a")
        }
      }
      await Task.yield()
      task.cancel()
      #expect(await reason { try await task.value } == .cancelled)
    }
  }

  @Test
  func `a program cannot open a SQLite file that another process has locked exclusively`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder.path("a.db")
      let shell = try RunningProcess("sqlite3", [path])
      try shell.write("CREATE TABLE t (a); BEGIN EXCLUSIVE; SELECT 'held';\n")
      #expect(try await shell.nextLine() == "held")
      var settings = StoreSettings.forTests
      settings.patience = .milliseconds(100)
      let found = await reason { try await Store.open(.sqlite(path: path), settings) }
      #expect(found == .busy)
      shell.closeInput()
      _ = try await shell.waitForEnd()
    }
  }
}

extension StoreSettings {
  fileprivate static var impatient: StoreSettings {
    var settings = StoreSettings.forTests
    settings.patience = .milliseconds(100)
    return settings
  }
}
