package import Circulation
import Database

/// Books on a list.
extension ReadingLists {
  package enum Order: Sendable, Hashable {
    /// As the reader put them.
    case places
    case lastEdited
  }

  package enum Addition: Sendable, Hashable {
    case new(ListMember)
    /// The work stood on the list before.
    case there(ListMember)

    package var member: ListMember {
      switch self {
      case .new(let member), .there(let member): member
      }
    }
  }

  package func members(
    of list: ListID, of patron: PatronID, by order: Order = .places, from offset: Int = 0,
    atMost limit: Int = mostBooks
  ) async throws(ListError) -> [ListMember] {
    let found = try await read { snapshot throws(DatabaseError) -> [ListMember]? in
      guard try snapshot.list(list, of: patron) != nil else { return nil }
      return try snapshot.members(of: list, by: order, from: offset, atMost: limit)
    }
    guard let found else { throw .noSuchList }
    return found
  }

  package func member(
    _ id: String, of list: ListID, of patron: PatronID
  ) async throws(ListError) -> ListMember {
    let found = try await read { snapshot throws(DatabaseError) -> ListMember? in
      guard try snapshot.list(list, of: patron) != nil else { return nil }
      return try snapshot.member(id, of: list)
    }
    guard let found else { throw .noSuchMember }
    return found
  }

  /// At the end of the list. A work that is there already stays as it is; `hint` is what its word
  /// shall be like.
  package func add(
    _ book: ListedBook, to list: ListID, of patron: PatronID, hint: String? = nil
  ) async throws(ListError) -> Addition {
    let book = try Self.checked(book)
    let stem = MemberWord.stem(of: hint ?? "")
    let (now, most) = (now(), limits.listEntries)
    return try await decide { tx throws(DatabaseError) -> Result<Addition, ListError> in
      guard let kept = try tx.list(list, of: patron) else { return .failure(.noSuchList) }
      if let work = book.work, let member = try tx.member(having: work, of: list) {
        return .success(.there(member))
      }
      guard kept.count < Self.mostBooks else { return .failure(.tooLong) }
      if kept.curator == nil, try tx.listEntries(of: patron) >= most {
        return .failure(.tooManyEntries(most: most))
      }
      _ = try tx.touch(list, of: patron, at: now)
      // Two gateways that add the same work at once take turns at the list; the second sees it now.
      if let work = book.work, let member = try tx.member(having: work, of: list) {
        return .success(.there(member))
      }
      let id = try tx.freeWord(stem, in: list)
      let place = try tx.value(
        """
        SELECT COALESCE(max(place), 0) + 1 FROM reading_list_member
        WHERE list = \(list.rawValue)
        """, as: Int.self)
      let member = ListMember(
        id: id, list: list, book: book, place: place, addedAt: now, editedAt: now, version: 1)
      try tx.insert(member)
      return .success(.new(member))
    }
  }

  /// Another note, and where it is given another place; the book itself stays. Nil for `version`
  /// overwrites whatever there is.
  package func change(
    _ id: String, of list: ListID, of patron: PatronID, note: String?, place: Int? = nil,
    ifVersion version: Int64? = nil
  ) async throws(ListError) -> ListMember {
    if let note, note.utf8.count > Self.longestNote { throw .tooLong }
    let now = now()
    return try await decide { tx throws(DatabaseError) -> Result<ListMember, ListError> in
      guard try tx.touch(list, of: patron, at: now) else { return .failure(.noSuchList) }
      guard let member = try tx.member(id, of: list) else { return .failure(.noSuchMember) }
      if let version, version != member.version {
        return .failure(.changedSince(version: member.version))
      }
      try tx.execute(
        """
        UPDATE reading_list_member
        SET note = \(note.map(Words.clean)), edited_at = \(now), version = version + 1
        WHERE list = \(list.rawValue) AND id = \(id)
        """)
      if let place { try tx.move(member, to: place) }
      guard let changed = try tx.member(id, of: list) else { return .failure(.noSuchMember) }
      return .success(changed)
    }
  }

  package func remove(
    _ id: String, of list: ListID, of patron: PatronID, ifVersion version: Int64? = nil
  ) async throws(ListError) {
    let now = now()
    try await decide { tx throws(DatabaseError) -> Result<Void, ListError> in
      guard try tx.touch(list, of: patron, at: now) else { return .failure(.noSuchList) }
      guard let member = try tx.member(id, of: list) else { return .failure(.noSuchMember) }
      if let version, version != member.version {
        return .failure(.changedSince(version: member.version))
      }
      try tx.execute(
        "DELETE FROM reading_list_member WHERE list = \(list.rawValue) AND id = \(id)")
      try tx.execute(
        """
        UPDATE reading_list_member SET place = place - 1
        WHERE list = \(list.rawValue) AND place > \(member.place)
        """)
      return .success(())
    }
  }

  static var longestNote: Int { 20_000 }
  static var longestEntry: Int { 1 << 20 }

  static func checked(_ book: ListedBook) throws(ListError) -> ListedBook {
    guard book.title.utf8.count <= 2_000, (book.note?.utf8.count ?? 0) <= longestNote,
      book.authors.count <= 100, book.authors.allSatisfy({ $0.utf8.count <= 1_000 }),
      book.isbns.count <= 100, (book.entry?.weight ?? 0) <= longestEntry
    else { throw .tooLong }
    var book = book
    book.title = Words.clean(book.title)
    book.authors = book.authors.map(Words.clean).filter { !$0.isEmpty }
    book.note = book.note.map(Words.clean)
    return book
  }
}

extension ReadingLists.Order {
  fileprivate var words: SQL {
    switch self {
    case .places: "place, id\(.bytewise)"
    case .lastEdited: "edited_at DESC, place DESC, id\(.bytewise)"
    }
  }
}

extension Snapshot {
  func members(
    of list: ListID, by order: ReadingLists.Order, from offset: Int, atMost limit: Int
  ) throws(DatabaseError) -> [ListMember] {
    try rows(
      """
      SELECT \(ListMember.columns) FROM reading_list_member WHERE list = \(list.rawValue)
      ORDER BY \(order.words) LIMIT \(max(0, limit)) OFFSET \(max(0, offset))
      """, ListMember.init(row:))
  }

  fileprivate func member(_ id: String, of list: ListID) throws(DatabaseError) -> ListMember? {
    try member("id = \(id)", list)
  }

  fileprivate func member(having work: WorkID, of list: ListID) throws(DatabaseError) -> ListMember?
  {
    try member("work = \(work.rawValue)", list)
  }

  private func member(_ condition: SQL, _ list: ListID) throws(DatabaseError) -> ListMember? {
    try first(
      """
      SELECT \(ListMember.columns) FROM reading_list_member
      WHERE list = \(list.rawValue) AND \(condition)
      """, ListMember.init(row:))
  }
}

extension Transaction {
  func insert(_ member: ListMember) throws(DatabaseError) {
    let book = member.book
    try execute(
      """
      INSERT INTO reading_list_member
        (list, id, place, work, title, authors, isbns, note, added_at, edited_at, version, entry)
      VALUES (\(member.list.rawValue), \(member.id), \(member.place), \(book.work?.rawValue),
        \(book.title), \(Words.lines(book.authors)), \(Words.lines(book.isbns.map(\.digits))),
        \(book.note), \(member.addedAt), \(member.editedAt), \(member.version),
        \(book.entry?.written()))
      """)
  }

  /// The others make room.
  fileprivate func move(_ member: ListMember, to place: Int) throws(DatabaseError) {
    let list = member.list.rawValue
    let last = try value(
      "SELECT count(*) FROM reading_list_member WHERE list = \(list)", as: Int.self)
    let (from, to) = (member.place, min(max(1, place), last))
    guard from != to else { return }
    if to < from {
      try execute(
        """
        UPDATE reading_list_member SET place = place + 1
        WHERE list = \(list) AND place >= \(to) AND place < \(from)
        """)
    } else {
      try execute(
        """
        UPDATE reading_list_member SET place = place - 1
        WHERE list = \(list) AND place > \(from) AND place <= \(to)
        """)
    }
    try execute(
      "UPDATE reading_list_member SET place = \(to) WHERE list = \(list) AND id = \(member.id)")
  }

  /// The stem, or with a number, or by chance.
  func freeWord(_ stem: String, in list: ListID) throws(DatabaseError) -> String {
    guard !stem.isEmpty else { return ReadingLists.newID() }
    for number in 1...9 {
      let word = number == 1 ? stem : "\(stem)-\(number)"
      let taken = try value(
        """
        SELECT count(*) FROM reading_list_member
        WHERE list = \(list.rawValue) AND id = \(word)
        """, as: Int.self)
      if taken == 0 { return word }
    }
    return "\(stem)-\(ReadingLists.newID())"
  }
}

extension KeptEntry {
  /// What is known of a book that nobody but its reader told of.
  package init(_ member: ListMember) {
    guard let entry = member.book.entry else {
      var entry = ListEntry(item: ItemID(""), title: member.book.title)
      entry.authors = member.book.authors
      entry.isbns = member.book.isbns
      entry.addedAt = .init(milliseconds: member.addedAt)
      self.init(entry, extras: member.book.note.map { ["Private Notes": $0] } ?? [:])
      return
    }
    self = entry
  }

  /// A book whose entry nobody can read any more still stands on the list.
  static func kept(_ text: String?) -> KeptEntry? {
    guard let text else { return nil }
    do throws(UnreadableEntry) { return try KeptEntry(read: text) } catch { return nil }
  }
}

extension ListMember {
  static let columns: SQL = """
    id, list, place, work, title, authors, isbns, note, added_at, edited_at, version, entry,
    (SELECT word || ' ' || COALESCE(r.work, '') FROM reading_list_match r
     WHERE r.list = reading_list_member.list AND r.member = reading_list_member.id)
    """

  init(row: borrowing Row) throws(DatabaseError) {
    let work: String? = try row[3]
    self.init(
      id: try row[0], list: ListID(try row[1]),
      book: ListedBook(
        work: work.map { WorkID($0) }, title: try row[4], authors: Words.parts(try row[5]),
        isbns: Words.parts(try row[6]).compactMap { ISBN($0) }, note: try row[7],
        entry: KeptEntry.kept(try row[11])),
      place: try row[2], addedAt: try row[8], editedAt: try row[9], version: try row[10],
      recognized: Recognized(kept: try row[12]))
  }
}
