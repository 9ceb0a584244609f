import CSV
import Circulation
import FoundationEssentials
import Machine
import ProviderKit
import Synchronization

/// The catalogue from a file on the disk: the nightly archive, packed or not, one record, or the
/// table.
struct FileProvider: CirculationProvider {
  static let capabilities: Set<Capability> = [.harvest, .availability]

  private enum Content: Sendable {
    case archive(FeedReading)
    case record([UInt8])
    case table(TableFeed)
  }

  private let version: String
  private let content: Content
  private let media: Media

  func describe() -> ProviderDescription {
    ProviderDescription(provider: GutenbergProvider.listing.id, availabilityBatch: 1000)
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    let now = Date()
    return Dictionary(items.map { ($0, OpenAccess.availability(of: $0, asOf: now)) }) { a, _ in a }
  }

  func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    var offset = 0
    var scope = HarvestPage.Scope.asAsked
    // Another file, or the site's own feed, was read before.
    if let place = cursor.flatMap(Place.init), place.version == version {
      switch place.stand {
      case .under(let there): offset = there
      case .done: return HarvestPage(changes: [], progress: .done(next: cursor))
      }
    } else if cursor != nil {
      scope = .startsOver
    }
    var page = try await page(at: offset)
    page.scope = scope
    return page
  }

  private func page(at offset: Int) async throws(CirculationError) -> HarvestPage {
    switch content {
    case .archive(let reading):
      let pages = Pages(
        version: version, reading: reading, now: Date(), provider: describe().provider,
        media: media,
        isNoGood: {})
      return try await pages.page(at: offset)
    case .record(let bytes): return try record(bytes)
    case .table(let feed): return await table(feed, from: offset)
    }
  }

  private func record(_ bytes: [UInt8]) throws(CirculationError) -> HarvestPage {
    do throws(RecordFault) {
      let (record, wasMended) = try Record.reading(bytes)
      // A record that somebody names is wanted, whatever it is of.
      let (edition, warnings) = record.edition()
      var page = page([edition], isLast: true, offset: 1)
      page.warnings = warnings + (wasMended ? ["its encoding was mended"] : [])
      return page
    } catch {
      throw malformed("the record of a book", "\(error)")
    }
  }

  private func table(_ feed: TableFeed, from offset: Int) async -> HarvestPage {
    let rows = await feed.rows(from: offset, atMost: Settings.usualPage)
    var editions: [Edition] = []
    var warnings = rows.warnings
    for record in rows.records {
      let (edition, more) = record.edition()
      guard media.lists(edition) else { continue }
      editions.append(edition)
      warnings += more
    }
    var page = page(editions, isLast: rows.isLast, offset: rows.offset)
    page.warnings = warnings
    return page
  }

  private func page(_ editions: [Edition], isLast: Bool, offset: Int) -> HarvestPage {
    let now = Date()
    return HarvestPage(
      changes: editions.flatMap { edition -> [HarvestPage.Change] in
        [.listed(edition), .availability(edition.item, Availability(.openAccess, asOf: now))]
      },
      progress: isLast
        ? .done(next: Place(.done, in: version).cursor)
        : .more(Place(.under(offset: offset), in: version).cursor))
  }

  private func malformed(_ expected: String, _ says: String) -> CirculationError {
    CirculationError(
      .malformedResponse(expected: expected), from: describe().provider, during: .harvest,
      providerSays: says)
  }

  // MARK: - Which file

  /// By what is in it: names are changed by whoever saves a file.
  @Sendable static func open(_ path: String, _ library: Library)
    throws(CatalogueFileError) -> CatalogueFile
  {
    let media: Media
    do throws(SettingsFault) { media = try Media(library) } catch {
      throw .unreadable("\(error)")
    }
    do throws(FileError) { return try opened(path, media) } catch {
      if error == .notAFile(path: path) { throw .unknownKind }
      throw .unreadable("\(error)")
    }
  }

  private static func opened(_ path: String, _ media: Media) throws(FileError) -> CatalogueFile {
    let file = try OpenFile(path)
    let head: [UInt8]
    do throws(MachineError) { head = try file.read(upTo: 1024) } catch { throw .failed(error) }
    if head.starts(with: [0x42, 0x5A, 0x68]) { return archive(.bzip2, file, media) }
    if head.dropFirst(257).starts(with: Array("ustar".utf8)) { return archive(.none, file, media) }
    let all = try WholeFile.read(path, upTo: 256 << 20)
    if TableReading.isTable(all), let table = try? CSVTable(all) {
      return whole(.outline, .table(TableFeed(table)), file, media)
    }
    guard isMarkup(head) else { throw .notAFile(path: path) }
    return whole(.some, .record(all), file, media)
  }

  private static func isMarkup(_ head: [UInt8]) -> Bool {
    // A byte order mark, zeros of wider letters and blanks may stand in front.
    head.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
  }

  private static func archive(
    _ packing: FeedPipe.Packing, _ file: OpenFile, _ media: Media
  ) -> CatalogueFile {
    let present = Present()
    let reading = FeedReading(packing, pagesOf: Settings.usualPage) { () throws(FileError) in
      let opened = try OpenFile(file.path)
      present.file.withLock { $0 = opened }
      return opened
    }
    return CatalogueFile(
      .whole, FileProvider(version: file.version, content: .archive(reading), media: media),
      progress: { (present.file.withLock { $0?.position ?? 0 }, file.size) })
  }

  private static func whole(
    _ kind: CatalogueFile.Kind, _ content: Content, _ file: OpenFile, _ media: Media
  ) -> CatalogueFile {
    CatalogueFile(
      kind, FileProvider(version: file.version, content: content, media: media),
      progress: { (0, 0) })
  }

  /// The file that is being read.
  private final class Present: Sendable {
    let file = Mutex<OpenFile?>(nil)
  }
}
