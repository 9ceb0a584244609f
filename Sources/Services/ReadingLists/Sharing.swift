package import Circulation
import Database

extension CustomList {
  /// Who may see it besides the one who keeps it.
  package enum Sharing: String, Sendable, Hashable, CaseIterable {
    case `private`
    /// The other readers of this gateway.
    case friends
    /// Whoever may look at the catalogue.
    case everyone
  }
}

/// Lists that others may see. A librarian's list goes to readers as a part of the catalogue, that of
/// a friend as a word among readers.
extension ReadingLists {
  package static var mostShared: Int { 500 }

  /// Changes who may see it, and whose name it goes by as a librarian's; nil for a list like any
  /// other.
  package func share(
    _ id: ListID, of patron: PatronID, with sharing: CustomList.Sharing, by curator: String? = nil
  ) async throws(ListError) -> CustomList {
    let curator = try Self.soundCurator(curator)
    let now = now()
    return try await decide { tx throws(DatabaseError) -> Result<CustomList, ListError> in
      guard try tx.touch(id, of: patron, at: now) else { return .failure(.noSuchList) }
      try tx.execute(
        """
        UPDATE reading_list SET sharing = \(sharing.rawValue), curator = \(curator)
        WHERE id = \(id.rawValue)
        """)
      guard let list = try tx.list(id, of: patron) else { return .failure(.noSuchList) }
      return .success(list)
    }
  }

  /// Those of librarians that this reader, or any stranger, may see; the last edited first.
  package func curated(for reader: PatronID?) async throws(ListError) -> [CustomList] {
    try await shared("curator IS NOT NULL", reader)
  }

  /// All of librarians, also those that nobody else sees yet; by name. For whoever looks after the
  /// gateway.
  package func librarians() async throws(ListError) -> [CustomList] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(CustomList.columns) FROM reading_list l WHERE curator IS NOT NULL
        ORDER BY folded_name\(.bytewise), id\(.bytewise)
        """, CustomList.init(row:))
    }
  }

  /// Those that other readers share with this one, and those of friends elsewhere; the last edited
  /// first.
  package func fromFriends(of reader: PatronID) async throws(ListError) -> [CustomList] {
    try await shared(
      "curator IS NULL AND (patron <> \(reader.rawValue) OR friend IS NOT NULL)", reader)
  }

  private func shared(
    _ condition: SQL, _ reader: PatronID?
  ) async throws(ListError) -> [CustomList] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(CustomList.columns) FROM reading_list l
        WHERE (\(Self.visible(to: reader))) AND \(condition)
        ORDER BY edited_at DESC, id\(.bytewise) LIMIT \(Self.mostShared)
        """, CustomList.init(row:))
    }
  }

  /// One of them with its books, as its owner put them.
  package func shared(
    _ id: ListID, with reader: PatronID?, from offset: Int = 0, atMost limit: Int = mostBooks
  ) async throws(ListError) -> (list: CustomList, members: [ListMember]) {
    let found = try await read {
      snapshot throws(DatabaseError) -> (list: CustomList, members: [ListMember])? in
      let list = try snapshot.first(
        """
        SELECT \(CustomList.columns) FROM reading_list l
        WHERE id = \(id.rawValue) AND (\(Self.visible(to: reader)))
        """, CustomList.init(row:))
      guard let list else { return nil }
      return (list, try snapshot.members(of: id, by: .places, from: offset, atMost: limit))
    }
    guard let found else { throw .noSuchList }
    return found
  }

  private static func visible(to reader: PatronID?) -> SQL {
    guard let reader else { return "l.sharing = 'everyone'" }
    return """
      l.sharing IN ('everyone', 'friends')
        OR (l.friend IS NOT NULL AND l.patron = \(reader.rawValue))
      """
  }

  static func soundCurator(_ name: String?) throws(ListError) -> String? {
    guard let name else { return nil }
    return try sound(name)
  }
}
