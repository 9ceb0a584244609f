package import HTTP

/// The two spellings of one catalogue.
package enum FeedVersion: String, Sendable, Hashable, CaseIterable {
  /// OPDS 1.2, in Atom.
  case atom = "1"
  /// OPDS 2.0, in JSON.
  case json = "2"

  package func feed(_ kind: Feed.Kind) -> MediaType {
    switch self {
    case .atom:
      MediaType(
        "application", "atom+xml",
        [.init("profile", "opds-catalog"), .init("kind", kind.rawValue)])
    case .json: Self.jsonFeed
    }
  }

  /// One publication with everything that is known of it, and what a borrow answers with.
  package var entry: MediaType {
    switch self {
    case .atom:
      MediaType(
        "application", "atom+xml", [.init("type", "entry"), .init("profile", "opds-catalog")])
    case .json: MediaType("application", "opds-publication+json")
    }
  }

  package static let jsonFeed = MediaType("application", "opds+json")
  package static let searchDescription = MediaType("application", "opensearchdescription+xml")
  package static let authentication = MediaType("application", "opds-authentication+json")
  /// The older name, which is the only one that some apps know (§5).
  package static let formerAuthentication = MediaType(
    "application", "vnd.opds.authentication.v1.0+json")
}

extension MediaType {
  /// Without blanks: apps compare types of links as texts (§8).
  package var compact: String {
    parameters.reduce(essence) { text, parameter in
      let isPlain = !parameter.value.contains { ":/;,\" ".contains($0) }
      return "\(text);\(parameter.name)=\(isPlain ? parameter.value : quoted(parameter.value))"
    }
  }
}
