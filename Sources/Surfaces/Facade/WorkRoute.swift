import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import OPDS

/// One work with everything that is known of it (§2.1).
enum WorkRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _ name: String
  ) async throws(Problem) -> Draft {
    var (entry, changed) = try await facade.work(WorkID(name), errand)
    if let shelf = errand.shelf, await facade.stock.lookUp(entry, shelf.accounts) {
      (entry, changed) = try await facade.work(WorkID(name), errand)
    }
    let publication = facade.making(errand).publication(
      entry, changed: changed, for: errand.shelf, .complete)
    return Draft(.entry(publication))
  }
}

extension Facade {
  func work(
    _ id: WorkID, _ errand: Errand
  ) async throws(Problem) -> (CatalogEntry, changed: Int64) {
    let found = try await read { () throws(DatabaseError) in
      let entry = try await stock.catalog.work(id, at: errand.libraries)
      let versions = try await stock.catalog.versions(
        of: [entry?.work ?? id], at: errand.libraries)
      return entry.map { ($0, versions.first?.changed ?? 0) }
    }
    if found == nil, let shelf = errand.shelf, let own = ShelfLine.entry(named: id, in: shelf) {
      return (own, 0)
    }
    guard let found else {
      throw Problem(
        .notFound, code: "unknown_work", detail: "There is no work '\(id.rawValue.prefix(100))'.",
        type: "http://librarysimplified.org/terms/problem/no-licenses")
    }
    return found
  }
}
