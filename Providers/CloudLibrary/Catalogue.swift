package import Circulation
import FoundationEssentials
import ProviderKit

// The catalogue: crawling it by MARC and items, following its events, asking what can be had.

extension CloudLibraryProvider {
  /// The most records that a page of MARC has.
  static let marcLimit = 50
  /// An answer as long as this has been cut (§5).
  static let fullBatch = 100
  static let longestStretch = 86_400
  static let shortestStretch = 60
  /// Events surface late, so each look begins a while before the last one ended.
  static let overlap = 600.0
  /// Silence for this long may be a hidden failure: the whole catalogue is read again (§5).
  static let longestSilence = 7 * 86_400.0

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    var told: [ItemID: Availability] = [:]
    for wire in try await self.items(items, .availability, in: call) {
      told[ItemID(wire.itemID)] = wire.availability(asOf: session.clock.date())
    }
    told = told.filter { items.contains($0.key) }
    for item in items where told[item] == nil {
      told[item] = Availability(.unknownToProvider, asOf: session.clock.date())
    }
    return told
  }

  package func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    let now = session.clock.date()
    guard let cursor else { return try await crawl(from: 1, began: now, in: call) }
    switch Place(cursor) {
    case .crawl(let began, let offset): return try await crawl(from: offset, began: began, in: call)
    case .events(let stretch): return try await follow(stretch, now, in: call)
    case nil: throw Documents.malformed("a cursor of ours", .harvest)
    }
  }

  // MARK: - The whole

  private func crawl(from offset: Int, began: Date, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    let page = try await records(from: offset, in: call)
    guard page.received > 0 else {
      let next = Stretch(
        from: began.addingTimeInterval(-Self.overlap), length: Self.longestStretch, heard: began)
      return HarvestPage(changes: [], progress: .done(next: Place.events(next).cursor))
    }
    let known = Dictionary(page.records.map { ($0.itemID, $0) }) { first, _ in first }
    let changes = try await changes(of: page.records.map { ItemID($0.itemID) }, known, in: call)
    return HarvestPage(
      changes: changes,
      progress: .more(Place.crawl(began: began, offset: offset + page.received).cursor))
  }

  /// The end is an empty body, and so is a failure. It is believed when it comes twice and the service
  /// answers another question with a document.
  private func records(from offset: Int, in call: Call)
    async throws(CirculationError) -> WireMARCPage
  {
    let errand = Errand.marc(from: offset, limit: Self.marcLimit)
    let first = try Documents.marc(try await ask(errand, .harvest, in: call))
    guard first.received == 0 else { return first }
    let second = try Documents.marc(try await ask(errand, .harvest, in: call))
    guard second.received == 0 else { return second }
    do throws(CirculationError) {
      _ = try await items([Self.nobodysItem], .harvest, in: call)
    } catch {
      // It may call an id malformed that names nothing: that is a word, too.
      guard error.reason == .titleGone else { throw error }
    }
    return second
  }

  private static let nobodysItem = ItemID("0")

  /// Title by title as it is now. One that is left out has left the collection.
  private func changes(
    of ids: [ItemID], _ records: [String: WireMARC] = [:], in call: Call
  ) async throws(CirculationError) -> [HarvestPage.Change] {
    let found = try await items(ids, .harvest, in: call)
    let items = Dictionary(found.map { ($0.itemID, $0) }) { first, _ in first }
    let now = session.clock.date()
    return ids.distinct.flatMap { id -> [HarvestPage.Change] in
      guard let item = items[id.rawValue] else { return [.removed(id)] }
      let edition = item.edition()
      return [
        .listed(records[id.rawValue].map { edition.completed(by: $0.edition()) } ?? edition),
        .availability(id, item.availability(asOf: now)),
      ]
    }
  }

  // MARK: - What happened since

  private func follow(_ stretch: Stretch, _ now: Date, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    guard now.timeIntervalSince(stretch.heard) < Self.longestSilence else {
      return try await crawl(from: 1, began: now, in: call)
    }
    var stretch = stretch
    stretch.from = min(stretch.from, now)
    let (events, end): (WireEvents, Date)
    while true {
      let limit = min(stretch.from.addingTimeInterval(Double(stretch.length)), now)
      let answer = try await ask(.events(from: stretch.from, to: limit), .harvest, in: call)
      let batch = try Documents.events(answer)
      guard batch.count >= Self.fullBatch else {
        (events, end) = (batch, limit)
        break
      }
      guard stretch.length > Self.shortestStretch else {
        // Nothing shorter can be asked for, so some events will never be seen.
        return try await crawl(from: 1, began: now, in: call)
      }
      stretch.length = max(stretch.length / 4, Self.shortestStretch)
    }
    let changes = try await changes(of: events.items.map { ItemID($0) }, in: call)
    return HarvestPage(changes: changes, progress: stretch.progress(events, to: end, now))
  }
}

/// From where events are asked for next, and how much at once.
struct Stretch: Sendable, Hashable {
  var from: Date
  /// In seconds: as long as the service's answers allow.
  var length: Int
  /// When the last event was heard of.
  var heard: Date

  fileprivate func progress(_ events: WireEvents, to end: Date, _ now: Date)
    -> HarvestPage.Progress
  {
    var next = self
    if events.count > 0 { next.heard = max(heard, end) }
    if events.count < CloudLibraryProvider.fullBatch / 4 {
      next.length = min(length * 2, CloudLibraryProvider.longestStretch)
    }
    next.from = end
    if end < now { return .more(Place.events(next).cursor) }
    next.from = end.addingTimeInterval(-CloudLibraryProvider.overlap)
    return .done(next: Place.events(next).cursor)
  }
}

/// Where a harvest stands, spelled into a cursor.
enum Place: Sendable, Hashable {
  case crawl(began: Date, offset: Int)
  case events(Stretch)

  init?(_ cursor: HarvestCursor) {
    let parts = cursor.value.split(separator: " ").map(String.init)
    switch (parts.first, parts.count) {
    case ("crawl", 3):
      guard let began = WireDate.instant(parts[1]), let offset = Int(parts[2]), offset > 0 else {
        return nil
      }
      self = .crawl(began: began, offset: offset)
    case ("events", 4):
      guard let from = WireDate.instant(parts[1]), let length = Int(parts[2]),
        (CloudLibraryProvider.shortestStretch...CloudLibraryProvider.longestStretch)
          .contains(length), let heard = WireDate.instant(parts[3])
      else { return nil }
      self = .events(Stretch(from: from, length: length, heard: heard))
    default: return nil
    }
  }

  var cursor: HarvestCursor {
    switch self {
    case .crawl(let began, let offset):
      HarvestCursor("crawl \(WireDate.written(began)) \(offset)")
    case .events(let stretch):
      HarvestCursor(
        "events \(WireDate.written(stretch.from)) \(stretch.length)"
          + " \(WireDate.written(stretch.heard))")
    }
  }
}
