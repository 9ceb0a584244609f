package import Circulation
import Database

/// Files that went to a reader's own devices. An app that keeps places by the digest of a file (§12)
/// means a work by it, which is known only to whoever handed the file out.
extension Positions {
  /// By any of these digests the reader's devices may call the work from now on.
  package func note(
    _ digests: [String], of work: WorkID, for patron: PatronID
  ) async throws(PositionError) {
    let (now, most) = (now(), settings.mostDocuments * 2)
    try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        for digest in digests {
          try tx.execute(
            """
            INSERT INTO reading_document (patron, digest, work, noted_at)
            VALUES (\(patron.rawValue), \(digest), \(work.rawValue), \(now))
            ON CONFLICT (patron, digest) DO UPDATE SET work = excluded.work,
              noted_at = excluded.noted_at
            """)
        }
        let count = try tx.value(
          "SELECT count(*) FROM reading_document WHERE patron = \(patron.rawValue)", as: Int.self)
        guard count > most else { return }
        try tx.execute(
          """
          DELETE FROM reading_document WHERE patron = \(patron.rawValue) AND digest IN (
            SELECT digest FROM reading_document WHERE patron = \(patron.rawValue)
            ORDER BY noted_at, digest LIMIT \(count - most))
          """)
      }
    }
  }

  /// Nil for a file that came from elsewhere.
  package func work(
    of digest: String, for patron: PatronID
  ) async throws(PositionError) -> WorkID? {
    guard !digest.utf8.contains(0) else { throw .unsound }
    let work = try await database { () throws(DatabaseError) in
      try await store.read { snapshot throws(DatabaseError) in
        try snapshot.first(
          """
          SELECT work FROM reading_document
          WHERE patron = \(patron.rawValue) AND digest = \(digest)
          """
        ) { row throws(DatabaseError) -> String in try row[0] }
      }
    }
    return work.map { WorkID($0) }
  }
}
