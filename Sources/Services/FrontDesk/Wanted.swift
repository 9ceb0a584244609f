package import Catalog
package import Circulation
package import Database
package import HTTP
import Phrasebook
package import Registry

/// The title that an address names, and the card that it is asked for with.
package struct Wanted: Sendable {
  package let entry: CatalogEntry
  package let way: Way
  package let account: Account

  package var item: ItemID { way.listed.edition.item }
  package var library: LibraryID { way.listed.library }
}

extension Stock {
  package typealias TitleName = (work: String, library: String, item: String)

  package func wanted(_ name: TitleName, _ reach: Reach) async throws(Problem) -> Wanted {
    let (entry, listed) = try await listed(name, reach)
    guard let shelf = reach.shelf else { throw Refusals.unknownTitle }
    let single = CatalogEntry(work: entry.work, editions: [listed])
    guard let way = Way.ranked(single, for: shelf).first, let account = way.account else {
      throw Refusals.unknownTitle
    }
    return Wanted(entry: entry, way: way, account: account)
  }

  /// Only what the visitor's own libraries list can be named.
  package func listed(
    _ name: TitleName, _ reach: Reach
  ) async throws(Problem) -> (CatalogEntry, ListedEdition) {
    let entry = try await whole(WorkID(name.work), reach)
    let (library, item) = (LibraryID(name.library), ItemID(name.item))
    if let listed = entry.edition(item, at: library) { return (entry, listed) }
    // What a reader has may outlive what its library lists.
    guard reach.ownItems.contains(where: { $0 == (library, item) }),
      let last = try await read({ () throws(DatabaseError) in
        try await catalog.edition(item, at: library)
      }), last.work == entry.work, let listed = last.editions.first
    else { throw Refusals.unknownTitle }
    return (CatalogEntry(work: entry.work, editions: entry.editions + [listed]), listed)
  }

  /// The work with all its ways. What is on the shelf has an address although no harvest ever met it.
  package func whole(_ work: WorkID, _ reach: Reach) async throws(Problem) -> CatalogEntry {
    if let known = try await entry(work, reach) { return known }
    guard let shelf = reach.shelf, let own = ShelfLine.entry(named: work, in: shelf) else {
      throw Refusals.unknownTitle
    }
    return own
  }

  /// The same for whoever looks at this one: what the reader's libraries have of it besides what they
  /// list is asked first.
  package func lookedAt(_ work: WorkID, _ reach: Reach) async throws(Problem) -> CatalogEntry {
    let entry = try await whole(work, reach)
    guard let shelf = reach.shelf, await lookUp(entry, shelf.accounts) else { return entry }
    return try await whole(work, reach)
  }

  package func entry(_ work: WorkID, _ reach: Reach) async throws(Problem) -> CatalogEntry? {
    try await read { () throws(DatabaseError) in
      try await catalog.work(work, at: reach.libraries)
    }
  }

  package func read<Value: Sendable>(
    _ body: () async throws(DatabaseError) -> Value
  ) async throws(Problem) -> Value {
    do throws(DatabaseError) { return try await body() } catch {
      throw Refusals.unread(said("The catalogue cannot be read."))
    }
  }
}

extension CatalogEntry {
  package func edition(_ item: ItemID, at library: LibraryID) -> ListedEdition? {
    editions.first { $0.library == library && $0.edition.item == item }
  }

  package func lists(_ item: ItemID, at library: LibraryID) -> Bool {
    edition(item, at: library) != nil
  }
}
