package import Circulation
package import Database

// What is done to a reader's lists as a whole by whoever keeps them in step with a service, inside
// that one's own transaction.

extension Snapshot {
  package func members(
    of list: ListID, where condition: SQL, atMost limit: Int
  ) throws(DatabaseError) -> [ListMember] {
    try rows(
      """
      SELECT \(ListMember.columns) FROM reading_list_member
      WHERE list = \(list.rawValue) AND \(condition) ORDER BY place LIMIT \(limit)
      """, ListMember.init(row:))
  }
}

extension Transaction {
  /// Under this name, or with a number behind it where the reader has such a list already.
  package func makeList(
    named name: String, for patron: PatronID, by friend: String? = nil, at now: Int64
  ) throws(DatabaseError) -> ListID {
    let name = ReadingLists.nearest(name)
    let id = ListID(ReadingLists.newID())
    for number in 1... {
      let tried = number == 1 ? name : "\(name) (\(number))"
      let made = try execute(
        """
        INSERT INTO reading_list
          (id, patron, name, folded_name, made_at, edited_at, version, sharing, friend)
        VALUES (\(id.rawValue), \(patron.rawValue), \(tried), \(tried.lowercased()), \(now), \(now),
          1, \(CustomList.Sharing.private.rawValue), \(friend))
        ON CONFLICT (patron, folded_name) DO NOTHING
        """)
      if made == 1 { break }
    }
    return id
  }

  /// At the end of the list, in this order. Returns the words they go by.
  package func put(
    _ books: [ListedBook], on list: ListID, at now: Int64
  ) throws(DatabaseError) -> [String] {
    guard !books.isEmpty else { return [] }
    try touch(list, at: now)
    var place = try value(
      "SELECT COALESCE(max(place), 0) FROM reading_list_member WHERE list = \(list.rawValue)",
      as: Int.self)
    var words: [String] = []
    for book in books {
      place += 1
      let word = try freeWord(MemberWord.stem(of: book.title), in: list)
      try insert(
        ListMember(
          id: word, list: list, book: book, place: place, addedAt: now, editedAt: now, version: 1))
      words.append(word)
    }
    return words
  }

  package func take(
    _ members: [String], from list: ListID, at now: Int64
  ) throws(DatabaseError) {
    guard !members.isEmpty else { return }
    try touch(list, at: now)
    for member in members {
      try execute(
        "DELETE FROM reading_list_member WHERE list = \(list.rawValue) AND id = \(member)")
    }
    // Once for all of them: each by itself would move all that comes after it.
    let left: [(String, Int)] = try rows(
      "SELECT id, place FROM reading_list_member WHERE list = \(list.rawValue) ORDER BY place"
    ) { row throws(DatabaseError) in (try row[0], try row[1]) }
    for (index, (member, place)) in left.enumerated() where place != index + 1 {
      try execute(
        """
        UPDATE reading_list_member SET place = \(index + 1)
        WHERE list = \(list.rawValue) AND id = \(member)
        """)
    }
  }

  /// The list with all that stands on it.
  package func drop(_ list: ListID) throws(DatabaseError) {
    try execute("DELETE FROM reading_list_member WHERE list = \(list.rawValue)")
    try execute("DELETE FROM reading_list WHERE id = \(list.rawValue)")
  }

  /// What is known of the book; the reader's note and its place stay.
  package func retell(
    _ member: String, on list: ListID, as book: ListedBook, at now: Int64
  ) throws(DatabaseError) {
    try execute(
      """
      UPDATE reading_list_member SET title = \(book.title), authors = \(Words.lines(book.authors)),
        isbns = \(Words.lines(book.isbns.map(\.digits))), entry = \(book.entry?.written()),
        edited_at = \(now), version = version + 1
      WHERE list = \(list.rawValue) AND id = \(member)
      """)
  }

  private func touch(_ list: ListID, at now: Int64) throws(DatabaseError) {
    try execute(
      """
      UPDATE reading_list SET version = version + 1, edited_at = \(now)
      WHERE id = \(list.rawValue)
      """)
  }
}

extension ReadingLists {
  /// A name that others gave, as a list here may have it.
  fileprivate static func nearest(_ name: String) -> String {
    let plain = String(
      name.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control ? " " : Character(scalar)
      })
    let trimmed = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return trimmed.isEmpty ? "List" : String(trimmed.prefix(longestName - 10))
  }
}
