package import Database

/// How work of one kind stands, all its subjects together.
package struct JobTally: Sendable, Hashable {
  package let kind: JobKind
  /// When one of them last ended well, in milliseconds since 1970.
  package let succeededAt: Int64?
  /// How many went wrong when they were last done.
  package let failing: Int
  /// How many of them went wrong several times in a row.
  package let failingRepeatedly: Int

  /// A service that is away for a moment fails once or twice.
  package static let severalTimes = 3
}

extension Schedule {
  package func tallies(of kinds: [JobKind]) async throws(DatabaseError) -> [JobTally] {
    try await store.read { tx throws(DatabaseError) in
      try tx.rows(
        """
        SELECT kind, max(CASE WHEN outcome = 'done' THEN ended_at END),
          sum(CASE WHEN failures > 0 THEN 1 ELSE 0 END),
          sum(CASE WHEN failures >= \(JobTally.severalTimes) THEN 1 ELSE 0 END)
        FROM schedule_job WHERE kind IN (\(kinds.map(\.rawValue))) GROUP BY kind ORDER BY kind
        """
      ) { row throws(DatabaseError) in
        JobTally(
          kind: JobKind(rawValue: try row[0]), succeededAt: try row[1], failing: try row[2],
          failingRepeatedly: try row[3])
      }
    }
  }
}
