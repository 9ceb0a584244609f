import Database
import StoreSupport
import TestSupport
import Testing

/// A table of one number per name, for tests about transactions.
let counters: SQL = """
  CREATE TABLE counter (name \(.text) NOT NULL PRIMARY KEY, number \(.integer) NOT NULL,
    CONSTRAINT counter_not_negative CHECK (number >= 0))\(.strictTable)
  """

extension Snapshot {
  func names() throws(DatabaseError) -> [String] {
    try rows("SELECT name FROM counter ORDER BY name") { row throws(DatabaseError) in try row[0] }
  }
}

extension Transaction {
  func add(_ name: String, _ number: Int = 0) throws(DatabaseError) {
    try execute("INSERT INTO counter (name, number) VALUES (\(name), \(number))")
  }
}

@Suite struct `A transaction is kept whole or not at all` {
  struct Refusal: Error, Equatable { let word: String }

  @Test(arguments: Engine.allCases)
  func `the writes of a transaction are stored after it ends`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in try tx.add("a") }
      try await store.expectNames(["a"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an error thrown in a transaction undoes all its writes`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          try tx.add("a")
          throw DatabaseError.forTests
        }
      }
      #expect(found == DatabaseError.forTests.reason)
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a refusal undoes the transaction and is its result`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let answer: Result<Int, Refusal> = try await store.decide { tx throws(DatabaseError) in
        try tx.add("a")
        return .failure(Refusal(word: "no"))
      }
      #expect(answer == .failure(Refusal(word: "no")))
      try await store.expectNames([])
      let consent: Result<Int, Refusal> = try await store.decide { tx throws(DatabaseError) in
        try tx.add("b")
        return .success(1)
      }
      #expect(consent == .success(1))
      try await store.expectNames(["b"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a transaction with a swallowed statement failure is not committed`(engine: Engine)
    async throws
  {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          try tx.add("a")
          do throws(DatabaseError) { try tx.add("b", -1) } catch {}
        }
      }
      #expect(found == .constraint(.check, name: "counter_not_negative"))
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a transaction accepts no statement after a failed one`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          do throws(DatabaseError) { try tx.add("b", -1) } catch {}
          try tx.add("c")
        }
      }
      #expect(found == .transactionFailed)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a failed savepoint undoes only its own writes`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.add("a")
        do throws(DatabaseError) {
          try tx.savepoint { tx throws(DatabaseError) in
            try tx.add("b")
            try tx.add("a")
          }
        } catch {
          #expect(error.reason.isUniqueConstraint)
        }
        try tx.savepoint { tx throws(DatabaseError) in try tx.add("c") }
      }
      try await store.expectNames(["a", "c"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A transaction is kept whole or not at all savepoints nest`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.savepoint { tx throws(DatabaseError) in
          try tx.add("outer")
          do throws(DatabaseError) {
            try tx.savepoint { tx throws(DatabaseError) in
              try tx.add("inner")
              try tx.savepoint { tx throws(DatabaseError) in try tx.add("innermost") }
              throw DatabaseError.forTests
            }
          } catch {}
          try tx.add("after")
        }
      }
      try await store.expectNames(["after", "outer"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a failure swallowed inside a savepoint fails the savepoint`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.add("a")
        do throws(DatabaseError) {
          try tx.savepoint { tx throws(DatabaseError) in
            try tx.add("b")
            do throws(DatabaseError) { try tx.add("a") } catch {}
          }
          Issue.record("the savepoint was kept")
        } catch {}
      }
      try await store.expectNames(["a"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a decoding error does not fail the transaction`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.add("a")
        do throws(DatabaseError) {
          let _: Int = try tx.value("SELECT name FROM counter")
        } catch {}
        try tx.add("b")
      }
      try await store.expectNames(["a", "b"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a read transaction cannot write`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.rows("INSERT INTO counter (name, number) VALUES ('a', 1) RETURNING name") {
            row throws(DatabaseError) -> String in try row[0]
          }
        }
      }
      #expect(found == .readOnly)
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a read transaction sees one state while others write`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let (before, after) = try await store.read { snapshot throws(DatabaseError) in
        let before = try snapshot.names()
        blocking { _ = try? await store.write { tx throws(DatabaseError) in try tx.add("late") } }
        return (before, try snapshot.names())
      }
      #expect(before == [] && after == [])
      try await store.expectNames(["late"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A transaction is kept whole or not at all readers do not wait for an open write`(
    engine: Engine
  ) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.add("unseen")
        let seen = Box<[String]>([])
        blocking {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
              group.addTask { seen.set((try? await store.names()) ?? ["failed"]) }
            }
          }
        }
        #expect(seen.value == [])
      }
      try await store.expectNames(["unseen"])
    }
  }
}

extension Store {
  func names() async throws(DatabaseError) -> [String] {
    try await read { snapshot throws(DatabaseError) in try snapshot.names() }
  }
}

extension Store {
  func expectNames(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let found = try await self.names()
    #expect(found == names, sourceLocation: sourceLocation)
  }

  /// Both the reading and the writing side work.
  func expectAnswers(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let one = try await read { snapshot throws(DatabaseError) in
      try snapshot.value("SELECT 1", as: Int.self)
    }
    let two = try await write { tx throws(DatabaseError) in try tx.value("SELECT 2", as: Int.self) }
    #expect((one, two) == (1, 2), sourceLocation: sourceLocation)
  }
}

extension DatabaseError {
  /// Some error of the database's own type, got the honest way: from a column that is not there.
  static let forTests = DatabaseError.ofMissingColumn()

  private static func ofMissingColumn() -> DatabaseError {
    do throws(DatabaseError) {
      _ = try Location("nonsense://")
    } catch { return error }
    preconditionFailure("an unknown scheme must be refused")
  }
}

extension DatabaseError.Reason {
  var isUniqueConstraint: Bool {
    if case .constraint(.unique, _) = self { true } else { false }
  }
}

func withCounters<R>(_ engine: Engine, _ body: (Store) async throws -> R) async throws -> R {
  try await withStore(engine) { store in
    try await store.write { tx throws(DatabaseError) in try tx.execute(counters) }
    return try await body(store)
  }
}
