import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
package import Items
import OPDS
package import Setup

extension LinkedEngine {
  package func feed(_ order: FeedOrder, at seat: Seat) async throws(ErrorItem) -> FeedItem {
    switch order {
    case .address(let text):
      return try await Self.named(text) { () throws(ErrorItem) in
        let reply = try await Self.fetched(text, seat)
        return try Self.item(
          reply.body, reply.headers["Content-Type"].flatMap { MediaType(parsing: $0) },
          from: reply.address)
      }
    case .body(let bytes):
      // A file tells its own address, if anything does.
      guard let nowhere = try? Address("https://feed.invalid/") else {
        throw ErrorItem("unexpected")
      }
      let own = try? Document(bytes, type: nil, from: nowhere, .mending).feed?.links.first(.own)
      return try await Self.named("the file") { () throws(ErrorItem) in
        try Self.item(bytes, nil, from: own?.address ?? nowhere)
      }
    }
  }

  /// Where the trouble is, for people.
  private static func named<Answer>(
    _ source: String, _ body: () async throws(ErrorItem) -> Answer
  ) async throws(ErrorItem) -> Answer {
    do throws(ErrorItem) { return try await body() } catch {
      var error = error
      error.library = source
      throw error
    }
  }

  private static func fetched(_ text: String, _ seat: Seat) async throws(ErrorItem) -> Reply {
    guard let address = try? Address(Address.escaped(text)) else {
      throw ErrorItem("bad_value", text)
    }
    let result: Result<Reply, TransportError>
    do throws(TransportError) {
      let client = try Client(ClientConfiguration(seat.configuration, seat.place.environment))
      var request = Request(.get, address)
      request.headers.set("Accept", accepted)
      do throws(TransportError) { result = .success(try await client.send(request)) } catch {
        result = .failure(error)
      }
      await client.shutdown()
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let reply) where reply.status.isSuccess: return reply
    case .success(let reply):
      throw ErrorItem("provider_unavailable", "HTTP \(reply.status.code)")
    case .failure(.refusedAddress):
      throw ErrorItem("not_configured", "an address that may be called (http.allow_hosts)")
    case .failure(let error): throw ErrorItem("network_failure", "\(error)")
    }
  }

  private static let accepted =
    "application/atom+xml;profile=opds-catalog, application/opds+json;q=0.9, */*;q=0.1"

  private static func item(_ body: [UInt8], _ type: MediaType?, from address: Address)
    throws(ErrorItem) -> FeedItem
  {
    let document: Document
    do throws(Document.Fault) {
      document = try Document(body, type: type, from: address, .mending)
    } catch {
      throw ErrorItem("malformed_response", error.wanted)
    }
    switch document {
    case .feed(let feed): return FeedItem(feed, source: address.authority)
    case .entry(let publication):
      var feed = Feed(title: publication.title)
      (feed.id, feed.updated, feed.publications) = (
        publication.id, publication.updated, [publication]
      )
      return FeedItem(feed, source: address.authority)
    default: throw ErrorItem("malformed_response", "a feed, not another document")
    }
  }
}

extension FeedItem {
  fileprivate init(_ feed: Feed, source: String) {
    self.init(kind: feed.kind.rawValue, title: feed.title)
    (id, updated, faults) = (feed.id, feed.updated?.rfc3339, feed.faults)
    links = feed.links.map { link in
      FeedLinkItem(
        rel: link.relations.map(\.rawValue), href: link.href, type: link.type?.description,
        title: link.title)
    }
    facets = feed.facets.flatMap { group in
      group.facets.map { facet in
        var item = FeedFacetItem(
          group: group.title, title: facet.link.title ?? "", href: facet.link.href,
          isActive: facet.isActive)
        item.count = facet.link.count
        return item
      }
    }
    entries = feed.navigation.map { .place(PlaceItem($0)) }
    entries += feed.publications.map { .book(WorkItem($0, source: source), lane: nil) }
    for lane in feed.groups {
      entries += lane.navigation.map { .place(PlaceItem($0)) }
      entries += lane.publications.map { .book(WorkItem($0, source: source), lane: lane.title) }
    }
  }
}

extension PlaceItem {
  fileprivate init(_ place: Feed.NavigationEntry) {
    self.init(id: place.id, title: place.title)
    href = place.target?.href ?? place.links.first?.href
    summary = place.summary
  }
}

extension WorkItem {
  /// As a stranger to the catalogue sees it; there is no card whose offers these could be.
  fileprivate init(_ publication: Publication, source: String) {
    guard let edition = publication.edition(named: ItemID(publication.id)) else {
      self.init(id: publication.id, title: publication.title)
      return
    }
    self.init(id: publication.id, edition)
    guard !edition.formats.isEmpty else { return }
    let terms = publication.terms
    var offer = OfferItem(
      account: source, provider: "opds", item: publication.id, terms: Self.words(of: terms),
      availability: AvailabilityItem(Availability(terms, asOf: Date()), source: source))
    offer.formats = edition.formats.map { FormatItem($0) }
    offers = [offer]
  }

  private static func words(of terms: Circulation.Availability.Status) -> String {
    switch terms {
    case .openAccess: "open_access"
    case .available: "loan"
    case .queued, .unavailable, .unknownToProvider: "hold"
    }
  }
}
