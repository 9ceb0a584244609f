package import Catalog
package import Circulation
package import Database
import Matching
import ReadingLists

extension Wishes {
  /// Looks which works the wishes are: those that were never looked for, and, where something came
  /// to the catalogue, those that were not found or not for sure. What the reader decided stands.
  /// Tells how many were looked for.
  @discardableResult
  package func recognize(in catalog: Catalog) async throws(DatabaseError) -> Int {
    let stamp = try await catalog.recognitionStamp()
    let open = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT w.given, \(Wish.columns) FROM wish w JOIN wish_list l ON l.list = w.list
        WHERE w.decided = 0 AND w.stamp <> \(stamp) AND w.match <> 'sure' ORDER BY w.id
        """
      ) { row throws(DatabaseError) in try OpenWish(row) }
    }
    for part in open.parts(of: 2000) {
      let given = try await catalog.moved(part.compactMap(\.given))
      let sought = part.filter { $0.given == nil }
      let found = try await catalog.recognize(sought.map(\.candidate))
      let answers = Dictionary(
        zip(sought.map(\.id), found), uniquingKeysWith: { first, _ in first })
      try await store.write { tx throws(DatabaseError) in
        for wish in part {
          let match: WishMatch
          if let work = wish.given {
            match = .sure(given[work] ?? work)
          } else {
            match = answers[wish.id].map { WishMatch($0) } ?? .none
          }
          try tx.note(match, of: wish.id, version: wish.version, stamp: stamp)
        }
      }
    }
    try await followMoves(in: catalog)
    return open.count
  }

  /// A work that became part of another: what was heard of it is heard of the other.
  private func followMoves(in catalog: Catalog) async throws(DatabaseError) {
    let works = try await store.read { snapshot throws(DatabaseError) -> [WorkID] in
      try snapshot.rows("SELECT DISTINCT work FROM wish WHERE work IS NOT NULL") {
        row throws(DatabaseError) in WorkID(try row[0])
      }
    }
    let moved = try await catalog.moved(works)
    guard !moved.isEmpty else { return }
    try await store.write { tx throws(DatabaseError) in
      for (old, new) in moved.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        try tx.execute(
          """
          UPDATE wish SET work = \(new.rawValue), version = version + 1
          WHERE work = \(old.rawValue)
          """)
      }
    }
  }

  /// The reader's word: this work, or nil for none. It is never asked again unless the book changes.
  package func decide(
    _ work: WorkID?, for wish: String, of patron: PatronID
  ) async throws(DatabaseError) {
    let word = work == nil ? "none" : "sure"
    try await store.write { tx throws(DatabaseError) in
      // Another work has another story; the same one goes on with its own.
      try tx.execute(
        """
        UPDATE wish SET state = 'unknown', seen_at = NULL, since = NULL, done_turn = turn
        WHERE id = \(wish) AND patron = \(patron.rawValue)
          AND COALESCE(work, '') <> \(work?.rawValue ?? "")
        """)
      try tx.execute(
        """
        UPDATE wish SET match = \(word), work = \(work?.rawValue), choices = '', decided = 1,
          version = version + 1
        WHERE id = \(wish) AND patron = \(patron.rawValue)
        """)
    }
  }
}

/// A wish that is looked for.
private struct OpenWish: Sendable {
  let id: String
  let version: Int64
  let given: WorkID?
  let candidate: Candidate

  init(_ row: borrowing Row) throws(DatabaseError) {
    let given: String? = try row[0]
    self.given = given.map { WorkID($0) }
    id = try row[1]
    var candidate = Candidate(title: try row[5], authors: Words.parts(try row[6]))
    candidate.isbns = Words.parts(try row[7]).compactMap { ISBN($0) }
    self.candidate = candidate
    version = try row[21]
  }
}

extension WishMatch {
  fileprivate init(_ recognition: Recognition) {
    switch recognition {
    case .sure(let work): self = .sure(work)
    case .unsure(let choices):
      self = .unsure(
        choices.map {
          WishChoice(work: $0.work, score: $0.score, why: $0.why.joined(separator: "; "))
        })
    case .none: self = .none
    }
  }
}

extension Transaction {
  fileprivate func note(
    _ match: WishMatch, of id: String, version: Int64, stamp: String
  ) throws(DatabaseError) {
    var choices: [WishChoice] = []
    if case .unsure(let found) = match { choices = found }
    try execute(
      """
      UPDATE wish SET match = \(match.word), work = \(match.work?.rawValue),
        choices = \(WishChoice.written(choices)), stamp = \(stamp), version = version + 1
      WHERE id = \(id) AND version = \(version)
      """)
  }
}
