package import Database

/// How much there is on all shelves together, for whoever watches the house: numbers, and nobody's.
package struct ShelfCensus: Sendable, Hashable {
  package var loans = 0
  /// By the word for how they stand.
  package var holds: [String: Int] = [:]
  /// Commands of which nobody knows yet what became of them.
  package var doubts = 0
}

extension Desk {
  package func census() async throws(DatabaseError) -> ShelfCensus {
    try await store.read { tx throws(DatabaseError) in
      var census = ShelfCensus()
      census.loans = try tx.value("SELECT count(*) FROM desk_loan")
      let holds = try tx.rows("SELECT status, count(*) FROM desk_hold GROUP BY status") {
        row throws(DatabaseError) -> (String, Int) in (try row[0], try row[1])
      }
      census.holds = Dictionary(holds, uniquingKeysWith: +)
      census.doubts = try tx.value("SELECT count(*) FROM desk_intent WHERE state = 'open'")
      return census
    }
  }
}
