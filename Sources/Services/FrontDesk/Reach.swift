package import Catalog
package import Circulation
import Desk
package import Registry

/// Whose eyes the catalogue is looked at with: a reader's shelf, or a stranger's none, and the
/// libraries whose books are shown.
package struct Reach: Sendable, Hashable {
  /// Nil for strangers.
  package let shelf: ReaderShelf?
  package let libraries: [LibraryID]

  package init(shelf: ReaderShelf?, libraries: [LibraryID]) {
    (self.shelf, self.libraries) = (shelf, libraries)
  }

  /// What the reader has on loan or waits for.
  package var ownItems: [(LibraryID, ItemID)] {
    guard let shelf else { return [] }
    let libraries = Dictionary(
      shelf.accounts.map { ($0.id, $0.library) }, uniquingKeysWith: { $1 })
    let pairs =
      shelf.loans.map { ($0.account, $0.loan.item) }
      + shelf.holds.map { ($0.account, $0.hold.item) }
    return pairs.compactMap { account, item in libraries[account].map { ($0, item) } }
  }

  package var liked: [String] { shelf?.liked ?? [] }

  /// Whether there is anything to recommend by.
  package var isWithoutTaste: Bool { taste.isEmpty && liked.isEmpty }

  package var taste: [CatalogItem] {
    ownItems.map { CatalogItem(library: $0.0, item: $0.1) }
  }
}
