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
  /// another book now is looked for anew. A book that is only spelled otherwise stays the same wish.
  package func follow() async throws(DatabaseError) -> FollowTally {
    let difference = try await store.read { snapshot throws(DatabaseError) in
      try Difference(in: snapshot)
    }
    if difference.isNothing { return FollowTally() }
    for part in difference.new.parts(of: 500) { try await take(part) }
    for part in difference.respelled.parts(of: 500) { try await respell(part) }
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
    tally.new = difference.new.count
    tally.changed = difference.changed.count + difference.respelled.count
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
          VALUES (\(ReadingLists.newID()), \(book.list.rawValue), \(book.member), \(book.patron.rawValue),
            \(book.title), \(Words.lines(book.authors)), \(Words.lines(book.numbers)),
            \(book.work?.rawValue), 'unread', '', 0, '', 'unknown', 0, 0, 1)
          ON CONFLICT (list, member) DO NOTHING
          """)
      }
    }
  }

  /// What was decided, seen and done stands. Where it is not known for sure which work it is, the
  /// new words may tell.
  private func respell(_ books: [Respelled]) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      for (id, book, named) in books {
        try tx.execute(
          """
          UPDATE wish SET title = \(book.title), authors = \(Words.lines(book.authors)),
            isbns = \(Words.lines(book.numbers)), given = \(book.work?.rawValue),
            stamp = CASE WHEN decided = 0 AND match <> 'sure' THEN '' ELSE stamp END,
            version = version + 1
          WHERE id = \(id)
          """)
        guard let named else { continue }
        // The list itself says now which work it is.
        try tx.execute(
          """
          UPDATE wish SET match = 'unread', stamp = '', version = version + 1
          WHERE id = \(id) AND decided = 0 AND COALESCE(work, '') <> \(named.rawValue)
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
          UPDATE wish SET title = \(book.title), authors = \(Words.lines(book.authors)),
            isbns = \(Words.lines(book.numbers)), given = \(book.work?.rawValue), match = 'unread',
            work = NULL, choices = '', decided = 0, stamp = '', state = 'unknown', seen_at = NULL,
            since = NULL, done_turn = turn, deed = NULL, deed_at = NULL, version = version + 1
          WHERE id = \(id)
          """)
      }
    }
  }
}

/// A wish, its book as it is written now, and the work where the list names one anew.
private typealias Respelled = (id: String, book: StandingBook, named: WorkID?)

/// Between the lists and the wishes.
private struct Difference: Sendable {
  private(set) var new: [StandingBook] = []
  private(set) var changed: [(id: String, book: StandingBook)] = []
  private(set) var respelled: [Respelled] = []
  private(set) var ended: [String] = []

  var isNothing: Bool {
    new.isEmpty && changed.isEmpty && respelled.isEmpty && ended.isEmpty
  }

  private struct Name: Hashable {
    let list: String
    let member: String
  }

  private struct Kept {
    let id: String
    let title: String
    let authors: String
    let isbns: String
    let given: String?

    func says(_ book: StandingBook) -> Bool {
      title == book.title && authors == Words.lines(book.authors)
        && isbns == Words.lines(book.numbers) && given == book.work?.rawValue
    }

    /// Whether that is this book in other words.
    func isSame(_ book: StandingBook) -> Bool {
      if title == book.title { return true }
      if !Set(Words.parts(isbns)).isDisjoint(with: book.numbers) { return true }
      let folded = Self.folded(title)
      return !folded.isEmpty && folded == Self.folded(book.title)
    }

    /// Letters and digits, whatever stands between them.
    private static func folded(_ title: String) -> String {
      title.lowercased().filter { $0.isLetter || $0.isNumber }
    }
  }

  init(in snapshot: Snapshot) throws(DatabaseError) {
    let lists = try snapshot.wishLists(of: nil).map(\.list)
    var kept: [Name: Kept] = [:]
    try snapshot.forEach("SELECT id, list, member, title, authors, isbns, given FROM wish") {
      row throws(DatabaseError) in
      kept[Name(list: try row[1], member: try row[2])] = Kept(
        id: try row[0], title: try row[3], authors: try row[4], isbns: try row[5],
        given: try row[6])
      return .next
    }
    for book in try snapshot.standing(on: lists) {
      let name = Name(list: book.list.rawValue, member: book.member)
      guard let known = kept.removeValue(forKey: name) else {
        new.append(book)
        continue
      }
      if known.says(book) { continue }
      if known.isSame(book) {
        let named = book.work?.rawValue == known.given ? nil : book.work
        respelled.append((known.id, book, named))
      } else {
        changed.append((known.id, book))
      }
    }
    ended = kept.values.map(\.id)
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
