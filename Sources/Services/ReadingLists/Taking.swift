package import Circulation
import Database

/// Many books at once, from a file.
extension ReadingLists {
  /// What became of each row, in the order of the rows.
  package struct Tally: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
      case new, changed, same
      case refused(String)
    }

    package let outcomes: [Outcome]

    package func count(_ outcome: Outcome) -> Int { outcomes.count { $0 == outcome } }
  }

  /// Puts them on the list, each at the end or in the place of the same book, all of them or, after
  /// an error, none. The same rows once more change nothing.
  package func take(
    _ rows: [KeptEntry], into list: ListID, of patron: PatronID
  ) async throws(ListError) -> Tally {
    let (now, most) = (now(), limits.listEntries)
    return try await decide { tx throws(DatabaseError) -> Result<Tally, ListError> in
      guard try tx.hold(list, of: patron) else { return .failure(.noSuchList) }
      let plan = try tx.plan(rows, list, of: patron, most)
      guard !plan.isIdle else { return .success(plan.tally) }
      _ = try tx.touch(list, of: patron, at: now)
      for (id, book) in plan.changed { try tx.replace(id, book, of: list, at: now) }
      let last = try tx.value(
        """
        SELECT COALESCE(max(place), 0) FROM reading_list_member WHERE list = \(list.rawValue)
        """, as: Int.self)
      try tx.insert(plan.new, of: list, after: last, at: now)
      return .success(plan.tally)
    }
  }

  /// What `take` would do.
  package func weigh(
    _ rows: [KeptEntry], into list: ListID, of patron: PatronID
  ) async throws(ListError) -> Tally {
    let most = limits.listEntries
    let tally = try await read { snapshot throws(DatabaseError) -> Tally? in
      guard try snapshot.list(list, of: patron) != nil else { return nil }
      return try snapshot.plan(rows, list, of: patron, most).tally
    }
    guard let tally else { throw .noSuchList }
    return tally
  }

  /// What `take` would do on a list that is not there yet.
  package static func weigh(_ rows: [KeptEntry]) -> Tally { Plan(rows, beside: []).tally }
}

extension Snapshot {
  fileprivate func plan(
    _ rows: [KeptEntry], _ list: ListID, of patron: PatronID, _ most: Int
  ) throws(DatabaseError) -> Plan {
    let there = try members(of: list, by: .places, from: 0, atMost: ReadingLists.mostBooks)
    let isCurated = try self.list(list, of: patron)?.curator != nil
    let room = isCurated ? ReadingLists.mostBooks : most - (try listEntries(of: patron))
    return Plan(rows, beside: there, room: room)
  }
}

extension Transaction {
  /// Nobody else changes the list until this is done. False where the patron has no such list.
  fileprivate func hold(_ list: ListID, of patron: PatronID) throws(DatabaseError) -> Bool {
    try execute(
      """
      UPDATE reading_list SET version = version
      WHERE id = \(list.rawValue) AND patron = \(patron.rawValue)
      """) == 1
  }

  fileprivate func replace(
    _ id: String, _ book: ListedBook, of list: ListID, at now: Int64
  ) throws(DatabaseError) {
    try execute(
      """
      UPDATE reading_list_member
      SET work = \(book.work?.rawValue), title = \(book.title),
        authors = \(Words.lines(book.authors)),
        isbns = \(Words.lines(book.isbns.map(\.digits))), entry = \(book.entry?.written()),
        edited_at = \(now), version = version + 1
      WHERE list = \(list.rawValue) AND id = \(id)
      """)
  }

  fileprivate func insert(
    _ books: [ListedBook], of list: ListID, after last: Int, at now: Int64
  ) throws(DatabaseError) {
    guard !books.isEmpty else { return }
    try insert(
      into: "reading_list_member",
      columns: [
        "list", "id", "place", "work", "title", "authors", "isbns", "note", "added_at",
        "edited_at", "version", "entry",
      ], rows: books.enumerated()
    ) { numbered, row throws(DatabaseError) in
      let (index, book) = numbered
      try row.append(list.rawValue)
      try row.append(ReadingLists.newID())
      try row.append(last + 1 + index)
      try row.append(book.work?.rawValue)
      try row.append(book.title)
      try row.append(Words.lines(book.authors))
      try row.append(Words.lines(book.isbns.map(\.digits)))
      try row.append(book.note)
      try row.append(now)
      try row.append(now)
      try row.append(1)
      try row.append(book.entry?.written())
    }
  }
}
