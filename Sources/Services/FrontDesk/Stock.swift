package import Catalog
package import Circulation
package import Covers
package import HTTPServer
package import ReadingLists
package import Registry
package import Shelving

/// What the feeds are made of. The house gives it; a test gives what it is about.
package struct Stock: Sendable {
  package var catalog: Catalog
  package var covers: CoverShelf
  /// Whoever exchanges lanes while the gateway runs puts a rack of their own here.
  package var rack: LaneRack
  /// What everybody may look through.
  package var libraries: [LibraryID]
  /// Those whose cards sign in.
  package var signInLibraries: [LibraryID] = []
  package var nameOfLibrary: @Sendable (LibraryID) -> String
  /// By which clock a library's loans end, for people.
  package var clock: @Sendable (LibraryID) -> PlaceClock
  /// Who stands behind a request that brings credentials.
  package var admit: @Sendable (Request) async -> Admission
  package var shelf: @Sendable (PatronID) async throws(StockError) -> ReaderShelf
  /// Libraries that did not answer anybody when they were asked last.
  package var silent: @Sendable () async throws(StockError) -> Set<LibraryID>
  /// Lists of librarians that this reader, or any stranger, may see; the last edited first.
  package var curated: @Sendable (PatronID?) async throws(StockError) -> [CustomList]
  /// Asks the reader's libraries that list nothing what they have of a work; whether something came in.
  package var lookUp: @Sendable (CatalogEntry, [Account]) async -> Bool
  /// Asks the same libraries for words that the reader typed.
  package var seek: @Sendable (String, [Account]) async -> Void = { _, _ in }
  /// Pages for a book at libraries that can only be looked at.
  package var outlooks: @Sendable ([Account], Edition) -> [LibraryPage] = { _, _ in [] }
  /// Milliseconds since 1970.
  package var now: @Sendable () -> Int64

  /// As they are configured, lanes within lanes.
  package var lanes: [Lane] { rack.lanes }

  package init(
    catalog: Catalog, covers: CoverShelf, lanes: [Lane], libraries: [LibraryID],
    nameOfLibrary: @escaping @Sendable (LibraryID) -> String,
    clock: @escaping @Sendable (LibraryID) -> PlaceClock = { _ in .utc },
    admit: @escaping @Sendable (Request) async -> Admission,
    shelf: @escaping @Sendable (PatronID) async throws(StockError) -> ReaderShelf,
    silent: @escaping @Sendable () async throws(StockError) -> Set<LibraryID>,
    curated: @escaping @Sendable (PatronID?) async throws(StockError) -> [CustomList] = {
      _ throws(StockError) in []
    },
    lookUp: @escaping @Sendable (CatalogEntry, [Account]) async -> Bool = { _, _ in false },
    now: @escaping @Sendable () -> Int64
  ) {
    (self.catalog, self.covers, self.libraries) = (catalog, covers, libraries)
    rack = LaneRack(lanes)
    (self.nameOfLibrary, self.clock) = (nameOfLibrary, clock)
    (self.admit, self.shelf) = (admit, shelf)
    (self.silent, self.curated) = (silent, curated)
    (self.lookUp, self.now) = (lookUp, now)
  }
}

/// What is asked for cannot be read just now.
package struct StockError: Error, Sendable {
  package let what: String

  package init(_ what: String) { self.what = what }
}

/// A page outside, where a reader goes by hand.
package struct LibraryPage: Sendable, Hashable {
  package let library: String
  package let address: String

  package init(library: String, address: String) {
    (self.library, self.address) = (library, address)
  }
}
