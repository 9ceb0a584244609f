import Circulation
import FoundationEssentials
import ProviderKit

// §11: the same book as the two interfaces tell it.

extension WireTitle {
  func edition() -> Edition {
    var edition = Edition(item: item, title: "")
    edition.name(productTitle ?? "", nil)
    edition.contributors = contributors
    edition.series = series.map { Series(name: $0) }
    edition.medium = Metadata.medium(formatType, formats)
    edition.languages = Metadata.languages(language)
    edition.subjects = Metadata.list(subject)
    edition.audience = Metadata.audience(audience)
    edition.summary = annotation
    edition.publisher = publisher
    edition.published = publicationDate.flatMap(WireMoment.calendar)
    edition.added = addedDate.flatMap(WireMoment.instant).map(WireDate.written)
    edition.isbns = [isbn.flatMap(ISBN.init)].compactMap { $0 }
    edition.formats = formats
    edition.covers = Metadata.covers(imageUrl)
    edition.owned = availability.totalCopies.map { $0 > 0 }
    return edition
  }

  var contributors: [Contributor] {
    let named = contributor.map(Contributors.read) ?? authors.flatMap(Contributors.read)
    let readers = narrators.flatMap { Contributors.read($0, as: .narrator) }
    return named + readers.filter { !named.contains($0) }
  }
}

extension InventoryTitle {
  func edition() -> Edition {
    var edition = Edition(item: ItemID(titleID), title: "")
    edition.name(field("title") ?? "", field("subtitle"))
    edition.contributors = field("author").map(Contributors.read) ?? []
    edition.formats = Formats.all(formats)
    edition.medium = Metadata.medium(formatType, edition.formats)
    edition.languages = Metadata.languages(field("language"))
    let headings = Metadata.list(field("subject")) + (fields["genre"] ?? [])
    edition.subjects = headings.distinct
    edition.audience = Metadata.audience(field("audience") ?? field("grade level"))
    edition.summary = field("description")
    edition.publisher = field("publisher")
    edition.published = releaseDate.flatMap(WireMoment.release)
    edition.isbns = [field("isbn").flatMap(ISBN.init)].compactMap { $0 }
    edition.covers = Metadata.covers(field("cover image url"))
    if !active { edition.owned = false }
    return edition
  }

  /// Each interface knows something that the other does not: the inventory has the subtitle apart,
  /// availability has roles, readers and series.
  func edition(with known: WireTitle?) -> Edition {
    var edition = edition()
    guard let other = known?.edition() else { return edition }
    if edition.title.isEmpty { (edition.title, edition.subtitle) = (other.title, other.subtitle) }
    if !other.contributors.isEmpty { edition.contributors = other.contributors }
    edition.series = other.series
    if known?.formatType != nil || formatType == nil { edition.medium = other.medium }
    if edition.languages.isEmpty { edition.languages = other.languages }
    if edition.subjects.isEmpty { edition.subjects = other.subjects }
    edition.audience = edition.audience ?? other.audience
    edition.summary = edition.summary ?? other.summary
    edition.publisher = edition.publisher ?? other.publisher
    edition.published = edition.published ?? other.published
    edition.added = other.added
    if edition.isbns.isEmpty { edition.isbns = other.isbns }
    if !other.formats.isEmpty { edition.formats = other.formats }
    if edition.covers.large == nil { edition.covers = other.covers }
    edition.owned = other.owned
    return edition
  }
}

extension Edition {
  /// One interface writes both in one; a title is only taken apart where nothing better is known.
  fileprivate mutating func name(_ title: String, _ subtitle: String?) {
    self.title = title
    self.subtitle = subtitle
    guard subtitle == nil, title.holds(" : "), let gap = title.firstRange(of: " : ") else {
      return
    }
    let (first, rest) = (title[..<gap.lowerBound], title[gap.upperBound...])
    guard !first.isEmpty, !rest.isEmpty else { return }
    (self.title, self.subtitle) = (String(first), String(rest))
  }
}

enum Metadata {
  /// A list in one string.
  static func list(_ text: String?) -> [String] {
    text?.words(at: ";") ?? []
  }

  static func medium(_ word: String?, _ formats: [Format]) -> Medium {
    switch word?.lowercased() {
    case "abt", "audiobook", "eaudiobook", "eaudio": .audiobook
    case "ebt", "ebook": .book
    default: formats.contains(Formats.acoustik) ? .audiobook : .book
    }
  }

  static func languages(_ text: String?) -> [String] {
    guard let text else { return [] }
    let names = text.words(at: ";").flatMap { $0.words(at: ",") }.flatMap { $0.words(at: "/") }
    return names.map(Languages.code).distinct
  }

  /// Phrases such as "Teen - Grade 7-9, Age 12-14", and more of the same make.
  static func audience(_ phrase: String?) -> Audience? {
    guard let phrase = phrase?.lowercased(), !phrase.isEmpty else { return nil }
    if phrase.hasPrefix("teen") || phrase.hasPrefix("young adult") { return .youngAdult }
    if ["adult", "scholarly", "professional"].contains(where: phrase.contains) { return .adult }
    if ["child", "kindergarten", "preschool", "pre-school", "bab", "toddler", "juvenile"].contains(
      where: phrase.contains)
    {
      return .children
    }
    guard let age = phrase.firstRange(of: "age ") else { return nil }
    let years = phrase[age.upperBound...].prefix { $0.isNumber }
    return Int(years).map { $0 < 12 ? .children : $0 < 18 ? .youngAdult : .adult }
  }

  /// The picture is there in two sizes at one host, and in one at all others. What the last word
  /// of the address asks for is a picture in any case.
  static func covers(_ address: String?) -> Covers {
    guard let address, address.holds("://") else { return Covers() }
    let small = secured(address)
    let large = small.holds("/Medium/") ? small.replacing("/Medium/", with: "/Large/") : small
    return Covers(large: large, small: small)
  }

  /// Plain http, but for a stand-in that names its port.
  private static func secured(_ address: String) -> String {
    guard address.utf8.count > 7, address.utf8.prefix(7).last == UInt8(ascii: "/"),
      address.lowercased().hasPrefix("http://")
    else { return address }
    let rest = address.dropFirst(7)
    return rest.prefix { $0 != "/" }.contains(":") ? address : "https://" + rest
  }
}
