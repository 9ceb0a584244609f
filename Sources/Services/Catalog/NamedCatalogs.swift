package import Circulation
package import Database

/// How much is kept of catalogs that patrons named. Any patron can name one that never ends, and the
/// searches of all patrons share its tables.
package enum NamedCatalogs {
  /// Of one catalog.
  package static let mostTitles = 20_000
  /// Of all catalogs that one patron named, those counted that have left the search.
  package static let mostTitlesInSum = 50_000
  /// What searches and shelves bring to a catalog that is full.
  static let mostBeside = 2_000
  /// What a harvest may take. In milliseconds.
  static let longest: Int64 = 15 * 60_000
  /// Changes that are written in one transaction, so that other writers wait for no more than these.
  static let batch = 200
  /// Entries that one key of the matcher leads to, or that one work has: a catalog may list the same
  /// book without end, and each would be compared with each.
  static let mostAlike = 20

  package static let cutShort =
    "at most \(mostTitles) titles of a catalog of your own are kept, and \(mostTitlesInSum) of all"
    + " of your catalogs, from 2000 feeds in 15 minutes; what else it lists was left out"
}

/// How the harvest of one catalog stands.
package struct HarvestStanding: Sendable, Hashable {
  package var isBegun = false
  package var isUnderWay = false
  /// In milliseconds since 1970; nil before the first harvest ended.
  package var ended: Int64?
  /// How many harvests in a row left something out.
  package var cutShort = 0

  package init() {}
}

extension Catalog {
  package func standings(
    of libraries: [LibraryID]
  ) async throws(DatabaseError) -> [LibraryID: HarvestStanding] {
    try await store.read { snapshot throws(DatabaseError) in
      var standings: [LibraryID: HarvestStanding] = [:]
      for library in libraries {
        guard let row = try snapshot.libraryRow(named: library) else { continue }
        var standing = HarvestStanding()
        standing.isBegun = row.started != nil
        standing.isUnderWay = row.underWay != nil
        (standing.ended, standing.cutShort) = (row.ended, row.cutShort)
        standings[library] = standing
      }
      return standings
    }
  }

  /// How many editions of these are in the tables, those counted that have left the search.
  package func held(at libraries: [LibraryID]) async throws(DatabaseError) -> Int {
    try await store.read { snapshot throws(DatabaseError) in
      let keys = try snapshot.libraryKeys(of: libraries)
      return try snapshot.value("SELECT count(*) FROM catalog_edition WHERE library IN (\(keys))")
    }
  }

  /// Whether there is anything of catalogs that patrons named.
  package func hasNamed() async throws(DatabaseError) -> Bool {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT 1 FROM catalog_library WHERE name LIKE '%://%' LIMIT 1") {
        _ throws(DatabaseError) in true
      } ?? false
    }
  }
}

extension Snapshot {
  func held(at row: LibraryRow) throws(DatabaseError) -> Int {
    try value("SELECT count(*) FROM catalog_edition WHERE library = \(row.key)")
  }

  func knownItems(_ items: [ItemID], at row: LibraryRow) throws(DatabaseError) -> Set<ItemID> {
    let names = items.map(\.rawValue).filter(\.isStorable)
    return Set(
      try rows(
        """
        SELECT item FROM catalog_edition WHERE library = \(row.key) AND item \(.among(names))
        """
      ) { row throws(DatabaseError) in ItemID(try row[0]) })
  }

  /// Those of the items that are known, and as many others as there is room for.
  func admitted(
    _ items: [ItemID], at row: LibraryRow, most: Int
  ) throws(DatabaseError) -> Set<ItemID> {
    var admitted = try knownItems(items, at: row)
    var room = max(0, most - (try held(at: row)))
    for item in items where room > 0 {
      if admitted.insert(item).inserted { room -= 1 }
    }
    return admitted
  }
}
