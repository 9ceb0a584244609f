import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Rows can be walked one by one` {
  private static let numbers: SQL = """
    WITH RECURSIVE n (i) AS (
      SELECT CAST(1 AS \(.integer)) UNION ALL SELECT i + 1 FROM n WHERE i < \(5000))
    SELECT i FROM n WHERE i > \(0)
    """

  @Test(arguments: Engine.allCases)
  func `a query streams all of its rows in order`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let sum = try await store.read { snapshot throws(DatabaseError) in
        var (last, sum) = (0, 0)
        try snapshot.forEach(Self.numbers) { row throws(DatabaseError) in
          let number: Int = try row[0]
          #expect(number == last + 1)
          (last, sum) = (number, sum + number)
          return .next
        }
        return sum
      }
      #expect(sum == 5000 * 5001 / 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Rows can be walked one by one: until told to stop`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let (count, after) = try await store.read { snapshot throws(DatabaseError) in
        var count = 0
        try snapshot.forEach(Self.numbers) { _ throws(DatabaseError) in
          count += 1
          return count == 300 ? .stop : .next
        }
        return (count, try snapshot.value("SELECT 1", as: Int.self))
      }
      #expect((count, after) == (300, 1))
    }
  }

  @Test(arguments: Engine.allCases)
  func `an error while streaming rows ends the stream and not the transaction`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let after = try await store.read { snapshot throws(DatabaseError) in
        do throws(DatabaseError) {
          try snapshot.forEach(Self.numbers) { row throws(DatabaseError) in
            let _: String = try row[0]
            return .next
          }
          Issue.record("an integer was read as a text")
        } catch {}
        return try snapshot.value("SELECT 1", as: Int.self)
      }
      #expect(after == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Rows can be walked one by one: other statements, and the same walk, may run inside`(
    engine: Engine
  ) async throws {
    try await withCounters(engine) { store in
      let pairs = try await store.write { tx throws(DatabaseError) in
        var pairs = 0
        try tx.forEach(Self.numbers) { outer throws(DatabaseError) in
          let number: Int = try outer[0]
          try tx.add("n\(number)")
          try tx.forEach(Self.numbers) { inner throws(DatabaseError) in
            pairs += 1
            let other: Int = try inner[0]
            return other == number ? .stop : .next
          }
          return number == 20 ? .stop : .next
        }
        return pairs
      }
      #expect(pairs == 20 * 21 / 2)
      #expect(try await store.names().count == 20)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a statement may run again inside the loop over its own rows`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = try await store.read { snapshot throws(DatabaseError) in
        let query: SQL = "SELECT \(3)"
        return try snapshot.rows(query) { outer throws(DatabaseError) -> Int in
          let inner: Int = try snapshot.value(query)
          let outer: Int = try outer[0]
          return inner * outer
        }
      }
      #expect(found == [9])
    }
  }
}
