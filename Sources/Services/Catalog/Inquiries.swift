package import Circulation
package import Database

/// What libraries without a catalogue of their own were asked about titles that others list, so
/// that nobody asks the same again on every page. What they answered stands in the catalogue.
package struct Inquiries: Sendable {
  package static let migrations = MigrationList(
    "inquiries",
    [
      Migration(
        "make-table",
        [
          """
          CREATE TABLE catalog_inquiry (
            library TEXT NOT NULL, book TEXT NOT NULL, until \(.integer) NOT NULL,
            PRIMARY KEY (library, book))\(.strictTable)
          """,
          "CREATE INDEX catalog_inquiry_until ON catalog_inquiry (until)",
        ])
    ])

  private let store: Store
  /// Milliseconds since 1970.
  private let now: @Sendable () -> Int64

  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  /// Those that may be asked about: never asked, or too long ago.
  package func due(
    _ books: [BookNumbers], at library: LibraryID
  ) async throws(DatabaseError) -> [BookNumbers] {
    let names = books.map(\.name)
    let now = now()
    let known = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT book FROM catalog_inquiry
        WHERE library = \(library.rawValue) AND until > \(now) AND book IN (\(names))
        """
      ) { row throws(DatabaseError) -> String in try row[0] }
    }
    var seen = Set(known)
    return zip(books, names).compactMap { book, name in
      name.isEmpty || !seen.insert(name).inserted ? nil : book
    }
  }

  /// The same for words that a reader typed.
  package func isDue(_ words: String, at library: LibraryID) async throws(DatabaseError) -> Bool {
    let (name, now) = (Self.name(words), now())
    guard !name.isEmpty else { return true }
    return try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT book FROM catalog_inquiry
        WHERE library = \(library.rawValue) AND until > \(now) AND book = \(name)
        """
      ) { row throws(DatabaseError) -> String in try row[0] }.isEmpty
    }
  }

  package func note(
    _ words: String, at library: LibraryID, for span: Duration
  ) async throws(DatabaseError) {
    try await note([Self.name(words)], at: library, for: span)
  }

  private static func name(_ words: String) -> String {
    words.isStorable && words.utf8.count <= 200 ? "words:\(words.lowercased())" : ""
  }

  /// Not again for so long. Forgets what is over, so that the table stays as small as its use.
  package func note(
    _ books: [BookNumbers], at library: LibraryID, for span: Duration
  ) async throws(DatabaseError) {
    try await note(books.map(\.name), at: library, for: span)
  }

  private func note(
    _ names: [String], at library: LibraryID, for span: Duration
  ) async throws(DatabaseError) {
    let (now, until) = (now(), now() + span.components.seconds * 1000)
    // In one order for everybody, so that two writers never wait for each other.
    let names = Set(names).subtracting([""]).sorted()
    try await store.write { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM catalog_inquiry WHERE until <= \(now)")
      for name in names {
        try tx.execute(
          """
          INSERT INTO catalog_inquiry (library, book, until)
          VALUES (\(library.rawValue), \(name), \(until))
          ON CONFLICT (library, book) DO UPDATE SET until = excluded.until
          """)
      }
    }
  }
}

extension BookNumbers {
  /// The same for the same numbers in whatever order; empty without any that can be kept.
  fileprivate var name: String {
    let numbers =
      isbns.map { "isbn:\($0.digits)" } + identifiers.map { "\($0.scheme):\($0.value)" }
    let kept = Set(numbers.filter { $0.isStorable && $0.utf8.count <= 100 }).sorted().prefix(12)
    guard kept.isEmpty, isEmpty, let title else { return kept.joined(separator: " ") }
    // Without a number it is asked for by its words.
    let words = "title:\(title.prefix(80)) author:\((authors.first ?? "").prefix(40))"
    return words.isStorable ? words : ""
  }
}
