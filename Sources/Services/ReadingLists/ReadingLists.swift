package import Circulation
import Crypto
package import Database
import Machine

/// Lists of books that readers keep here, any number of them, each in its reader's order.
package struct ReadingLists: Sendable {
  package static let mostBooks = 100_000
  static let longestName = 200

  let store: Store
  let limits: PatronLimits
  let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(
    store: Store, limits: PatronLimits = .standard, now: @escaping @Sendable () -> Int64
  ) {
    (self.store, self.limits, self.now) = (store, limits, now)
  }

  /// By name.
  package func lists(of patron: PatronID) async throws(ListError) -> [CustomList] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(CustomList.columns) FROM reading_list l
        WHERE patron = \(patron.rawValue) AND friend IS NULL
        ORDER BY folded_name\(.bytewise)
        """, CustomList.init(row:))
    }
  }

  /// Among the patron's own only.
  package func list(_ id: ListID, of patron: PatronID) async throws(ListError) -> CustomList {
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.list(id, of: patron)
    }
    guard let found else { throw .noSuchList }
    return found
  }

  /// By its name, however that is written, or by its id.
  package func list(
    called word: String, of patron: PatronID
  ) async throws(ListError) -> CustomList {
    let folded = word.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    guard !word.utf8.contains(0) else { throw .noSuchList }
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT \(CustomList.columns) FROM reading_list l WHERE patron = \(patron.rawValue)
          AND friend IS NULL AND (folded_name = \(folded) OR id = \(word))
        ORDER BY CASE WHEN folded_name = \(folded) THEN 0 ELSE 1 END
        """, CustomList.init(row:))
    }
    guard let found else { throw .noSuchList }
    return found
  }

  package func create(
    named name: String, for patron: PatronID, sharing: CustomList.Sharing = .private,
    by curator: String? = nil
  ) async throws(ListError) -> CustomList {
    let (name, curator) = (try Self.sound(name), try Self.soundCurator(curator))
    let (id, now, most) = (ListID(Self.newID()), now(), limits.lists)
    return try await decide { tx throws(DatabaseError) -> Result<CustomList, ListError> in
      if curator == nil, try tx.lists(of: patron) >= most {
        return .failure(.tooManyLists(most: most))
      }
      let made = try tx.execute(
        """
        INSERT INTO reading_list
          (id, patron, name, folded_name, made_at, edited_at, version, sharing, curator)
        VALUES (\(id.rawValue), \(patron.rawValue), \(name), \(name.lowercased()), \(now), \(now),
          1, \(sharing.rawValue), \(curator))
        ON CONFLICT (patron, folded_name) DO NOTHING
        """)
      guard made == 1, let list = try tx.list(id, of: patron) else {
        return .failure(.nameTaken(name))
      }
      return .success(list)
    }
  }

  package func rename(
    _ id: ListID, of patron: PatronID, to name: String
  ) async throws(ListError) -> CustomList {
    let name = try Self.sound(name)
    let now = now()
    return try await decide { tx throws(DatabaseError) -> Result<CustomList, ListError> in
      guard try tx.touch(id, of: patron, at: now) else { return .failure(.noSuchList) }
      let others = try tx.value(
        """
        SELECT count(*) FROM reading_list WHERE patron = \(patron.rawValue)
          AND folded_name = \(name.lowercased()) AND id <> \(id.rawValue)
        """, as: Int.self)
      guard others == 0 else { return .failure(.nameTaken(name)) }
      try tx.execute(
        """
        UPDATE reading_list SET name = \(name), folded_name = \(name.lowercased())
        WHERE id = \(id.rawValue)
        """)
      guard let list = try tx.list(id, of: patron) else { return .failure(.noSuchList) }
      return .success(list)
    }
  }

  package func delete(_ id: ListID, of patron: PatronID) async throws(ListError) {
    try await decide { tx throws(DatabaseError) -> Result<Void, ListError> in
      guard try tx.list(id, of: patron) != nil else { return .failure(.noSuchList) }
      try tx.execute("DELETE FROM reading_list_member WHERE list = \(id.rawValue)")
      try tx.execute("DELETE FROM reading_list WHERE id = \(id.rawValue)")
      return .success(())
    }
  }

  static func sound(_ name: String) throws(ListError) -> String {
    let trimmed = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !trimmed.isEmpty, trimmed.count <= longestName,
      trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw .badName }
    return trimmed
  }

  /// A name that nobody else has.
  package static func newID() -> String { Hex.encode(Chance.system.bytes(8)) }
}

extension ReadingLists {
  func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(ListError) -> T {
    do throws(DatabaseError) { return try await store.read(body) } catch { throw .database(error) }
  }

  func decide<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> Result<T, ListError>
  ) async throws(ListError) -> T {
    let result: Result<T, ListError>
    do throws(DatabaseError) { result = try await store.decide(body) } catch {
      throw .database(error)
    }
    return try result.get()
  }
}

extension Snapshot {
  func list(_ id: ListID, of patron: PatronID) throws(DatabaseError) -> CustomList? {
    try first(
      """
      SELECT \(CustomList.columns) FROM reading_list l
      WHERE id = \(id.rawValue) AND patron = \(patron.rawValue) AND friend IS NULL
      """, CustomList.init(row:))
  }
}

extension Snapshot {
  fileprivate func lists(of patron: PatronID) throws(DatabaseError) -> Int {
    try value(
      """
      SELECT count(*) FROM reading_list
      WHERE patron = \(patron.rawValue) AND friend IS NULL AND curator IS NULL
      """, as: Int.self)
  }

  /// Of all lists of the patron, except those that are shown under a librarian's name.
  func listEntries(of patron: PatronID) throws(DatabaseError) -> Int {
    try value(
      """
      SELECT count(*) FROM reading_list_member m JOIN reading_list l ON l.id = m.list
      WHERE l.patron = \(patron.rawValue) AND l.curator IS NULL
      """, as: Int.self)
  }
}

extension Transaction {
  /// Counts a change of the list, and lets nobody else change it until this one is done. False where
  /// the patron has no such list.
  func touch(_ id: ListID, of patron: PatronID, at now: Int64) throws(DatabaseError) -> Bool {
    try execute(
      """
      UPDATE reading_list SET version = version + 1, edited_at = \(now)
      WHERE id = \(id.rawValue) AND patron = \(patron.rawValue) AND friend IS NULL
      """) == 1
  }
}

extension CustomList {
  static let columns: SQL = """
    l.id, l.patron, l.name, l.made_at, l.edited_at, l.version, l.sharing, l.curator,
    (SELECT count(*) FROM reading_list_member m WHERE m.list = l.id), l.friend
    """

  init(row: borrowing Row) throws(DatabaseError) {
    let sharing: String = try row[6]
    self.init(
      id: ListID(try row[0]), patron: PatronID(try row[1]), name: try row[2], count: try row[8],
      // A word that a later program wrote is nothing to show to anybody.
      sharing: Sharing(rawValue: sharing) ?? .private, curator: try row[7],
      friend: try row[9], madeAt: try row[3],
      editedAt: try row[4], version: try row[5])
  }
}
