package import JSON

/// One page of a catalogue, for people who want to see what is in it.
package struct FeedItem: Sendable, Hashable {
  /// navigation or acquisition.
  package var kind: String
  package var id: String?
  package var title: String
  package var updated: String?
  package var links: [FeedLinkItem] = []
  package var facets: [FeedFacetItem] = []
  package var entries: [Entry] = []
  /// What was left out, and why.
  package var faults: [String] = []

  package init(kind: String, title: String) { (self.kind, self.title) = (kind, title) }

  package enum Entry: Sendable, Hashable {
    case place(PlaceItem)
    /// In the lane named, where the feed has lanes.
    case book(WorkItem, lane: String?)

    package var json: JSONValue {
      switch self {
      case .place(let place): return place.json
      case .book(let work, let lane):
        guard case .object(var object) = work.json else { return work.json }
        object["lane"] = JSONValue(lane)
        return .object(object)
      }
    }
  }

  package var json: JSONValue {
    [
      "kind": .string(kind), "id": JSONValue(id), "title": .string(title),
      "updated": JSONValue(updated), "links": .array(links.map(\.json)),
      "facets": .array(facets.map(\.json)), "entries": .array(entries.map(\.json)),
    ]
  }
}

package struct FeedLinkItem: Sendable, Hashable {
  package var rel: [String]
  package var href: String
  package var type: String?
  package var title: String?

  package init(rel: [String], href: String, type: String?, title: String?) {
    (self.rel, self.href, self.type, self.title) = (rel, href, type, title)
  }

  package var json: JSONValue {
    [
      "rel": .texts(rel), "href": .string(href), "type": JSONValue(type),
      "title": JSONValue(title),
    ]
  }
}

package struct FeedFacetItem: Sendable, Hashable {
  package var group: String
  package var title: String
  package var href: String
  package var isActive: Bool
  package var count: Int?

  package init(group: String, title: String, href: String, isActive: Bool) {
    (self.group, self.title, self.href, self.isActive) = (group, title, href, isActive)
  }

  package var json: JSONValue {
    [
      "group": .string(group), "title": .string(title), "href": .string(href),
      "active": .bool(isActive), "count": count.map(JSONValue.integer) ?? .null,
    ]
  }
}

/// An entry that leads on.
package struct PlaceItem: Sendable, Hashable {
  package var id: String
  package var title: String
  package var href: String?
  package var summary: String?

  package init(id: String, title: String) { (self.id, self.title) = (id, title) }

  package var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "href": JSONValue(href),
      "summary": JSONValue(summary),
    ]
  }
}
