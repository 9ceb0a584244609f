import MockKit

/// A feed before it is spelled as Atom or as JSON.
struct Listing {
  enum Kind { case navigation, acquisition }

  let id: String
  let title: String
  let updated: Moment
  var kind = Kind.acquisition
  var links: [Link] = []
  var entries: [Entry] = []
  var page: Page?
  /// The one who reads, on the shelf.
  var reader: String?
  /// Further elements that stand for entries which could not be made.
  var messages: [String] = []
}

/// A part of a long list.
struct Page {
  let total: Int
  let start: Int
  let size: Int
}

/// A book or a place to go to.
struct Entry {
  let id: String
  let title: String
  let updated: Moment
  var book: Title?
  /// The words under a place to go to.
  var note: String?
  var links: [Link] = []
  /// In which lane it stands, on a page of several.
  var lane: (title: String, href: String)?
}

struct Link {
  var rel: String?
  var href: String
  var type: String?
  var title: String?
  var length: Int?
  var isTemplated = false
  /// What comes out of it step by step, a path for each way.
  var steps: [[String]] = []
  var terms: Terms?
  var facet: Facet?
  /// What opens the licence behind it without asking.
  var passphrase: String?
  /// What Adobe's programs sign in with to open it.
  var clientToken: String?

  init(_ rel: String?, _ href: String, _ type: String?, title: String? = nil) {
    (self.rel, self.href, self.type, self.title) = (rel, href, type, title)
  }

  struct Facet {
    let group: String
    let isActive: Bool
    var count: Int?
    /// Set where it is shown as tabs.
    var isEntryPoint = false

    /// The group that says in which order.
    static let order = "Sort by"
  }

  /// What this link means to the one who reads.
  struct Terms {
    enum Status: String { case available, unavailable, reserved, ready }

    var status: Status
    var since: Moment?
    var until: Moment?
    var copies: (total: Int, available: Int)?
    var holds: (total: Int, position: Int?)?
    /// A hold that is taken back by DELETE.
    var isCancellable = false
  }
}

/// Relations, written out whole.
enum Relation {
  static let acquisition = "http://opds-spec.org/acquisition"
  static let borrow = acquisition + "/borrow"
  static let openAccess = acquisition + "/open-access"
  static let image = "http://opds-spec.org/image"
  static let thumbnail = "http://opds-spec.org/image/thumbnail"
  static let facet = "http://opds-spec.org/facet"
  static let crawlable = "http://opds-spec.org/crawlable"
  static let newest = "http://opds-spec.org/sort/new"
  static let popular = "http://opds-spec.org/sort/popular"
  static let shelf = "http://opds-spec.org/shelf"
  static let authentication = "http://opds-spec.org/auth/document"
  static let revoke = "http://librarysimplified.org/terms/rel/revoke"
  static let profile = "http://librarysimplified.org/terms/rel/user-profile"
}

/// Types of documents in one of the two languages.
enum Language: String {
  case atom, json

  var navigation: String {
    self == .atom ? Self.catalog + ";kind=navigation" : "application/opds+json"
  }
  var acquisition: String {
    self == .atom ? Self.catalog + ";kind=acquisition" : "application/opds+json"
  }
  var entry: String {
    self == .atom
      ? "application/atom+xml;type=entry;profile=opds-catalog"
      : "application/opds-publication+json"
  }

  private static let catalog = "application/atom+xml;profile=opds-catalog"
}

/// A way to have a title: the library's word, and what comes out step by step.
struct Mechanism {
  let word: String
  let steps: [String]

  init?(_ word: String) {
    guard let steps = Self.all[word] else { return nil }
    (self.word, self.steps) = (word, steps)
  }

  /// A title that nobody said anything of is there as what most are.
  static func of(_ title: Title) -> [Mechanism] {
    let words = title.medium == "audiobook" ? ["audiobook"] : ["epub"]
    let found = title.formats.compactMap { Mechanism($0) }
    return found.isEmpty ? words.compactMap { Mechanism($0) } : found
  }

  /// Once a loan has been turned into one of these it stays that.
  var locks: Bool { steps[0] == Self.adobe || steps[0] == Self.licence }

  static let adobe = "application/vnd.adobe.adept+xml"
  static let licence = "application/vnd.readium.lcp.license.v1.0+json"
  static let bearer = "application/vnd.librarysimplified.bearer-token+json"
  static let epub = "application/epub+zip"
  static let audiobook = "application/audiobook+json"

  private static let all: [String: [String]] = [
    "epub": [epub], "pdf": ["application/pdf"], "audiobook": [audiobook],
    "epub-adobe": [adobe, epub], "pdf-adobe": [adobe, "application/pdf"],
    "epub-lcp": [licence, epub], "audiobook-lcp": [licence, "application/audiobook+lcp"],
    "epub-bearer": [bearer, epub],
    "streaming": [
      "text/html;profile=\"http://librarysimplified.org/terms/profiles/streaming-media\""
    ],
  ]
}
