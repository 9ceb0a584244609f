package import Circulation
import FoundationEssentials
import HTTP
import ProviderKit

// The catalogue: crawling it, searching it, asking what can be had.

extension OverDriveProvider {
  /// A full crawl follows the links from page to page; afterwards only changes are asked for, from a
  /// while before the last crawl began, because they surface late (§5.1).
  package func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    let now = session.clock.date()
    var place = Place(began: now, step: .first)
    if let cursor {
      guard let found = Place(cursor) else { throw malformed("a cursor of ours", .harvest) }
      place = found
    }
    let page: WirePage
    switch place.step {
    case .first: page = try await firstPage([.init("sort", "dateAdded:desc")], in: call)
    case .since(let date):
      // The next look for changes reaches back to this one, not to the one before.
      place.began = now
      page = try await firstPage([.init("lastUpdateTime", WireDate.written(date))], in: call)
    case .page(let href): page = try await nextPage(href, in: call)
    }
    let editions = try await editions(of: page, as: .library, .harvest, in: call)
    let progress: HarvestPage.Progress
    if let next = page.next {
      progress = .more(Place(began: place.began, step: .page(next.href)).cursor)
    } else {
      let since = place.began.addingTimeInterval(-Self.overlap)
      progress = .done(next: Place(began: place.began, step: .since(since)).cursor)
    }
    return HarvestPage(
      changes: editions.map { .listed($0) }, progress: progress, total: page.totalItems)
  }

  private static let overlap = 7200.0

  package func search(_ query: SearchQuery, in call: Call)
    async throws(CirculationError) -> [Edition]
  {
    var items: [Address.QueryItem] = [
      .init("q", query.words), .init("limit", String(min(max(query.limit, 1), 300))),
      .init("sort", "relevance:desc"),
    ]
    if query.onlyAvailable { items.append(.init("availability", "true")) }
    let page = try await self.page(with: items, as: eyes, .search, in: call)
    return try await editions(of: page, as: eyes, .search, in: call)
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    var found: [ItemID: Availability] = [:]
    for batch in items.batches(of: Self.batch) {
      let json = try await ask(as: eyes, .availability, in: call) { token in
        settings.bulkAvailability(in: token, of: batch)
      }
      for wire in try Documents.availabilities(json, .availability) {
        guard let id = wire.reserveId else { continue }
        found[ItemID(id)] = wire.availability(
          asOf: session.clock.date(), advantage: settings.advantage)
      }
      for item in batch where found[item] == nil {
        found[item] = try await singleAvailability(of: item, in: call)
      }
    }
    return found
  }

  /// What the bulk answer left out is asked for by itself before it counts as gone: the service
  /// leaves out, and answers 404 for, what it has (§6.5).
  private func singleAvailability(of item: ItemID, in call: Call)
    async throws(CirculationError) -> Availability
  {
    do throws(CirculationError) {
      let json = try await askOnce(as: eyes, .availability, in: call) { token in
        settings.availability(in: token, of: item)
      }
      return try Documents.availability(json, .availability).availability(
        asOf: session.clock.date(), advantage: settings.advantage)
    } catch {
      guard error.reason == .titleGone else { throw error }
      return Availability(.unknownToProvider, asOf: session.clock.date())
    }
  }

  // MARK: - Pages

  private func firstPage(_ items: [Address.QueryItem], in call: Call)
    async throws(CirculationError) -> WirePage
  {
    try await page(with: [.init("limit", "300")] + items, as: .library, .harvest, in: call)
  }

  private func page(
    with items: [Address.QueryItem], as eyes: Eyes, _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> WirePage {
    let json = try await ask(as: eyes, operation, in: call) { token in
      settings.products(in: token, items)
    }
    return try Documents.page(json, operation)
  }

  /// The link holds the collection's token of the time when it was given.
  private func nextPage(_ href: String, in call: Call) async throws(CirculationError) -> WirePage {
    let address = try own(href, .harvest)
    let json = try await ask(as: .library, .harvest, in: call) { token in
      WireRequest(.get, address.inCollection(token))
    }
    return try Documents.page(json, .harvest)
  }

  /// The list tells little; the rest stands in the metadata, 25 at a time.
  private func editions(
    of page: WirePage, as eyes: Eyes, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [Edition] {
    var metadata: [String: WireMetadata] = [:]
    for batch in page.products.map({ ItemID($0.id) }).batches(of: Self.batch) {
      let json = try await ask(as: eyes, operation, in: call) { token in
        settings.bulkMetadata(in: token, of: batch)
      }
      for wire in Documents.metadata(json) { metadata[wire.id] = wire }
    }
    return page.editions(with: metadata)
  }
}

/// Where a crawl stands, spelled into a cursor.
private struct Place {
  enum Step {
    case first
    case page(String)
    case since(Date)
  }

  var began: Date
  let step: Step

  init(began: Date, step: Step) { (self.began, self.step) = (began, step) }

  init?(_ cursor: HarvestCursor) {
    let parts = cursor.value.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count == 3, let began = WireDate.instant(parts[0]) else { return nil }
    switch parts[1] {
    case "page": step = .page(parts[2])
    case "since":
      guard let date = WireDate.instant(parts[2]) else { return nil }
      step = .since(date)
    default: return nil
    }
    self.began = began
  }

  var cursor: HarvestCursor {
    let start = WireDate.written(began)
    switch step {
    case .first: return HarvestCursor("\(start) first -")
    case .page(let href): return HarvestCursor("\(start) page \(href)")
    case .since(let date): return HarvestCursor("\(start) since \(WireDate.written(date))")
    }
  }
}
