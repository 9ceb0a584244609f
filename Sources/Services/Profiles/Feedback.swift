package import Circulation
package import Database

/// What a reader wants whoever runs the gateway to know.
package struct Feedback: Sendable, Hashable {
  package let number: Int64
  package let patron: PatronID
  package let text: String
  /// Where an answer may go; the reader gave it for that.
  package let answerTo: String?
  package let at: Int64
  /// Whether it went out by mail, too.
  package let isMailed: Bool
}

extension Profiles {
  package static let longestFeedback = 5_000
  /// Of one reader in a day: it is a letter, and no chat.
  package static let mostInADay = 20

  /// Nil where the reader has said enough for today.
  package func leave(
    _ text: String, answerTo: String?, of patron: PatronID
  ) async throws(DatabaseError) -> Feedback? {
    let now = now()
    return try await store.write { tx throws(DatabaseError) -> Feedback? in
      let today = try tx.value(
        """
        SELECT count(*) FROM profile_feedback
        WHERE patron = \(patron.rawValue) AND at > \(now - 86_400_000)
        """, as: Int.self)
      guard today < Self.mostInADay else { return nil }
      return try tx.one(
        """
        INSERT INTO profile_feedback (patron, said, answer_to, at, mailed)
        VALUES (\(patron.rawValue), \(text), \(answerTo), \(now), \(false))
        RETURNING \(Feedback.columns)
        """, Feedback.init(row:))
    }
  }

  package func noteMailed(_ feedback: Feedback) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      _ = try tx.execute(
        "UPDATE profile_feedback SET mailed = \(true) WHERE number = \(feedback.number)")
    }
  }

  /// The newest first.
  package func feedback(limit: Int = 500) async throws(DatabaseError) -> [Feedback] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(Feedback.columns) FROM profile_feedback ORDER BY number DESC LIMIT \(limit)
        """, Feedback.init(row:))
    }
  }
}

extension Feedback {
  fileprivate static let columns: SQL = "number, patron, said, answer_to, at, mailed"

  fileprivate init(row: borrowing Row) throws(DatabaseError) {
    self.init(
      number: try row[0], patron: PatronID(try row[1]), text: try row[2], answerTo: try row[3],
      at: try row[4], isMailed: try row[5])
  }
}
