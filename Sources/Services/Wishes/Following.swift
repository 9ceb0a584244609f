import Circulation
package import Database
import ReadingLists

/// What became of the wishes when their lists were read.
package struct FollowTally: Sendable, Hashable {
  package var new = 0
  package var changed = 0
  package var ended = 0

  package init() {}
}

extension Wishes {
  /// Reads the lists: what is new on them is a wish, what left them is none any more, and what is
  /// another book now is looked for anew.
  package func follow() async throws(DatabaseError) -> FollowTally {
    let difference = try await store.read { snapshot throws(DatabaseError) in
      try Difference(in: snapshot)
    }
    if difference.isNothing { return FollowTally() }
    for part in difference.new.parts(of: 500) { try await take(part) }
    for part in difference.changed.parts(of: 500) { try await renew(part) }
    if !difference.ended.isEmpty {
      try await store.write { tx throws(DatabaseError) in
        // Asked again inside: a book may be back on its list by now.
        try tx.execute(
          """
          DELETE FROM wish WHERE NOT EXISTS (
            SELECT 1 FROM reading_list_member m JOIN wish_list l ON l.list = m.list
            WHERE m.list = wish.list AND m.id = wish.member)
          """)
        try tx.execute(
          """
          DELETE FROM wish_list WHERE NOT EXISTS (
            SELECT 1 FROM reading_list r WHERE r.id = wish_list.list)
          """)
      }
    }
    var tally = FollowTally()
    (tally.new, tally.changed) = (difference.new.count, difference.changed.count)
    tally.ended = difference.ended.count
    return tally
  }

  private func take(_ books: [StandingBook]) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      for book in books {
        try tx.execute(
          """
          INSERT INTO wish (id, list, member, patron, title, authors, isbns, given, match, choices,
            decided, stamp, state, turn, done_turn, version)
          VALUES (\(Self.newID()), \(book.list.rawValue), \(book.member), \(book.patron.rawValue),
            \(book.title), \(Lines.text(book.authors)), \(Lines.text(book.numbers)),
            \(book.work?.rawValue), 'unread', '', 0, '', 'unknown', 0, 0, 1)
          ON CONFLICT (list, member) DO NOTHING
          """)
      }
    }
  }

  /// What was decided of the former book says nothing of this one.
  private func renew(_ books: [(id: String, book: StandingBook)]) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      for (id, book) in books {
        try tx.execute(
          """
          UPDATE wish SET title = \(book.title), authors = \(Lines.text(book.authors)),
            isbns = \(Lines.text(book.numbers)), given = \(book.work?.rawValue), match = 'unread',
            work = NULL, choices = '', decided = 0, stamp = '', state = 'unknown', seen_at = NULL,
            since = NULL, done_turn = turn, deed = NULL, deed_at = NULL, version = version + 1
          WHERE id = \(id)
          """)
      }
    }
  }
}

/// Between the lists and the wishes.
private struct Difference: Sendable {
  private(set) var new: [StandingBook] = []
  private(set) var changed: [(id: String, book: StandingBook)] = []
  private(set) var ended: [String] = []

  var isNothing: Bool { new.isEmpty && changed.isEmpty && ended.isEmpty }

  private struct Name: Hashable {
    let list: String
    let member: String
  }

  private struct Kept {
    let id: String
    let text: String
  }

  init(in snapshot: Snapshot) throws(DatabaseError) {
    let lists = try snapshot.wishLists(of: nil).map(\.list)
    var kept: [Name: Kept] = [:]
    try snapshot.forEach("SELECT id, list, member, title, authors, isbns, given FROM wish") {
      row throws(DatabaseError) in
      let given: String? = try row[6]
      kept[Name(list: try row[1], member: try row[2])] = Kept(
        id: try row[0],
        text: Self.text(try row[3], try row[4], try row[5], given))
      return .next
    }
    for book in try snapshot.standing(on: lists) {
      let name = Name(list: book.list.rawValue, member: book.member)
      guard let known = kept.removeValue(forKey: name) else {
        new.append(book)
        continue
      }
      let text = Self.text(
        book.title, Lines.text(book.authors), Lines.text(book.numbers), book.work?.rawValue)
      if text != known.text { changed.append((known.id, book)) }
    }
    ended = kept.values.map(\.id)
  }

  private static func text(
    _ title: String, _ authors: String, _ isbns: String, _ work: String?
  ) -> String {
    [title, authors, isbns, work ?? ""].joined(separator: "\u{1F}")
  }
}

extension StandingBook {
  fileprivate var numbers: [String] { isbns.map(\.digits) }
}

extension Array {
  func parts(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
