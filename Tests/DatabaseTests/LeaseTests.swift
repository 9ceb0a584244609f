import Database
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Rows can be claimed by workers` {
  @Test(arguments: Engine.allCases)
  func `concurrent workers claim each row once`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        for number in 0..<30 { try tx.add("job \(number)") }
      }
      let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<10 {
          group.addTask {
            var claimed: [String] = []
            while let name = try await Self.claim(in: store) { claimed.append(name) }
            return claimed
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(claimed.count == 30)
      #expect(Set(claimed).count == 30)
    }
  }

  @Test
  func `a worker claims the next row without waiting for one that is being claimed`() async throws {
    try await withCounters(.postgres) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.add("a")
        try tx.add("b")
      }
      let other = Box<String?>(nil)
      let mine = try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
        let mine = try Self.claim(in: tx)
        blocking { other.set(try? await Self.claim(in: store)) }
        return mine
      }
      #expect(mine == "a" && other.value == "b")
    }
  }

  private static func claim(in store: Store) async throws(DatabaseError) -> String? {
    try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
      try claim(in: tx)
    }
  }

  private static func claim(in tx: Transaction) throws(DatabaseError) -> String? {
    try tx.first(
      """
      UPDATE counter SET number = 1 WHERE name = (
        SELECT name FROM counter WHERE number = 0 ORDER BY name LIMIT 1\(.skippingLocked))
      RETURNING name
      """
    ) { row throws(DatabaseError) in try row[0] }
  }
}
