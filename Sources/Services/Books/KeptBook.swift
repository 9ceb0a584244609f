package import Circulation
package import Database
import Desk

/// A title by the name that its library gives it: works come and go with what the matcher knows,
/// and what a reader did must outlive that.
package struct BookKey: Sendable, Hashable {
  package let library: LibraryID
  package let item: ItemID

  package init(_ library: LibraryID, _ item: ItemID) { (self.library, self.item) = (library, item) }
}

/// What is said of a book where no library is asked.
package struct BookFace: Sendable, Hashable {
  package var title: String
  package var authors: [String]

  package init(title: String, authors: [String]) { (self.title, self.authors) = (title, authors) }
}

/// A book of one reader, in the one state it is in. Instants are milliseconds since 1970.
package struct KeptBook: Sendable, Hashable {
  package let key: BookKey
  /// The card it is on; nil for one that is only saved.
  package var account: AccountID?
  package var state: BookState
  /// Since when it is in this state.
  package var since: Int64
  /// When the loan or the offer ends, as the library says it.
  package var until: Int64?
  /// The same by the clock of this machine.
  var due: Int64?
  /// The end of what the reader put away: the library may go on listing it.
  var dismissed: Int64?
  package var face: BookFace
  package var isIgnored: Bool

  init(_ key: BookKey, at now: Int64) {
    self.key = key
    (state, since, isIgnored) = (.none, now, false)
    face = BookFace(title: key.item.rawValue, authors: [])
  }

  /// One of which nothing is kept.
  package static func blank(_ key: BookKey, _ face: BookFace) -> KeptBook {
    var book = KeptBook(key, at: 0)
    book.face = face
    return book
  }

  /// Whether there is nothing to be kept of it.
  var isBlank: Bool { state == .none && dismissed == nil && !isIgnored }

  mutating func apply(_ event: BookEvent, at now: Int64) -> Bool {
    guard let next = state.after(event) else { return false }
    if next != state { since = now }
    state = next
    switch event {
    case .dismissed: dismissed = until ?? 0
    case .borrowed, .holdPlaced, .offerMade, .save: dismissed = nil
    default: break
    }
    switch state {
    case .none, .saved: (account, until, due) = (nil, nil, nil)
    default: break
    }
    return true
  }
}

extension KeptBook {
  static let columns: SQL =
    "library, item, account, state, since, until, due, dismissed, title, authors, ignored"

  init(row: borrowing Row) throws(DatabaseError) {
    key = BookKey(LibraryID(try row[0]), ItemID(try row[1]))
    let account: String? = try row[2]
    self.account = account.map { AccountID($0) }
    // A word of a newer release: shown as nothing, and kept as it is until something happens.
    state = BookState(rawValue: try row[3]) ?? .none
    since = try row[4]
    until = try row[5]
    due = try row[6]
    dismissed = try row[7]
    face = BookFace(title: try row[8], authors: Line.parts(try row[9]))
    isIgnored = try row[10]
  }
}

extension Snapshot {
  /// Those to be hidden, and those kept in mind.
  package func marked(by patron: PatronID) throws(DatabaseError) -> [KeptBook] {
    try rows(
      """
      SELECT \(KeptBook.columns) FROM book WHERE patron = \(patron.rawValue)
        AND (ignored = \(true) OR state = \(BookState.saved.rawValue)) ORDER BY id
      """, KeptBook.init(row:))
  }

  func books(of patron: PatronID) throws(DatabaseError) -> [KeptBook] {
    try rows(
      """
      SELECT \(KeptBook.columns) FROM book WHERE patron = \(patron.rawValue) ORDER BY id
      """, KeptBook.init(row:))
  }

  func book(_ key: BookKey, of patron: PatronID) throws(DatabaseError) -> KeptBook? {
    try first(
      """
      SELECT \(KeptBook.columns) FROM book WHERE patron = \(patron.rawValue)
        AND library = \(key.library.rawValue) AND item = \(key.item.rawValue)
      """, KeptBook.init(row:))
  }
}

extension Snapshot {
  /// Saved or ignored.
  func chosenBooks(of patron: PatronID) throws(DatabaseError) -> Int {
    try value(
      """
      SELECT count(*) FROM book WHERE patron = \(patron.rawValue)
        AND (ignored = \(true) OR state = \(BookState.saved.rawValue))
      """, as: Int.self)
  }
}

extension Transaction {
  func keep(_ book: KeptBook, of patron: PatronID) throws(DatabaseError) {
    let (library, item) = (book.key.library.rawValue, book.key.item.rawValue)
    guard !book.isBlank else {
      try execute(
        """
        DELETE FROM book WHERE patron = \(patron.rawValue) AND library = \(library)
          AND item = \(item)
        """)
      return
    }
    try execute(
      """
      INSERT INTO book (patron, library, item, account, state, since, until, due, dismissed, title,
        authors, ignored)
      VALUES (\(patron.rawValue), \(library), \(item), \(book.account?.rawValue),
        \(book.state.rawValue), \(book.since), \(book.until), \(book.due), \(book.dismissed),
        \(Line.clean(book.face.title)), \(Line.lines(book.face.authors)), \(book.isIgnored))
      ON CONFLICT (patron, library, item) DO UPDATE SET account = excluded.account,
        state = excluded.state, since = excluded.since, until = excluded.until,
        due = excluded.due, dismissed = excluded.dismissed, title = excluded.title,
        authors = excluded.authors, ignored = excluded.ignored
      """)
  }
}
