import Catalog
import Circulation
import Database
package import Items
import ProviderKit
import Registry
package import Setup

extension LinkedEngine {
  package func readCatalogue(
    of provider: String, from file: String, at seat: Seat,
    progress: @escaping @Sendable (HarvestProgress) -> Void
  ) async throws(ErrorItem) -> HarvestItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let listing = try visit.opened { () throws(HouseError) in
        try visit.house.counter.listing(ProviderID(provider))
      }
      let library = try visit.library(of: listing)
      let told = try visit.opened { () throws(HouseError) in
        try visit.house.counter.library(library)
      }
      let catalogue = try Self.catalogue(listing, file, told)
      try await visit.catchUp(progress)
      var reading = CatalogueReading(
        house: visit.house, listing: listing, library: library, file: catalogue,
        progress: { progress(.reading($0)) })
      let item = await reading.carriedOut()
      // What is in the catalogue is found by those who have its library among theirs.
      if item.editions > 0 { try await visit.link(listing, at: library) }
      return item
    }
  }

  private static func catalogue(
    _ listing: ProviderListing, _ file: String, _ library: ProviderKit.Library
  ) throws(ErrorItem) -> CatalogueFile {
    guard let open = listing.fromFile else { throw ErrorItem("unsupported") }
    do throws(CatalogueFileError) { return try open(file, library) } catch {
      var item = ErrorItem("unreadable")
      switch error {
      case .unreadable(let why): item.detail = why
      case .unknownKind: item.detail = "\(file) is no catalogue of \(listing.title)"
      }
      throw item
    }
  }
}

extension Visit {
  /// The one that is linked already, or configured, or there for everybody.
  fileprivate func library(of listing: ProviderListing) throws(ErrorItem) -> LibraryID {
    guard let first = house.counter.libraries(of: listing.id).first else {
      var error = ErrorItem("not_configured")
      (error.library, error.detail) = (listing.title, "an entry under 'libraries'")
      throw error
    }
    return LibraryID(first.id)
  }

  /// Nobody needs a card there; the account stands for the wish to find its books.
  fileprivate func link(_ listing: ProviderListing, at library: LibraryID) async throws(ErrorItem) {
    guard listing.fields.allSatisfy({ !$0.isRequired }),
      try await !accounts().contains(where: { $0.library == library })
    else { return }
    _ = try await told { () throws(RegistryError) in
      try await house.registry.link(
        patron: patron.id, name: .like(library.rawValue), provider: listing.id, library: library,
        credentials: Credentials([:]), pinVerified: false, request: House.requestID())
    }
  }
}

/// A catalogue from the disk on its way into ours.
private struct CatalogueReading {
  let house: House
  let listing: ProviderListing
  let library: LibraryID
  let file: CatalogueFile
  let progress: @Sendable (HarvestItem) -> Void

  mutating func carriedOut() async -> HarvestItem {
    var item = HarvestItem(library: library.rawValue, provider: listing.id.rawValue)
    let before = try? await house.catalog.tally(of: library)
    let heard = HeardTally()
    do throws(ErrorItem) {
      let tally: HarvestTally
      do throws(HarvestFailure) {
        tally =
          file.kind == .whole ? try await harvested(item, heard) : try await taken(item, heard)
      } catch {
        item = item.counted(heard.last)
        throw trouble(error)
      }
      item = item.counted(tally)
      item.isComplete = true
      item.trouble = ErrorItem(shrunk: tally, of: before?.editions ?? 0)
      item.trouble?.library = listing.title
    } catch {
      item.trouble = error
    }
    item.editions = (try? await house.catalog.tally(of: library))?.editions ?? 0
    return item
  }

  private func trouble(_ failure: HarvestFailure) -> ErrorItem {
    switch failure {
    case .provider(let error):
      var item = ErrorItem(error)
      item.library = listing.title
      return item
    case .database(let error): return ErrorItem(error)
    }
  }

  private func harvested(_ item: HarvestItem, _ heard: HeardTally) async throws(HarvestFailure)
    -> HarvestTally
  {
    let (file, progress, house) = (file, progress, house)
    return try await house.catalog.harvest(
      library, from: file.provider, full: false,
      call: { house.call(nil, limit: .seconds(3600)) },
      progress: { tally in
        heard.note(tally)
        progress(Self.counted(item, tally, file))
      })
  }

  private static func counted(_ item: HarvestItem, _ tally: HarvestTally, _ file: CatalogueFile)
    -> HarvestItem
  {
    var item = item.counted(tally)
    (item.bytesRead, item.bytesInAll) = file.progress()
    return item
  }

  /// Titles that say nothing of those beside them: an outline tells less than is known already.
  private func taken(_ item: HarvestItem, _ heard: HeardTally) async throws(HarvestFailure)
    -> HarvestTally
  {
    var tally = HarvestTally()
    var cursor: HarvestCursor?
    while true {
      let page: HarvestPage
      do throws(CirculationError) {
        page = try await file.provider.harvest(
          from: cursor, in: house.call(nil, limit: .seconds(3600)))
      } catch {
        throw .provider(error)
      }
      do throws(DatabaseError) { try await take(page, &tally) } catch { throw .database(error) }
      heard.note(tally)
      progress(Self.counted(item, tally, file))
      guard case .more(let next) = page.progress else { break }
      cursor = next
    }
    tally.isComplete = true
    return tally
  }

  private func take(_ page: HarvestPage, _ tally: inout HarvestTally) async throws(DatabaseError) {
    var editions = page.editions
    let known = try await house.catalog.entries(for: editions.map { (library, $0.item) })
    let isKnown = Set(zip(editions, known).filter { $1 != nil }.map(\.0.item))
    if file.kind == .outline { editions.removeAll { isKnown.contains($0.item) } }
    try await house.catalog.take(editions, of: library, provider: listing.id)
    let items = Set(editions.map(\.item))
    var answers: [ItemID: Availability] = [:]
    for case .availability(let item, let answer) in page.changes where items.contains(item) {
      answers[item] = answer
    }
    try await house.catalog.note(answers, at: library)
    let fresh = editions.count { !isKnown.contains($0.item) }
    tally.pages += 1
    tally.added += fresh
    tally.changed += editions.count - fresh
    tally.unchanged += page.editions.count - editions.count
    tally.warnings += page.warnings.prefix(max(0, 100 - tally.warnings.count))
    tally.warningCount += page.warnings.count
  }
}
