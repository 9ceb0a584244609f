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
    let entry = try await entry(name, errand)
    let listed = entry.editions.first {
      $0.library.rawValue == name.library && $0.edition.item.rawValue == name.item
    }
    guard let listed else { throw Self.unknownTitle }
    return (entry, listed)
  }

  /// What is on the shelf has an address although no harvest ever met it.
  private func entry(
    _ name: TitleName, _ errand: Errand
  ) async throws(Problem) -> CatalogEntry {
    if let known = try await entry(WorkID(name.work), errand) { return known }
    guard name.work == "\(name.library):\(name.item)", let shelf = errand.shelf,
      let account = shelf.accounts.first(where: { $0.library.rawValue == name.library })
    else { throw Self.unknownTitle }
    let item = ItemID(name.item)
    let loan = shelf.loans.first { $0.account == account.id && $0.loan.item == item }?.loan
    let hold = shelf.holds.first { $0.account == account.id && $0.hold.item == item }?.hold
    guard loan != nil || hold != nil else { throw Self.unknownTitle }
    var edition = Edition(item: item, title: loan?.title ?? hold?.title ?? name.item)
    edition.contributors = (loan?.authors ?? hold?.authors ?? []).map {
      Contributor(name: $0, role: .author)
    }
    return CatalogEntry(
      work: WorkID(name.work),
      editions: [
        ListedEdition(
          library: account.library, provider: account.provider, edition: edition,
          availability: nil)
      ])
  }

  /// The work with all its ways, also where only the shelf knows it.
  func whole(_ work: WorkID, _ errand: Errand) async throws(Problem) -> CatalogEntry {
    if let known = try await entry(work, errand) { return known }
    let parts = work.rawValue.split(separator: ":", maxSplits: 1).map { String($0) }
    guard parts.count == 2 else { throw Self.unknownTitle }
    return try await entry((work.rawValue, parts[0], parts[1]), errand)
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
