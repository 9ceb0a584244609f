package import Circulation
import FoundationEssentials
import HTTP
import JSON
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
    case .page(let href):
      let request = WireRequest(.get, try own(href, .harvest))
      page = try self.page(try await asClient(request, .harvest, in: call), .harvest)
    }
    let editions = try await editions(of: page.products, .harvest, in: call)
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
    let page = try await self.page(with: items, .search, in: call)
    return try await editions(of: page.products, .search, in: call)
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    var found: [ItemID: Availability] = [:]
    for batch in batches(of: items) {
      let token = try await collection(.availability, in: call)
      let json = try await asClient(
        settings.bulkAvailability(in: token, of: batch), .availability, in: call)
      guard let list = json["availability"]?.array ?? (json["totalItems"]?.whole == 0 ? [] : nil)
      else { throw malformed("a list of availability", .availability) }
      for wire in list.compactMap({ WireAvailability($0) }) {
        guard let id = wire.reserveId else { continue }
        found[ItemID(id)] = wire.availability(
          asOf: session.clock.date(), advantage: settings.advantage)
      }
      for item in batch where found[item] == nil {
        found[item] = try await singleAvailability(of: item, in: token, call)
      }
    }
    return found
  }

  /// What the bulk answer left out is asked for by itself before it counts as gone (§6.5).
  private func singleAvailability(of item: ItemID, in token: String, _ call: Call)
    async throws(CirculationError) -> Availability
  {
    do throws(CirculationError) {
      let json = try await asClient(
        settings.availability(in: token, of: item), .availability, in: call)
      guard let wire = WireAvailability(json) else {
        throw malformed("availability", .availability)
      }
      return wire.availability(asOf: session.clock.date(), advantage: settings.advantage)
    } catch {
      guard error.reason == .titleGone else { throw error }
      return Availability(.unknownToProvider, asOf: session.clock.date())
    }
  }

  // MARK: - Pages

  private func firstPage(_ items: [Address.QueryItem], in call: Call)
    async throws(CirculationError) -> WirePage
  {
    try await page(with: [.init("limit", "300")] + items, .harvest, in: call)
  }

  /// A page of the collection. The token in its address changes from time to time: where it leads
  /// nowhere, the library's document is read once more before that is believed (§3.3).
  private func page(
    with items: [Address.QueryItem], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> WirePage {
    do throws(CirculationError) {
      let token = try await collection(operation, in: call)
      return try page(
        try await asClient(settings.products(in: token, items), operation, in: call), operation)
    } catch {
      guard error.reason == .titleGone else { throw error }
      await forgetCollection(in: call)
      let token = try await collection(operation, in: call)
      return try page(
        try await asClient(settings.products(in: token, items), operation, in: call), operation)
    }
  }

  private func page(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WirePage
  {
    guard let page = WirePage(json) else { throw malformed("a page of products", operation) }
    return page
  }

  /// The list tells little; the rest stands in the metadata, 25 at a time. What is listed but not
  /// owned is left out, and what has no metadata is taken as listed.
  private func editions(
    of products: [WireProduct], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [Edition] {
    var metadata: [String: WireMetadata] = [:]
    for batch in batches(of: products.map { ItemID($0.id) }) {
      let token = try await collection(operation, in: call)
      let json = try await asClient(
        settings.bulkMetadata(in: token, of: batch), operation, in: call)
      for wire in (json["metadata"]?.elements ?? []).compactMap(WireMetadata.init) {
        metadata[wire.id] = wire
      }
    }
    return products.compactMap { product -> Edition? in
      guard let edition = (metadata[product.id] ?? WireMetadata(product.json))?.edition() else {
        return nil
      }
      return edition.owned == false ? nil : edition
    }
  }

  func batches(of items: [ItemID]) -> [[ItemID]] {
    stride(from: 0, to: items.count, by: Self.batch).map {
      Array(items[$0..<min($0 + Self.batch, items.count)])
    }
  }

  // MARK: - The collection's token

  func collection(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> String
  {
    try await session.token(for: collectionToken(operation), during: operation, in: call).value
  }

  private func forgetCollection(in call: Call) async {
    let key = collectionToken(.harvest).key
    await session.tokens.forget { $0 == key }
  }

  private func collectionToken(_ operation: Circulation.Operation) -> ProviderKit.Authorization {
    let scope = "collection \(settings.discovery.text) \(settings.libraryID)"
    return ProviderKit.Authorization(
      key: .init(scope: "\(scope) \(settings.advantage ?? 0)", credentials: []),
      fetch: { [self] call throws(CirculationError) in
        do throws(CirculationError) {
          let json = try await asClient(settings.libraryDocument, operation, in: call)
          guard let library = WireLibrary(json) else {
            throw malformed("a library document", operation)
          }
          return TokenDesk.Token(
            library.collectionToken, expires: session.clock.now() + .seconds(86_400))
        } catch {
          // A library that does not exist is a slip in our settings, not a title that went.
          guard error.reason == .titleGone else { throw error }
          throw CirculationError(
            .notConfigured(what: "the library's id"), from: describe().provider, during: operation,
            providerSays: error.providerSays)
        }
      })
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
