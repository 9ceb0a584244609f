import HTTP
import JSON
import ProviderKit

extension JSONReading {
  func isFeed(_ json: JSONValue, _ type: MediaType?) -> Bool {
    if Self.collections.contains(where: { json[$0] != nil }) { return true }
    if type?.isEntry == true { return false }
    if type?.isCatalog == true { return true }
    let isOffered = links(json["links"]).contains { $0.relations.contains(where: \.isAcquisition) }
    return !isOffered && json["images"] == nil
  }

  private static let collections = ["publications", "navigation", "groups", "facets", "catalogs"]

  func feed(_ json: JSONValue) throws(Document.Fault) -> Feed {
    let metadata = json["metadata"]
    guard let title = metadata?["title"]?.localized else { throw .torn("a feed without title") }
    for name in Self.collections + ["links"] {
      guard json[name].map({ $0.array != nil || $0.isNull }) ?? true else {
        throw .torn("'\(name)' is no list")
      }
    }
    var feed = Feed(title: title.bounded())
    feed.subtitle = metadata?["subtitle"]?.localized?.bounded()
    feed.updated = metadata?["modified"]?.words.flatMap(WireDate.instant)
    feed.total = metadata?["numberOfItems"]?.whole
    feed.perPage = metadata?["itemsPerPage"]?.whole
    feed.links = links(json["links"])
    feed.id = metadata?["identifier"]?.words ?? feed.links.first(.own)?.href
    feed.facets = (json["facets"]?.elements ?? []).prefix(Limits.facets).compactMap(facets)
    feed.navigation = navigation(json["navigation"], &feed)
    // A registry of catalogues is one way to lead on (§14.17).
    feed.navigation += feed.taking(
      Limits.entries, of: json["catalogs"]?.elements ?? [], "catalogs"
    ).compactMap(catalog)
    feed.publications = publications(json["publications"], &feed)
    for group in feed.taking(Limits.facets, of: json["groups"]?.elements ?? [], "groups") {
      feed.groups.append(lane(group, &feed))
    }
    return feed
  }

  private func lane(_ json: JSONValue, _ feed: inout Feed) -> Feed.Group {
    let links = links(json["links"])
    var lane = Feed.Group(
      json["metadata"]?["title"]?.localized?.bounded() ?? "", links.first(.own) ?? links.first)
    lane.navigation = navigation(json["navigation"], &feed)
    lane.publications = publications(json["publications"], &feed)
    return lane
  }

  private func facets(_ json: JSONValue) -> Feed.FacetGroup? {
    let facets = links(json["links"]).map { Feed.Facet($0, isActive: $0.has(.own)) }
    guard !facets.isEmpty else { return nil }
    return Feed.FacetGroup(json["metadata"]?["title"]?.localized?.bounded() ?? "", facets)
  }

  private func navigation(_ json: JSONValue?, _ feed: inout Feed) -> [Feed.NavigationEntry] {
    feed.taking(Limits.entries, of: json?.elements ?? [], "lanes").compactMap { element in
      link(element).map { link in
        Feed.NavigationEntry(id: link.href, title: link.title ?? link.href, links: [link])
      }
    }
  }

  private func catalog(_ json: JSONValue) -> Feed.NavigationEntry? {
    let links = links(json["links"])
    guard let title = json["metadata"]?["title"]?.localized, let first = links.first else {
      return nil
    }
    let id = json["metadata"]?["id"]?.words ?? first.href
    var entry = Feed.NavigationEntry(id: id, title: title.bounded(), links: links)
    entry.summary = json["metadata"]?["description"]?.localized?.bounded()
    return entry
  }

  /// A bad one beside good ones is told of, and keeps none of them away (§14.17).
  private func publications(_ json: JSONValue?, _ feed: inout Feed) -> [Publication] {
    let elements = feed.taking(Limits.entries, of: json?.elements ?? [], "publications")
    return elements.enumerated().compactMap { index, element in
      if let publication = publication(element) { return publication }
      let name = element["metadata"]?["identifier"]?.words ?? "publication \(index + 1)"
      feed.faults.append("\(name.bounded(200)): neither a title nor a way to get it")
      return nil
    }
  }
}
