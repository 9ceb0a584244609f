/// What a link is for: an address of its own or a registered word, in one spelling. Feeds write the
/// same relation in several ways (§1.3); what is read here is the full and present one.
package struct Relation: Sendable, Hashable, RawRepresentable {
  package let rawValue: String

  package init(rawValue: String) {
    var word = rawValue.contains(":") ? rawValue : rawValue.lowercased()
    // A slash too many, and the scheme that all the web has by now.
    if word.utf8.last == UInt8(ascii: "/") { word.removeLast() }
    if word.hasPrefix("https://opds-spec.org") { word = "http" + word.dropFirst(5) }
    self.rawValue = Self.spellings[word] ?? word
  }

  private init(known: String) { rawValue = known }

  package static let own = Relation(known: "self")
  package static let start = Relation(known: "start")
  package static let up = Relation(known: "up")
  package static let first = Relation(known: "first")
  package static let last = Relation(known: "last")
  package static let related = Relation(known: "related")
  package static let help = Relation(known: "help")
  package static let logo = Relation(known: "logo")
  package static let next = Relation(known: "next")
  package static let previous = Relation(known: "previous")
  package static let alternate = Relation(known: "alternate")
  package static let collection = Relation(known: "collection")
  package static let search = Relation(known: "search")
  package static let subsection = Relation(known: "subsection")
  package static let authenticate = Relation(known: "authenticate")
  package static let refresh = Relation(known: "refresh")
  package static let profile = Relation(known: "profile")
  package static let acquisition = Relation(known: "\(opds)/acquisition")
  package static let openAccess = Relation(known: "\(opds)/acquisition/open-access")
  package static let borrow = Relation(known: "\(opds)/acquisition/borrow")
  package static let buy = Relation(known: "\(opds)/acquisition/buy")
  package static let sample = Relation(known: "\(opds)/acquisition/sample")
  package static let subscribe = Relation(known: "\(opds)/acquisition/subscribe")
  package static let image = Relation(known: "\(opds)/image")
  package static let thumbnail = Relation(known: "\(opds)/image/thumbnail")
  package static let facet = Relation(known: "\(opds)/facet")
  package static let crawlable = Relation(known: "\(opds)/crawlable")
  package static let newest = Relation(known: "\(opds)/sort/new")
  package static let popular = Relation(known: "\(opds)/sort/popular")
  package static let featured = Relation(known: "\(opds)/featured")
  package static let recommended = Relation(known: "\(opds)/recommended")
  package static let shelf = Relation(known: "\(opds)/shelf")
  package static let authDocument = Relation(known: "\(opds)/auth/document")
  package static let edit = Relation(known: "edit")
  package static let service = Relation(known: "service")
  package static let userProfile =
    Relation(known: "http://librarysimplified.org/terms/rel/user-profile")
  package static let progression = Relation(known: "\(opds)/progression")
  package static let revoke = Relation(known: "http://librarysimplified.org/terms/rel/revoke")
  /// Our own, as no other names it: the branches where a copy on paper can be put aside.
  package static let pickUp = Relation(known: "urn:carrel:rel:pick-up")

  package var isAcquisition: Bool { rawValue.hasPrefix("\(Self.opds)/acquisition") }
  package var isImage: Bool { self == .image || self == .thumbnail }

  private static let opds = "http://opds-spec.org"

  /// Short names of OPDS 2.0, names from before 1.0, and what other people made of them.
  private static let spellings: [String: String] = [
    "prev": "previous",
    "acquisition": acquisition.rawValue, "borrow": borrow.rawValue, "buy": buy.rawValue,
    "download": openAccess.rawValue, "open-access": openAccess.rawValue,
    "preview": sample.rawValue, "sample": sample.rawValue, "subscribe": subscribe.rawValue,
    "\(opds)/acquisition/preview": sample.rawValue,
    "\(opds)/group": "collection",
    "\(opds)/cover": image.rawValue, "x-stanza-cover-image": image.rawValue,
    "cover": image.rawValue,
    "\(opds)/thumbnail": thumbnail.rawValue, "thumbnail": thumbnail.rawValue,
    "\(opds)/image-thumbnail": thumbnail.rawValue,
    "x-stanza-cover-image-thumbnail": thumbnail.rawValue,
    "http://librarysimplified.org/terms/rel/user-profile": "profile",
  ]
}
