/// What a name in a record stands for. Namespaces are told apart only where two names are spelled
/// alike: old files write one of them without its last slash.
enum Term: UInt8, Sendable {
  case other
  // Things.
  case ebook, agent, file, description
  // What is said of them.
  case value, memberOf, title, alternative, creator, contributor, language, subject, bookshelf
  case type, issued, rights, downloads, notes, contents, publisher
  case hasFormat, isFormatOf, extent, modified, format
  case name, alias, birth, death, webpage
  /// With the three digits, or the letters of the role, kept beside it.
  case marc, role

  /// Of those whose name is kept beside them, how many of its letters need not be.
  var unsaid: Int? {
    switch self {
    case .role: 0
    case .marc: 4
    default: nil
    }
  }

  enum Space: UInt8, Sendable {
    case rdf, terms, gutenberg, membership, roles, other

    init(_ uri: String) {
      switch uri {
      case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": self = .rdf
      case "http://purl.org/dc/terms/": self = .terms
      case "http://www.gutenberg.org/2009/pgterms/": self = .gutenberg
      case "http://purl.org/dc/dcam/": self = .membership
      case "http://id.loc.gov/vocabulary/relators/", "http://id.loc.gov/vocabulary/relators":
        self = .roles
      default: self = .other
      }
    }
  }

  init(_ space: Space, _ local: String) {
    self =
      switch space {
      case .rdf: Self.rdf(local)
      case .terms: Self.terms(local)
      case .gutenberg: Self.gutenberg(local)
      case .membership: local == "memberOf" ? .memberOf : .other
      case .roles: .role
      case .other: .other
      }
  }

  private static func rdf(_ local: String) -> Term {
    switch local {
    case "value": .value
    case "Description": .description
    default: .other
    }
  }

  private static func terms(_ local: String) -> Term {
    switch local {
    case "title": .title
    case "alternative": .alternative
    case "creator": .creator
    case "contributor": .contributor
    case "language": .language
    case "subject": .subject
    case "type": .type
    case "issued": .issued
    case "rights": .rights
    case "publisher": .publisher
    case "description": .notes
    case "tableOfContents": .contents
    case "hasFormat": .hasFormat
    case "isFormatOf": .isFormatOf
    case "extent": .extent
    case "modified": .modified
    case "format": .format
    default: .other
    }
  }

  private static func gutenberg(_ local: String) -> Term {
    switch local {
    case "ebook": .ebook
    case "agent": .agent
    case "file": .file
    case "bookshelf": .bookshelf
    case "downloads": .downloads
    case "name": .name
    case "alias": .alias
    case "birthdate": .birth
    case "deathdate": .death
    case "webpage": .webpage
    default: local.hasPrefix("marc") ? .marc : .other
    }
  }
}
