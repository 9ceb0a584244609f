package import Circulation
package import Database

/// Which works the books are that came from elsewhere: others find them by looking, and keep that here
/// beside the lists, so that nobody's word on a book is touched by a guess.
extension ReadingLists {
  /// Those that nobody looked for, or not since the catalogue changed.
  package func unrecognized(
    since stamp: String, of patron: PatronID? = nil, atMost limit: Int = 5_000
  ) async throws(DatabaseError) -> [ListMember] {
    let owned: SQL =
      patron.map { "list IN (SELECT id FROM reading_list WHERE patron = \($0.rawValue)) AND" } ?? ""
    return try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(ListMember.columns) FROM reading_list_member
        WHERE \(owned) work IS NULL AND NOT EXISTS (
          SELECT 1 FROM reading_list_match k
          WHERE k.list = reading_list_member.list AND k.member = reading_list_member.id
            AND (k.stamp = \(stamp) OR k.word = 'sure'))
        ORDER BY list, id LIMIT \(limit)
        """, ListMember.init(row:))
    }
  }

  package func note(
    _ recognized: [(member: ListMember, as: ListMember.Recognized)], at stamp: String
  ) async throws(DatabaseError) {
    // A list that shows another work is another list to whoever keeps a copy of it.
    let lists = Set(recognized.compactMap { $0.as.work == nil ? nil : $0.member.list }).sorted()
    try await store.write { tx throws(DatabaseError) in
      for list in lists {
        try tx.execute(
          "UPDATE reading_list SET version = version + 1 WHERE id = \(list.rawValue)")
      }
      for (member, word) in recognized {
        try tx.execute(
          """
          INSERT INTO reading_list_match (list, member, word, work, stamp)
          VALUES (\(member.list.rawValue), \(member.id), \(word.word), \(word.work?.rawValue),
            \(stamp))
          ON CONFLICT (list, member) DO UPDATE SET word = excluded.word, work = excluded.work,
            stamp = excluded.stamp
          """)
      }
    }
  }

  /// The works that were found so far; whoever knows where they went says so by `follow`.
  package func recognizedWorks() async throws(DatabaseError) -> [WorkID] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        "SELECT DISTINCT work FROM reading_list_match WHERE work IS NOT NULL"
      ) { row throws(DatabaseError) in WorkID(try row[0]) }
    }
  }

  /// Works that became part of others.
  package func follow(_ moved: [WorkID: WorkID]) async throws(DatabaseError) {
    if moved.isEmpty { return }
    try await store.write { tx throws(DatabaseError) in
      for (old, new) in moved.sorted(by: { $0.key < $1.key }) {
        try tx.execute(
          "UPDATE reading_list_match SET work = \(new.rawValue) WHERE work = \(old.rawValue)")
      }
    }
  }

  /// What is kept of books that stand on no list any more.
  package func sweepRecognized() async throws(DatabaseError) {
    _ = try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        DELETE FROM reading_list_match WHERE NOT EXISTS (
          SELECT 1 FROM reading_list_member m
          WHERE m.list = reading_list_match.list AND m.id = reading_list_match.member)
        """)
    }
  }
}

extension ListMember.Recognized {
  init?(kept text: String?) {
    let words = text?.split(separator: " ") ?? []
    switch (words.first, words.count) {
    case ("sure", 2): self = .sure(WorkID(String(words[1])))
    case ("unsure", _): self = .unsure
    case ("none", _): self = .none
    default: return nil
    }
  }

  fileprivate var word: String {
    switch self {
    case .sure: "sure"
    case .unsure: "unsure"
    case .none: "none"
    }
  }

  fileprivate var work: WorkID? {
    guard case .sure(let work) = self else { return nil }
    return work
  }
}
