package import Circulation
import FoundationEssentials
import ProviderKit

// The catalogue: crawling it, asking what can be had.

extension Axis360Provider {
  /// The inventory tells what is licensed and nothing of copies, so these are asked for title by
  /// title, whether or not anything else changed (§5.1).
  package func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    let now = session.clock.date()
    var place = Place(began: now, since: Place.beginning, page: 1)
    if let cursor {
      guard let found = Place(cursor, now: now) else {
        throw Documents.malformed("a cursor of ours", .harvest)
      }
      place = found
    }
    let answer = try await ask(
      settings.inventory(since: WireMoment.written(place.since), page: place.page), .harvest,
      in: call)
    let page = try Documents.inventory(answer, .harvest)
    let licensed = page.titles.filter(\.active).map { ItemID($0.titleID) }
    let known = try await titles(of: licensed, .harvest, in: call)
    return HarvestPage(
      changes: page.titles.flatMap { $0.changes(with: known[ItemID($0.titleID)], asOf: now) },
      progress: page.hasNext(after: place.page)
        ? .more(place.next.cursor) : .done(next: place.following),
      total: page.totalCount)
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    guard !items.isEmpty else { return [:] }
    let known = try await titles(of: items, .availability, in: call)
    let now = session.clock.date()
    // What is asked for and not answered is not there any more (§5.2).
    let told = items.map { item in
      (item, known[item]?.availability(asOf: now) ?? Availability(.unknownToProvider, asOf: now))
    }
    return Dictionary(told) { first, _ in first }
  }

  func titles(of items: [ItemID], _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [ItemID: WireTitle]
  {
    var found: [ItemID: WireTitle] = [:]
    for batch in items.batches(of: Self.batch) {
      let answer = try await ask(settings.availability(of: batch), operation, in: call)
      for title in try Documents.titles(answer, operation) { found[ItemID(title.titleId)] = title }
    }
    return found
  }
}

extension InventoryTitle {
  fileprivate func changes(with known: WireTitle?, asOf now: Date) -> [HarvestPage.Change] {
    let item = ItemID(titleID)
    guard active else { return [.removed(item)] }
    let availability =
      known?.availability(asOf: now) ?? Availability(.unknownToProvider, asOf: now)
    return [.listed(edition(with: known)), .availability(item, availability)]
  }
}

/// Where a crawl stands, spelled into a cursor.
private struct Place {
  /// Clocks differ, and a moment that is still to come for the service is refused (§5.1).
  static let overlap = 3600.0
  static let beginning = Date(timeIntervalSince1970: 946_684_800)

  let began: Date
  let since: Date
  let page: Int

  init(began: Date, since: Date, page: Int) {
    (self.began, self.since, self.page) = (began, since, page)
  }

  init?(_ cursor: HarvestCursor, now: Date) {
    let parts = cursor.value.split(separator: " ").map(String.init)
    guard parts.count == 4, parts[0] == "from", let since = WireDate.instant(parts[1]),
      let page = Int(parts[3]), page > 0
    else { return nil }
    // The next look for changes reaches back to this one, not to the one before.
    guard let began = parts[2] == "-" ? now : WireDate.instant(parts[2]) else { return nil }
    self.init(began: began, since: since, page: page)
  }

  var next: Place { Place(began: began, since: since, page: page + 1) }

  var cursor: HarvestCursor {
    HarvestCursor("from \(WireDate.written(since)) \(WireDate.written(began)) \(page)")
  }

  /// The first page of what has changed since this crawl began.
  var following: HarvestCursor {
    HarvestCursor("from \(WireDate.written(began.addingTimeInterval(-Self.overlap))) - 1")
  }
}
