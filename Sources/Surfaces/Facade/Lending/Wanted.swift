import Catalog
import Circulation
import Database
import Desk
import HTTP
import OPDS
import Registry

/// The title that an address names, and the card that it is asked for with.
struct Wanted: Sendable {
  let entry: CatalogEntry
  let way: Way
  let account: Account

  var item: ItemID { way.listed.edition.item }
  var library: LibraryID { way.listed.library }
}

extension Facade {
  typealias TitleName = (work: String, library: String, item: String)

  func wanted(_ name: TitleName, _ errand: Errand) async throws(Problem) -> Wanted {
    let (entry, listed) = try await listed(name, errand)
    guard let shelf = errand.shelf else { throw Self.unknownTitle }
    let single = CatalogEntry(work: entry.work, editions: [listed])
    guard let way = Way.ranked(single, for: shelf).first, let account = way.account else {
      throw Self.unknownTitle
    }
    return Wanted(entry: entry, way: way, account: account)
  }

  /// Only what the visitor's own libraries list can be named.
  func listed(
    _ name: TitleName, _ errand: Errand
  ) async throws(Problem) -> (CatalogEntry, ListedEdition) {
    let entry = try await whole(WorkID(name.work), errand)
    let (library, item) = (LibraryID(name.library), ItemID(name.item))
    if let listed = entry.edition(item, at: library) { return (entry, listed) }
    // What a reader has may outlive what its library lists.
    guard errand.ownItems.contains(where: { $0 == (library, item) }),
      let last = try await read({ () throws(DatabaseError) in
        try await stock.catalog.edition(item, at: library)
      }), last.work == entry.work, let listed = last.editions.first
    else { throw Self.unknownTitle }
    return (CatalogEntry(work: entry.work, editions: entry.editions + [listed]), listed)
  }

  /// The work with all its ways. What is on the shelf has an address although no harvest ever met it.
  func whole(_ work: WorkID, _ errand: Errand) async throws(Problem) -> CatalogEntry {
    if let known = try await entry(work, errand) { return known }
    guard let shelf = errand.shelf, let own = ShelfRoute.entry(named: work, in: shelf) else {
      throw Self.unknownTitle
    }
    return own
  }

  func entry(_ work: WorkID, _ errand: Errand) async throws(Problem) -> CatalogEntry? {
    try await read { () throws(DatabaseError) in
      try await stock.catalog.work(work, at: errand.libraries)
    }
  }

  static let unknownTitle = Problem(
    .notFound, code: "unknown_title", detail: "None of your libraries has this title.",
    remedy: "Open the feed again that led here.",
    type: "http://librarysimplified.org/terms/problem/no-licenses")
}

extension CatalogEntry {
  func edition(_ item: ItemID, at library: LibraryID) -> ListedEdition? {
    editions.first { $0.library == library && $0.edition.item == item }
  }

  func lists(_ item: ItemID, at library: LibraryID) -> Bool { edition(item, at: library) != nil }
}
