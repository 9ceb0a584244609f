import Circulation
import HTTP
import JSON
import ProviderKit

/// A shelf as a whole (§3).
struct WireShelf: Sendable, Hashable {
  let name: String?
  let total: Int?

  init(_ json: JSONValue, _ operation: Circulation.Operation) throws(CirculationError) {
    guard ["Shelf", "OrderedCollection"].contains(json["type"]?.words) else {
      throw Documents.malformed("a shelf", operation)
    }
    name = json["name"]?.words
    total = json["totalItems"]?.whole
  }
}

/// One page of a shelf.
struct WirePage: Sendable, Hashable {
  let editions: [WireEdition]
  /// The number of the page that comes after this one.
  let next: Int?

  init(_ json: JSONValue, _ operation: Circulation.Operation) throws(CirculationError) {
    guard let items = json["orderedItems"]?.array else {
      throw Documents.malformed("the books of a shelf", operation)
    }
    editions = items.compactMap(WireEdition.init)
    // What has no name of its own cannot be known again, and to leave it out would be to lose it.
    guard editions.count == items.count else {
      throw Documents.malformed("books with their addresses", operation)
    }
    let query = json["next"]?.words.flatMap { $0.split(separator: "?", maxSplits: 1).last } ?? ""
    next = FormFields(parsing: String(query))["page"].flatMap { Int($0) }
  }

  /// Names this page: two pages that hold the same have the same.
  var mark: String {
    "\(editions.count)-\(editions.first?.id.path ?? "")-\(editions.last?.id.path ?? "")"
  }
}

/// A book on a shelf (§4). All but its own address may be missing.
struct WireEdition: Sendable, Hashable {
  let id: Address
  let title: String?
  let authors: [Address]
  /// Names that stand in the document itself.
  let named: [String]
  let work: Address?
  let isbns: [ISBN]
  let identifiers: [ForeignIdentifier]
  let published: PartialDate?

  init?(_ json: JSONValue) {
    guard let id = Self.address(json["id"]) else { return nil }
    self.id = id
    let title = (json["title"] ?? json["name"])?.words.map(Entities.decoded)
    let subtitle = json["subtitle"]?.words.map(Entities.decoded)
    self.title = title.map { title in subtitle.map { "\(title): \($0)" } ?? title }
    let authors = json["authors"]?.elements ?? []
    self.authors = authors.compactMap { Self.address($0) }.distinct
    named = authors.compactMap { $0["name"]?.words }
    work = Self.address(json["work"])
    isbns = ["isbn13", "isbn10"].compactMap { json[$0]?.words.flatMap { ISBN($0) } }.distinct
    identifiers =
      [ForeignIdentifier(scheme: "bookwyrm", value: id.text)] + Self.names(at: json)
    published = json["publishedDate"]?.words.flatMap { WireDate.calendar($0) }
  }

  /// What others call it: `…Key` is what the service in front of that word does.
  private static func names(at json: JSONValue) -> [ForeignIdentifier] {
    let keys = (json.object?.names ?? []).filter { $0.hasSuffix("Key") }.sorted()
    let schemes =
      keys.prefix(20).map { ($0, String($0.dropLast(3))) }
      + [("inventaireId", "inventaire"), ("asin", "asin"), ("oclcNumber", "oclc")]
    return schemes.compactMap { member, scheme in
      json[member]?.words.map { ForeignIdentifier(scheme: scheme, value: $0) }
    }
  }

  static func address(_ json: JSONValue?) -> Address? {
    guard let text = json?.words ?? json?["id"]?.words, let address = try? Address(text),
      ["http", "https"].contains(address.scheme)
    else { return nil }
    return address.withoutFragment
  }
}
