package import HTTP

/// A link of a feed, a publication or an authentication document.
package struct Link: Sendable, Hashable {
  /// Absolute. Of a template everything from the first brace on is as it was written.
  package var href: String
  package var relations: [Relation]
  package var type: MediaType?
  package var title: String?
  package var isTemplated: Bool
  /// How many items are behind it, where it says so.
  package var count: Int?
  /// Of pictures.
  package var width: Int?
  package var height: Int?
  /// Where it is told how to sign in, for what needs that.
  package var authenticate: String?

  package init(
    _ href: String, _ relations: [Relation] = [], type: MediaType? = nil, title: String? = nil
  ) {
    (self.href, self.relations, self.type, self.title) = (href, relations, type, title)
    isTemplated = false
  }

  package func has(_ relation: Relation) -> Bool { relations.contains(relation) }

  /// Nil for templates and for what is no address of the web.
  package var address: Address? {
    guard !isTemplated, let address = try? Address(href),
      ["http", "https"].contains(address.scheme)
    else { return nil }
    return address.withoutFragment
  }
}

extension Sequence<Link> {
  package func first(_ relation: Relation) -> Link? { first { $0.has(relation) } }
  package func all(_ relation: Relation) -> [Link] { filter { $0.has(relation) } }
}

extension MediaType {
  /// Any feed, of either version and however it is spelled (§1.2).
  package var isCatalog: Bool {
    if essence == "application/opds+json" { return true }
    return essence == "application/atom+xml" && !isEntry
  }

  /// One publication with everything that is known of it.
  package var isEntry: Bool {
    switch essence {
    case "application/opds-publication+json": true
    case "application/atom+xml":
      // The second one is an old misspelling.
      self["type"]?.lowercased() == "entry" || self["relation"]?.lowercased() == "entry"
    default: false
    }
  }

  package var isAuthentication: Bool {
    [
      "application/opds-authentication+json", "application/vnd.opds.authentication.v1.0+json",
    ].contains(essence)
  }

  package var isProblem: Bool {
    ["application/problem+json", "application/api-problem+json"].contains(essence)
  }

  package var isSearchDescription: Bool { essence == "application/opensearchdescription+xml" }
}
