package import Circulation
package import Database
import Desk
package import Machine

/// The files of the house, each once, under the digest of its bytes: two patrons with one book have
/// one file. Which loans a file is for stands in the database; what the loans' ends ask for is removed.
package struct BookStore: Sendable {
  package struct Settings: Sendable, Hashable {
    /// Bytes of files, all together.
    package var budget = 20 << 30
    /// How long the part of a file waits for the rest.
    package var partAge = Duration.seconds(7 * 86_400)

    package init() {}
  }

  package let folder: String
  let store: Store
  let settings: Settings
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64

  /// The folder is made when the first file comes.
  package init(
    in folder: String, store: Store, settings: Settings = Settings(),
    now: @escaping @Sendable () -> Int64
  ) {
    (self.folder, self.store, self.settings, self.now) = (folder, store, settings, now)
  }

  // MARK: - Looking

  /// A file and the loan that it is for.
  package struct Book: Sendable, Hashable {
    package let patron: PatronID
    package let account: AccountID
    package let item: ItemID
    package let digest: String
    package let size: Int
    package let kind: FileKind
    package let isOpenAccess: Bool
    /// Whether the loan still stands, or needs none. What was returned lies here until the next sweep.
    package let isLent: Bool
    package let title: String
    package let authors: [String]
    /// The end of the loan, in milliseconds since 1970.
    package let until: Int64?
    package let storedAt: Int64
    package let openedAt: Int64?

    /// As people name a book, on any file system.
    package var fileName: SafeFileName {
      let names = authors.prefix(2).joined(separator: ", ")
      let shortTitle = String(title.prefix(120))
      return SafeFileName(
        names.isEmpty ? shortTitle : "\(names.prefix(80)) - \(shortTitle)", suffix: kind.suffix,
        fallback: "book")
    }
  }

  package func path(of book: Book) -> String { path(of: book.digest) }

  package func path(of digest: String) -> String { Self.path(of: digest, in: folder) }

  /// Where a file belongs in such a folder.
  package static func path(of digest: String, in folder: String) -> String {
    "\(folder)/files/\(digest.prefix(2))/\(digest)"
  }

  /// The digests of all files that belong to this state.
  package static func digests(_ snapshot: Snapshot) throws(DatabaseError) -> [String] {
    try snapshot.rows("SELECT digest FROM book_file ORDER BY digest") {
      row throws(DatabaseError) in try row[0]
    }
  }

  package func book(
    of patron: PatronID, _ item: ItemID, on account: AccountID
  ) async throws(DatabaseError) -> Book? {
    try await store.read { tx throws(DatabaseError) in
      try tx.first(
        """
        SELECT \(Book.columns) WHERE h.patron = \(patron.rawValue)
        AND h.account = \(account.rawValue) AND h.item = \(item.rawValue)
        """, Book.init)
    }
  }

  package func books(of patron: PatronID) async throws(DatabaseError) -> [Book] {
    try await store.read { tx throws(DatabaseError) in
      try tx.rows(
        """
        SELECT \(Book.columns) WHERE h.patron = \(patron.rawValue)
        ORDER BY h.stored_at DESC, h.account, h.item
        """, Book.init)
    }
  }

  package struct Usage: Sendable, Hashable {
    package let files: Int
    package let bytes: Int
    package let budget: Int
  }

  package func usage() async throws(DatabaseError) -> Usage {
    let budget = settings.budget
    return try await store.read { tx throws(DatabaseError) in
      let files = try tx.value("SELECT count(*) FROM book_file", as: Int.self)
      return Usage(files: files, bytes: try tx.bytesOfFiles(), budget: budget)
    }
  }

  // MARK: - Using

  /// Keeps it young: what is not read is let go first.
  package func opened(_ book: Book) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        "UPDATE book_file SET opened_at = \(now) WHERE digest = \(book.digest)")
    }
  }

  /// After a renewal.
  package func lasts(
    until: Int64?, _ item: ItemID, on account: AccountID
  ) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE book_holder SET until = \(until)
        WHERE account = \(account.rawValue) AND item = \(item.rawValue)
        """)
    }
  }
}

extension BookStore.Book {
  static var columns: SQL {
    """
    h.patron, h.account, h.item, h.digest, f.size, f.kind, f.open_access, h.title, h.authors,
    h.until, h.stored_at, f.opened_at, f.open_access OR \(Desk.keepsLoan)
    FROM book_holder h JOIN book_file f ON f.digest = h.digest
    """
  }

  init(_ row: borrowing Row) throws(DatabaseError) {
    (patron, account) = (PatronID(try row[0]), AccountID(try row[1]))
    (item, digest, size) = (ItemID(try row[2]), try row[3], try row[4])
    let kind: String = try row[5]
    self.kind = FileKind(rawValue: kind) ?? .other
    (isOpenAccess, title) = (try row[6], try row[7])
    authors = Line.parts(try row[8])
    (until, storedAt, openedAt) = (try row[9], try row[10], try row[11])
    isLent = try row[12]
  }
}

extension Snapshot {
  func bytesOfFiles() throws(DatabaseError) -> Int {
    try value(
      "SELECT CAST(COALESCE(SUM(size), 0) AS \(.integer)) FROM book_file", as: Int.self)
  }
}
