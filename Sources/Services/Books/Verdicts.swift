package import Circulation
package import Database
import Desk

/// What a reader says of a book once it was read. It outlives the loan and the file.
package struct Verdict: Sendable, Hashable {
  package let key: BookKey
  package var face: BookFace
  /// From 1 to 5.
  package var rating: Int?
  /// The day, as `2026-11-22`; a year or a month where no more is known.
  package var finished: String?
  package var saidAt: Int64
}

extension MyBooks {
  /// Adds to what was said; nil leaves what stands.
  package func say(
    _ key: BookKey, _ face: BookFace, rating: Int? = nil, finished: String? = nil,
    of patron: PatronID
  ) async throws(DatabaseError) -> Verdict {
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      try tx.one(
        """
        INSERT INTO book_verdict (patron, library, item, title, authors, rating, finished, said_at)
        VALUES (\(patron.rawValue), \(key.library.rawValue), \(key.item.rawValue),
          \(Line.clean(face.title)), \(Line.lines(face.authors)), \(rating), \(finished), \(now))
        ON CONFLICT (patron, library, item) DO UPDATE SET title = excluded.title,
          authors = excluded.authors,
          rating = COALESCE(excluded.rating, book_verdict.rating),
          finished = COALESCE(excluded.finished, book_verdict.finished),
          said_at = excluded.said_at
        RETURNING \(Verdict.columns)
        """, Verdict.init(row:))
    }
  }

  /// The latest first.
  package func verdicts(of patron: PatronID) async throws(DatabaseError) -> [Verdict] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(Verdict.columns) FROM book_verdict WHERE patron = \(patron.rawValue)
        ORDER BY said_at DESC, library, item
        """, Verdict.init(row:))
    }
  }
}

extension Verdict {
  static let columns: SQL = "library, item, title, authors, rating, finished, said_at"

  init(row: borrowing Row) throws(DatabaseError) {
    key = BookKey(LibraryID(try row[0]), ItemID(try row[1]))
    face = BookFace(title: try row[2], authors: Line.parts(try row[3]))
    rating = try row[4]
    finished = try row[5]
    saidAt = try row[6]
  }
}
