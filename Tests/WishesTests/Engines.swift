import Catalog
import Circulation
import Database
import FoundationEssentials
import ReadingLists
import StoreSupport
import TestSupport

@testable import Wishes

/// Lists, a catalogue and wishes over one new database.
struct Desk: Sendable {
  let store: Store
  let clock: Clock
  let lists: ReadingLists
  let catalog: Catalog
  let wishes: Wishes

  static func open<R>(_ engine: Engine, _ body: (Desk) async throws -> R) async throws -> R {
    try await withStore(
      engine, tables: [Catalog.migrations, ReadingLists.migrations, Wishes.migrations]
    ) { store in
      let clock = Clock()
      return try await body(
        Desk(
          store: store, clock: clock, lists: ReadingLists(store: store, now: { clock.now }),
          catalog: Catalog(store: store, now: { clock.now }),
          wishes: Wishes(store: store, now: { clock.now })))
    }
  }

  func stock(_ item: String, _ title: String, by author: String) async throws {
    var edition = Edition(item: ItemID(item), title: title)
    edition.contributors = [Contributor(name: author, role: .author)]
    try await catalog.take([edition], of: town, provider: ProviderID("lender"))
  }

  func work(_ item: String) async throws -> WorkID? {
    try await catalog.edition(ItemID(item), at: town)?.work
  }

  @discardableResult
  func add(
    _ title: String, _ authors: [String] = [], to list: ListID, of patron: PatronID = ada
  ) async throws -> ListMember {
    try await lists.add(
      ListedBook(work: nil, title: title, authors: authors), to: list, of: patron, hint: title
    ).member
  }

  /// Reads the lists, recognizes, and tells what there is.
  func look(of patron: PatronID? = nil) async throws -> [Wish] {
    _ = try await wishes.follow()
    try await wishes.recognize(in: catalog)
    return try await wishes.wishes(of: patron)
  }
}

let town = LibraryID("town")
let (ada, bob) = (PatronID("ada"), PatronID("bob"))
