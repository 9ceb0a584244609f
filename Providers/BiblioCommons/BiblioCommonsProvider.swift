package import Circulation
import HTTP
package import ProviderKit

/// The catalogue pages that many public libraries put in front of their own system. Programs have no
/// door there: keys are no longer given out, and what the pages ask behind the scenes belongs to them
/// alone. So such a library is one that can be seen: its page for a book is led to, and nothing else.
package struct BiblioCommonsProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = []

  package static let listing = ProviderListing(
    id: ProviderID("bibliocommons"), title: "BiblioCommons (a library's own catalogue pages)",
    capabilities: capabilities, fields: [], needs: Settings.needs,
    outlook: { library, book throws(SettingsFault) in try Settings(library).page(for: book) },
    make: { library, _, _ throws(SettingsFault) in
      _ = try Settings(library)
      return BiblioCommonsProvider()
    })

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: 1)
  }
}

/// What this adapter needs to know, checked once.
struct Settings: Sendable {
  let catalog: Address

  static let needs = LibraryNeeds(ownAddresses: ["catalog"])

  init(_ library: Library) throws(SettingsFault) {
    catalog = try library.endpoint("catalog")
  }

  /// The search for a book. By words: the copy on the shelf has other numbers than the file.
  func page(for book: BookNumbers) -> Address? {
    let words = [book.title, book.authors.first].compactMap(\.self)
    let query = words.isEmpty ? book.isbns.first?.digits : words.joined(separator: " ")
    guard let query, !query.isEmpty else { return nil }
    return catalog.appending(segment: "v2").appending(segment: "search")
      .adding([.init("query", query), .init("searchType", "smart")])
  }
}
