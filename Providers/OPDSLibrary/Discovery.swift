package import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import Machine
import OPDS
import ProviderKit

// The catalogue: searching it, asking what can be had.

extension OPDSLibraryProvider {
  package func search(_ query: SearchQuery, in call: Call)
    async throws(CirculationError) -> [Edition]
  {
    let start = try await start(.search, in: call)
    guard let template = try await template(start, in: call),
      let address = template.address(for: query.words)
    else { throw failure(.unsupported(.search), .search) }
    var found: [Edition] = []
    var seen: Set<ItemID> = []
    var visited: Set<Address> = []
    var next: Address? = address
    while let page = next, visited.insert(page).inserted, visited.count <= 10,
      found.count < query.limit
    {
      let reply = try await get(page, eyes(start), .search, in: call)
      // Some answer "nothing" with a missing page (§2.7).
      if reply.status == .notFound, visited.count == 1, Documents.problem(reply) == nil,
        try await isThere(start, in: call)
      {
        return []
      }
      let feed = try Documents.feed(reply, .mending, .search)
      for publication in feed.everyPublication {
        if query.onlyAvailable, !publication.terms.canBeHadNow { continue }
        guard let edition = publication.edition(in: settings), seen.insert(edition.item).inserted
        else { continue }
        found.append(edition)
      }
      next = feed.next?.address
    }
    return Array(found.prefix(query.limit))
  }

  private func template(_ start: Start, in call: Call)
    async throws(CirculationError) -> SearchTemplate?
  {
    guard let text = start.search else { return nil }
    if start.searchIsTemplate { return SearchTemplate(text, type: nil) }
    guard let address = try? Address(text) else { return nil }
    let reply = try await get(address, eyes(start), .search, in: call)
    guard case .search(let description) = try Documents.document(reply, .strict, .search) else {
      throw Documents.malformed("a description of the search", .search)
    }
    return description.best
  }

  private func isThere(_ start: Start, in call: Call) async throws(CirculationError) -> Bool {
    try await get(settings.catalog, eyes(start), .search, in: call).status.isSuccess
  }

  // MARK: - Availability

  /// Title by title, several at once: no catalogue answers for many in one.
  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Circulation.Availability]
  {
    var told: [ItemID: Circulation.Availability] = [:]
    for batch in items.batches(of: 6) {
      let answers = try await concurrently(batch) { item throws(CirculationError) in
        try await self.availability(of: item, in: call)
      }
      for (item, answer) in zip(batch, answers) { told[item] = answer }
    }
    return told
  }

  private func availability(of item: ItemID, in call: Call)
    async throws(CirculationError) -> Circulation.Availability
  {
    let now = session.clock.date()
    guard let address = settings.address(of: item) else {
      // What only the lists tell of is free as a rule, and the lists say so when they are read.
      let title = try await found(item, .availability, in: call)
      return title.availability(asOf: now)
    }
    let start = try await start(.availability, in: call)
    var reply = try await get(address, eyes(start), .availability, in: call)
    if reply.status == .notFound, Documents.problem(reply).map(isVague) ?? true {
      // A page that is missing may be a fault in front of the catalogue: it is asked for once more,
      // and counts where the catalogue itself is there.
      reply = try await get(address, eyes(start), .availability, in: call)
      if reply.status == .notFound, Documents.problem(reply).map(isVague) ?? true {
        let home = try await get(settings.catalog, eyes(start), .availability, in: call)
        guard home.status.isSuccess else { throw Documents.failure(home, .availability) }
        return .init(.unknownToProvider, asOf: now)
      }
    }
    do throws(CirculationError) {
      let title = try Documents.publication(reply, .availability)
      guard !title.licenses.isEmpty, settings.reader != nil else {
        return title.availability(asOf: now)
      }
      let standing = try await standing(of: title, .availability, in: call).terms
      // A distributor keeps no line.
      guard case .queued(let counts) = standing else { return .init(standing, asOf: now) }
      return .init(.unavailable(counts), asOf: now)
    } catch {
      guard [.noLicenses, .titleGone].contains(error.reason), reply.status.code < 500 else {
        throw error
      }
      return .init(.unknownToProvider, asOf: now)
    }
  }

  /// A problem that says nothing beyond its status.
  private func isVague(_ problem: ProblemReport) -> Bool {
    Failures.reason(problem, .availability) == nil
  }

  // MARK: - Titles without a document

  /// Walks the lists until the title is met. That takes as long as the catalogue is long, so the call's
  /// own end is what bounds it, besides a count of pages.
  func found(_ item: ItemID, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Publication
  {
    var place = Place(began: session.clock.date())
    for _ in 0..<200 {
      let step = try await page(at: place, operation, in: call)
      if let found = step.publications.first(where: { settings.item(of: $0) == item }) {
        return found
      }
      guard let next = step.next else { break }
      place = next
    }
    throw failure(.titleGone, operation)
  }
}
