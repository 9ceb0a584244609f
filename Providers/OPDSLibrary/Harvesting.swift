package import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import OPDS
import ProviderKit

// Reading the whole catalogue, page by page (§14.8, §14.16).

extension OPDSLibraryProvider {
  package func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    let now = session.clock.date()
    var place = Place(began: now)
    if let cursor {
      guard let found = Place(cursor, now: now) else {
        throw Documents.malformed("a cursor of ours", .harvest)
      }
      place = found
    }
    var warnings: [String] = []
    var isCut = false
    // Pages that only lead on are no pages of a harvest.
    for _ in 0..<Self.steps {
      var step = try await page(at: place, .harvest, in: call)
      if let next = step.next, next.pages >= settings.mostFeeds { step.ends(at: next) }
      let changes = changes(in: step.publications, asOf: now)
      warnings += step.warnings
      isCut = isCut || step.isCut
      if let next = step.next, changes.isEmpty {
        place = next
        continue
      }
      let progress = step.next.map { HarvestPage.Progress.more($0.cursor) }
      var page = HarvestPage(
        changes: changes, progress: progress ?? .done(next: step.following?.cursor),
        total: step.total)
      (page.warnings, page.isCut) = (warnings, isCut)
      return page
    }
    var page = HarvestPage(changes: [], progress: .more(place.cursor))
    (page.warnings, page.isCut) = (warnings, isCut)
    return page
  }

  private static let steps = 10

  private func changes(in publications: [Publication], asOf now: Date) -> [HarvestPage.Change] {
    var seen: Set<ItemID> = []
    return publications.flatMap { publication -> [HarvestPage.Change] in
      guard let edition = publication.edition(in: settings), seen.insert(edition.item).inserted
      else { return [] }
      // Of rights the list does not tell how many copies are out; whoever searches asks.
      guard publication.licenses.isEmpty else { return [.listed(edition)] }
      return [
        .listed(edition), .availability(edition.item, publication.availability(asOf: now)),
      ]
    }
  }

  /// What one page brought, and where to go from there.
  struct Step {
    var publications: [Publication] = []
    /// Nil at the end.
    var next: Place?
    /// Where the next look for changes begins; nil where all has to be read again.
    var following: Place?
    var total: Int?
    /// What of it could not be read, and where it leads round.
    var warnings: [String] = []
    /// Whether there was more than was taken.
    var isCut = false

    init(_ feed: Feed) {
      publications = feed.everyPublication
      isCut = feed.isCut
      warnings = Array(feed.faults.prefix(20))
    }

    init(following: Place? = nil) { self.following = following }

    fileprivate mutating func isLeft(_ what: String, at place: Place) {
      isCut = true
      warnings.append("page \(place.pages): \(what)")
    }

    /// Where more feeds have been read than a catalog of its kind may have.
    fileprivate mutating func ends(at place: Place) {
      (next, following) = (nil, nil)
      isLeft("more feeds than are read, so the rest was left", at: place)
    }

    fileprivate mutating func endsRound(at place: Place) {
      warnings.append("page \(place.pages + 1) leads round in a circle, so the list was left")
    }
  }

  func page(at place: Place, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Step
  {
    let start = try await start(operation, in: call)
    switch place.way {
    case .beginning:
      var place = place
      if let all = start.crawlable {
        place.way = .crawl(all)
      } else {
        place.way = .walk([settings.catalog])
      }
      return try await page(at: place, operation, in: call)
    case .crawl(let address): return try await crawled(address, place, start, operation, in: call)
    case .walk(let queue): return try await walked(queue, place, start, operation, in: call)
    }
  }

  // MARK: - One list of all

  private func crawled(
    _ address: Address, _ place: Place, _ start: Start, _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> Step {
    var place = place
    let isFirst = place.pages == 0
    let etag = isFirst && place.since != nil ? place.etag : nil
    let reply = try await get(address, eyes(start), operation, etag: etag, in: call)
    // The first page is where news stands, and it is what it was.
    if reply.status == .notModified, etag != nil { return Step(following: place.following) }
    let feed = try self.feed(reply, operation)
    var step = Step(feed)
    step.total = feed.total
    let isRound = place.isRound(step.publications, at: address, next: feed.next?.address)
    if isFirst { place.etag = reply.headers["ETag"] }
    place.note(step.publications)
    if let since = place.since {
      let old = step.publications.firstIndex { $0.updated.map { $0 < since } ?? false }
      step.total = nil
      if let old {
        step.publications.removeSubrange(old...)
        step.following = place.following
        return step
      }
    }
    guard let next = feed.next?.address else {
      step.following = place.isOrdered ? place.following : nil
      return step
    }
    do throws(Place.Loop) {
      if isRound { throw .circle }
      try place.turn(to: next)
    } catch {
      step.following = nil
      switch error {
      // All that there is has been seen, though the catalogue says otherwise.
      case .circle: step.endsRound(at: place)
      case .endless: step.isLeft("no catalogue has more pages, so the rest was left", at: place)
      }
      return step
    }
    step.next = place
    return step
  }

  func feed(_ reply: Reply, _ operation: Circulation.Operation) throws(CirculationError) -> Feed {
    let feed = try Documents.feed(reply, .mending, operation)
    // One that cannot be read is left out; where none can it is no empty page.
    guard feed.faults.isEmpty || !feed.everyPublication.isEmpty || !feed.navigation.isEmpty else {
      throw Documents.malformed("entries that can be read", operation)
    }
    return feed
  }

  // MARK: - List after list

  private func walked(
    _ queue: [Address], _ place: Place, _ start: Start, _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> Step {
    guard let address = queue.first else { return Step() }
    var place = place
    let reply = try await get(address, eyes(start), operation, in: call)
    let feed = try self.feed(reply, operation)
    var step = Step(feed)
    let isRound = place.isRound(step.publications, at: address, next: feed.next?.address)
    if place.pages == 0, let all = everything(in: feed) {
      // One list that has everything saves the walk through all others.
      place.way = .crawl(all)
      step.next = place
      return step
    }
    if isRound { step.endsRound(at: place) }
    let next = isRound ? nil : feed.next?.address
    let left = place.walk(on: next, into: lanes(of: feed), from: queue, home: settings.catalog)
    if left > 0 { step.isLeft("\(left) lists more than are walked through", at: place) }
    if case .walk(let left) = place.way, !left.isEmpty { step.next = place }
    return step
  }

  private func lanes(of feed: Feed) -> [Address] {
    let places = feed.navigation + feed.groups.flatMap(\.navigation)
    let lanes = places.filter { place in
      // Extracts of what stands elsewhere.
      !place.links.contains { link in
        link.relations.contains {
          $0 == .shelf || $0.rawValue.hasSuffix("/sort/popular")
            || $0.rawValue.hasSuffix("/featured") || $0.rawValue.hasSuffix("/recommended")
        }
      }
    }
    let wholes = feed.groups.compactMap { $0.link }.filter { $0.type?.isCatalog != false }
    return (wholes.map(\.address) + lanes.map { $0.target?.address }).compactMap(\.self)
  }

  private func everything(in feed: Feed) -> Address? {
    if let link = feed.navigation.lazy.compactMap({ $0.links.first(.crawlable)?.address }).first {
      return link
    }
    let named = feed.navigation.filter { place in
      let words = ["all", "all books", "all titles", "all ebooks", "all publications"]
      let last = place.target?.address?.path.split(separator: "/").last.map(String.init) ?? ""
      return words.contains(place.title.lowercased()) || last.lowercased() == "all"
    }
    return named.count == 1 ? named[0].target?.address : nil
  }
}
