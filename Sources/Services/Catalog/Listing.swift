package import Circulation
package import Database

extension Catalog {
  /// A work with its editions, at these libraries only if some are named. One that every library
  /// has lost is still told of: a link to it may stand on a shelf. The number of a work that became
  /// part of another leads there.
  package func work(
    _ id: WorkID, at libraries: [LibraryID]? = nil
  ) async throws(DatabaseError) -> CatalogEntry? {
    guard let number = id.number else { return nil }
    return try await store.read { snapshot throws(DatabaseError) in
      let current = try snapshot.current(number)
      let rows = try snapshot.listed(where: "e.work = \(current)").filter { row in
        libraries?.contains(row.edition.library) ?? true
      }
      let present = rows.filter { $0.state != .gone }
      let shown = present.isEmpty ? rows : present
      guard !shown.isEmpty else { return nil }
      return CatalogEntry(work: WorkID(number: current), editions: shown.map(\.edition))
    }
  }

  /// What is known of one item, whether a search still finds it or not.
  package func edition(
    _ item: ItemID, at library: LibraryID
  ) async throws(DatabaseError) -> CatalogEntry? {
    try await entries(for: [(library, item)])[0]
  }

  /// The same for a whole shelf in one query: one answer for each item, in their order.
  package func entries(
    for items: [(LibraryID, ItemID)]
  ) async throws(DatabaseError) -> [CatalogEntry?] {
    guard let condition = Self.condition(for: items) else { return items.map { _ in nil } }
    let rows = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.listed(where: condition)
    }
    let entries = Dictionary(
      rows.map { row in
        let entry = CatalogEntry(work: WorkID(number: row.work), editions: [row.edition])
        return (Listing(library: row.edition.library, item: row.edition.edition.item), entry)
      }, uniquingKeysWith: { first, _ in first })
    return items.map { entries[Listing(library: $0.0, item: $0.1)] }
  }

  /// Only which works they are, without opening a record.
  package func works(
    for items: [(LibraryID, ItemID)]
  ) async throws(DatabaseError) -> [WorkID?] {
    guard let condition = Self.condition(for: items) else { return items.map { _ in nil } }
    let rows = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT l.name, e.item, e.work FROM catalog_edition e
        JOIN catalog_library l ON l.id = e.library WHERE \(condition)
        """
      ) { row throws(DatabaseError) -> (Listing, WorkID) in
        let listing = Listing(library: LibraryID(try row[0]), item: ItemID(try row[1]))
        return (listing, WorkID(number: try row[2] as Int64))
      }
    }
    let works = Dictionary(rows, uniquingKeysWith: { first, _ in first })
    return items.map { works[Listing(library: $0.0, item: $0.1)] }
  }

  /// Nil where nothing can be there.
  private static func condition(for items: [(LibraryID, ItemID)]) -> SQL? {
    let wanted = Dictionary(grouping: items, by: \.0).mapValues { pairs in
      pairs.map(\.1.rawValue).filter(\.isStorable).distinct
    }.filter { $0.key.rawValue.isStorable && !$0.value.isEmpty }
    guard !wanted.isEmpty else { return nil }
    let conditions = wanted.sorted { $0.key < $1.key }.map { library, items -> SQL in
      """
      (e.item IN (\(items)) AND e.library = (SELECT id FROM catalog_library
        WHERE name = \(library.rawValue)))
      """
    }
    return SQL.joined(conditions, by: " OR ")
  }
}

extension Snapshot {
  /// The works that these editions are in now.
  func works(holding items: [CatalogItem]) throws(DatabaseError) -> Set<Int64> {
    var works: Set<Int64> = []
    for (library, items) in Dictionary(grouping: items, by: \.library) {
      let names = items.map(\.item.rawValue).filter(\.isStorable).distinct
      guard let key = try libraryRow(named: library)?.key else { continue }
      works.formUnion(
        try rows(
          "SELECT work FROM catalog_edition WHERE library = \(key) AND item IN (\(names))"
        ) { row throws(DatabaseError) -> Int64 in try row[0] })
    }
    return works
  }
}

private struct Listing: Hashable {
  let library: LibraryID
  let item: ItemID
}

/// An edition as it was read, with what only we ask for.
struct ListedRow: Sendable {
  let work: Int64
  let state: EditionState
  let edition: ListedEdition
}

extension Snapshot {
  /// Editions `e` that meet the condition, the best liked first.
  func listed(where condition: SQL) throws(DatabaseError) -> [ListedRow] {
    let query: SQL = """
      SELECT e.work, e.state, l.name, e.provider, e.item, r.content,
        a.status, a.total, a.available, a.holds, a.as_of
      FROM catalog_edition e
      JOIN catalog_library l ON l.id = e.library
      JOIN catalog_record r ON r.edition = e.id
      LEFT JOIN catalog_availability a ON a.library = e.library AND a.item = e.item
      WHERE \(condition) ORDER BY e.place
      """
    return try rows(query) { row throws(DatabaseError) in
      let item = ItemID(try row[4])
      let listed = ListedEdition(
        library: LibraryID(try row[2]), provider: ProviderID(try row[3]),
        edition: EditionRecord.edition(item, from: try row[5]),
        availability: try Availability(row, from: 6))
      return ListedRow(work: try row[0], state: try row[1], edition: listed)
    }
  }
}
