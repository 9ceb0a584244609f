import Circulation
import JSON
import ProviderKit

/// Product list items and metadata documents both become editions; the list item merely has less.
struct WireMetadata: Sendable {
  let id: String
  let json: JSONValue

  /// Nil for an element that cannot be used: those without an id are skipped (§5.1).
  init?(_ json: JSONValue) {
    guard let id = (json["id"] ?? json["reserveId"])?.words else { return nil }
    (self.id, self.json) = (id.lowercased(), json)
  }

  func edition() -> Edition {
    var edition = Edition(item: ItemID(id), title: text("title") ?? "")
    edition.subtitle = text("subtitle")
    edition.sortTitle = text("sortTitle")
    edition.contributors = contributors
    edition.series = series
    edition.medium = Translation.medium(json["mediaType"]?.string ?? "") ?? .book
    edition.languages = languages
    edition.subjects = values(of: "subjects")
    edition.audience = audience(of: edition.subjects)
    edition.summary = json["fullDescription"]?.words ?? json["shortDescription"]?.words
    edition.publisher = text("publisher")
    edition.published =
      (json["publishDate"]?.string).flatMap(WireDate.calendar)
      ?? (json["publishDateText"]?.string).flatMap(Self.americanDate)
    edition.added = json["dateAdded"]?.words
    edition.popularity = json["popularity"]?.double
    edition.owned = json["isOwnedByCollections"]?.flag
    edition.covers = covers
    for format in json["formats"]?.elements ?? [] { read(format, into: &edition) }
    if let lccn = json["classifications"]?["lccn"]?.words {
      add("lccn", lccn, to: &edition) { !$0.isEmpty }
    }
    edition.relatedISBNs = (json["otherFormatIdentifiers"]?.elements ?? [])
      .filter { $0["type"]?.string?.uppercased() == "ISBN" }
      .compactMap { $0["value"]?.string.flatMap(ISBN.init) }
      .filter { !edition.isbns.contains($0) }
    return edition
  }

  private func read(_ format: JSONValue, into edition: inout Edition) {
    if let id = format["id"]?.words { edition.formats.append(Formats.named(id)) }
    // The library's own identifiers come before the retailer's.
    let identifiers = (format["identifiers"]?.elements ?? []).sorted { one, other in
      rank(one) < rank(other)
    }
    for identifier in identifiers {
      guard let value = identifier["value"]?.words else { continue }
      switch identifier["type"]?.string?.uppercased() {
      case "ISBN", "LIBRARYISBN":
        if let isbn = ISBN(value), !edition.isbns.contains(isbn) { edition.isbns.append(isbn) }
      case "ASIN": add("asin", value, to: &edition) { $0.count == 10 }
      case "DOI": add("doi", value, to: &edition) { $0.hasPrefix("10.") }
      case "UPC": add("upc", value, to: &edition) { $0.allSatisfy(\.isNumber) }
      default: break
      }
    }
    for sample in format["samples"]?.elements ?? [] {
      if let url = sample["url"]?.words.map(Links.clean), !edition.samples.contains(url) {
        edition.samples.append(url)
      }
    }
  }

  private func rank(_ identifier: JSONValue) -> Int {
    identifier["audience"]?.string?.lowercased() == "retailer" ? 1 : 0
  }

  private func add(
    _ scheme: String, _ value: String, to edition: inout Edition, where looksRight: (String) -> Bool
  ) {
    let found = ForeignIdentifier(scheme: scheme, value: value)
    if looksRight(value), !edition.identifiers.contains(found) { edition.identifiers.append(found) }
  }

  // MARK: - Parts

  private func text(_ name: String) -> String? { json[name]?.words.map(Entities.decoded) }

  private func values(of name: String) -> [String] {
    return (json[name]?.elements ?? []).compactMap { $0["value"]?.words.map(Entities.decoded) }
      .distinct
  }

  private var contributors: [Contributor] {
    let full = json["creators"]?.elements ?? []
    let listed = full.isEmpty ? [json["primaryCreator"]].compactMap(\.self) : full
    return listed.flatMap { creator -> [Contributor] in
      guard let name = creator["name"]?.words.map(Entities.decoded) else { return [] }
      let sortName = creator["fileAs"]?.words.map(Entities.decoded)
      return Roles.of(creator["role"]?.string ?? "").map {
        Contributor(name: name, sortName: sortName, role: $0)
      }
    }
  }

  private var series: Series? {
    let detailed = json["detailedSeries"]
    guard let name = text("series") ?? detailed?["seriesName"]?.words else { return nil }
    let order = json["readingOrder"] ?? detailed?["readingOrder"]
    return Series(name: name, position: order.flatMap(Self.firstNumber))
  }

  /// Free text such as "5-11", "#22", "52.56" or "Number 3": the first run of digits is meant.
  private static func firstNumber(_ json: JSONValue) -> Double? {
    if let number = json.integer { return Double(number) }
    let digits = (json.string ?? "").drop { !$0.isASCII || !$0.isNumber }
      .prefix { $0.isASCII && $0.isNumber }
    return Int(digits).map(Double.init)
  }

  /// `M/D/YYYY`, as the service writes dates for people (§7).
  private static func americanDate(_ text: String) -> PartialDate? {
    let parts = text.split(separator: "/").map { Int($0) }
    guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2],
      (1...12).contains(month), (1...31).contains(day), (1000...9999).contains(year)
    else { return nil }
    return PartialDate(year: year, month: month, day: day)
  }

  /// `zh-Hans` and `pt-BR` name a script or a region behind the language.
  private var languages: [String] {
    return (json["languages"]?.elements ?? [])
      .compactMap { $0["code"]?.words?.lowercased().split(separator: "-").first.map(String.init) }
      .distinct
  }

  /// The genre words are the best sign of whom a book is for (§7).
  private func audience(of subjects: [String]) -> Audience? {
    if subjects.contains(where: { $0.hasPrefix("Juvenile") }) { return .children }
    if subjects.contains(where: { $0.hasPrefix("Young Adult") }) { return .youngAdult }
    return subjects.isEmpty ? nil : .adult
  }

  /// The names of the pictures lie about their size (§7), and a zero GUID is a stand-in.
  private var covers: Covers {
    func address(_ names: [String]) -> String? {
      for name in names {
        if let href = WireLink(json["images"]?[name])?.href, !href.contains("00000000-0000-0000") {
          return Links.clean(href)
        }
      }
      return nil
    }
    return Covers(
      large: address(["cover300Wide", "cover", "cover150Wide", "thumbnail"]),
      small: address(["cover150Wide", "thumbnail", "cover", "cover300Wide"]))
  }
}

/// Roles are words, and sometimes several in one: "Author and Illustrator", "Author, Narrator".
enum Roles {
  static func of(_ text: String) -> [Contributor.Role] {
    // Its own comma is part of the name.
    if text.lowercased().hasPrefix("author of introduction") { return [.authorOfIntroduction] }
    let words = text.split(separator: ",").flatMap { part in
      part.split(separator: " and ", omittingEmptySubsequences: true)
    }
    var roles: [Contributor.Role] = []
    for word in words {
      let role = named(word.filter { !$0.isWhitespace || $0 == " " })
      if !roles.contains(role) { roles.append(role) }
    }
    return roles.isEmpty ? [.contributor] : roles
  }

  private static func named(_ word: String) -> Contributor.Role {
    switch word.lowercased().trimmingPrefix(while: { $0 == " " }) {
    case let word where word.hasPrefix("author"), let word where word == "corporate author": .author
    case let word where word.hasPrefix("narrat"): .narrator
    case let word where word.hasPrefix("editor"): .editor
    case let word where word.hasPrefix("illustrat"): .illustrator
    case let word where word.hasPrefix("translat"): .translator
    case let word where word.hasPrefix("photograph"): .photographer
    case let word where word.hasPrefix("adapt"): .adapter
    case let word where word.hasPrefix("compos"): .composer
    case let word where word.hasPrefix("director"): .director
    case let word where word.hasPrefix("producer"): .producer
    case let word where word.hasPrefix("artist"): .artist
    case let word where word.hasPrefix("compiler"): .compiler
    case "performer", "actor", "actress", "actor/actress", "cast member": .performer
    case "foreword", "introduction", "afterword": .authorOfIntroduction
    default: .contributor
    }
  }
}
