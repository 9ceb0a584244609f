import Catalog
import Circulation
import Database
import FoundationEssentials
import StoreSupport
import TestSupport
import Testing

/// A catalogue in a new, empty database of the engine.
@discardableResult
func withCatalog<R>(_ engine: Engine, _ body: (Catalog, Store) async throws -> R) async throws -> R
{
  try await withStore(engine, tables: [Catalog.migrations]) { store in
    try await body(Catalog(store: store, now: { 1_000 }), store)
  }
}

let town = LibraryID("town")
let county = LibraryID("county")
let lender = ProviderID("lender")

func edition(
  _ item: String, _ title: String, by author: String? = nil,
  _ change: (inout Edition) -> Void = { _ in }
) -> Edition {
  var edition = Edition(item: ItemID(item), title: title)
  if let author { edition.contributors = [Contributor(name: author, role: .author)] }
  change(&edition)
  return edition
}

func available(_ status: Availability.Status, at second: Double) -> Availability {
  Availability(status, asOf: Date(timeIntervalSince1970: second))
}

extension Catalog {
  /// The items found, in their order.
  func found(
    _ words: String, at libraries: [LibraryID] = [town], onlyAvailable: Bool = false,
    content: Format.Content? = nil, language: String? = nil, provider: ProviderID? = nil,
    limit: Int = 25
  ) async throws -> [String] {
    let query = CatalogQuery(
      words: words, libraries: libraries, onlyAvailable: onlyAvailable, content: content,
      language: language, provider: provider, limit: limit)
    return try await search(query).flatMap { $0.editions.map(\.edition.item.rawValue) }
  }

  func take(_ editions: [Edition]) async throws {
    try await take(editions, of: town, provider: lender)
  }
}
