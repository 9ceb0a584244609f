package import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import Machine
package import ProviderKit

/// Project Gutenberg: every book for everybody, no account, no loan, no queue. The catalogue comes
/// as one file, and books are fetched from a mirror.
package struct GutenbergProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [.harvest, .availability, .fulfilment]

  package static let listing = ProviderListing(
    id: ProviderID("gutenberg"), title: "Project Gutenberg", capabilities: capabilities,
    fields: [], needs: Settings.needs, decode: Decoding.decode,
    commonLibrary: LibraryID("gutenberg"), harvestLimit: .seconds(1800),
    fromFile: FileProvider.open,
    make: { library, _, session throws(SettingsFault) in
      GutenbergProvider(settings: try Settings(library), session: session)
    })

  let settings: Settings
  let session: Session
  private let shelf = ReadingShelf()

  init(settings: Settings, session: Session) {
    (self.settings, self.session) = (settings, session)
  }

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: 1000)
  }

  /// There is nobody to be checked.
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    AccountStanding()
  }

  /// Always and for everybody, so nobody is asked.
  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    let now = session.clock.date()
    return Dictionary(items.map { ($0, OpenAccess.availability(of: $0, asOf: now)) }) { a, _ in a }
  }

  // MARK: - The catalogue

  /// The first page fetches the file, where the site has a new one; the others are read from it.
  package func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    guard let cursor else {
      return try await pages(of: try await feed(in: call), in: call).page(at: 0)
    }
    guard let place = Place(cursor) else {
      throw failure(.malformedResponse(expected: "a cursor of ours"), .harvest)
    }
    if case .under(let offset) = place.stand, let kept = session.keptFile(Settings.feedName),
      kept.version == place.version
    {
      return try await pages(of: kept, in: call).page(at: offset)
    }
    let kept = try await feed(in: call)
    guard kept.version == place.version else {
      var page = try await pages(of: kept, in: call).page(at: 0)
      page.scope = .startsOver
      return page
    }
    switch place.stand {
    case .under(let offset): return try await pages(of: kept, in: call).page(at: offset)
    case .done: return HarvestPage(changes: [], progress: .done(next: cursor))
    }
  }

  private func feed(in call: Call) async throws(CirculationError) -> KeptFile {
    switch try await session.kept(settings.feed, as: Settings.feedName, .harvest, in: call) {
    case .file(let file): return file
    case .answered(let reply):
      let (reason, says) =
        Failures.reason(reply, whole: true) ?? (.malformedResponse(expected: "the feed"), nil)
      throw failure(reason, .harvest, says)
    }
  }

  private func pages(of kept: KeptFile, in call: Call) async -> Pages {
    let reading = await shelf.reading(of: kept, pagesOf: settings.pageSize)
    let (now, session) = (session.clock.date(), session)
    return Pages(
      version: kept.version, reading: reading, now: now, provider: Self.listing.id,
      media: settings.media
    ) { session.discard(kept) }
  }

  // MARK: - The book

  /// The record tells what there is by now; the files themselves come from the mirror.
  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard let number = BookNumber(item.rawValue)?.value else { throw failure(.titleGone, .fulfil) }
    let reply = try await session.send(settings.record(of: number), .fulfil, in: call)
    if let (reason, says) = Failures.reason(reply, whole: false) {
      throw failure(reason, .fulfil, says)
    }
    let record: Record
    do throws(RecordFault) { record = try Record.reading(reply.body).record } catch {
      throw failure(.malformedResponse(expected: "the record of a book"), .fulfil)
    }
    guard record.number == number else {
      throw failure(.malformedResponse(expected: "the record of number \(number)"), .fulfil)
    }
    guard let handed = record.fulfilment(as: format, by: settings) else {
      throw failure(.formatUnavailable, .fulfil)
    }
    return handed
  }

  private func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, _ says: String? = nil
  ) -> CirculationError {
    CirculationError(reason, from: Self.listing.id, during: operation, providerSays: says)
  }
}

enum OpenAccess {
  /// Anything with a number can be had. Whether there is a book of that number, the catalogue
  /// knows.
  static func availability(of item: ItemID, asOf now: Date) -> Availability {
    Availability(BookNumber(item.rawValue) == nil ? .unknownToProvider : .openAccess, asOf: now)
  }
}

/// The reading that goes on from page to page.
private actor ReadingShelf {
  private var present: (file: KeptFile, reading: FeedReading)?

  func reading(of file: KeptFile, pagesOf size: Int) -> FeedReading {
    if let present, present.file == file { return present.reading }
    let reading = FeedReading(.bzip2, pagesOf: size) { () throws(FileError) in
      try OpenFile(file.path)
    }
    present = (file, reading)
    return reading
  }
}
