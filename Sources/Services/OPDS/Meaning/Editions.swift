package import Circulation
import FoundationEssentials
import HTTP
import ProviderKit

extension Publication {
  /// Nil for what cannot be got in any way: it is no title of a library.
  package func edition(named item: ItemID) -> Edition? {
    guard !acquisitions.isEmpty else { return nil }
    var edition = Edition(item: item, title: title)
    edition.subtitle = subtitle
    edition.sortTitle = sortTitle
    edition.contributors = contributors.map {
      Contributor(name: $0.name, sortName: $0.sortName, role: Roles.role($0.role))
    }
    // Names are filed in some catalogues and spoken in others (§14.10).
    edition.contributors = edition.contributors.map { person in
      guard person.sortName == nil, person.name.contains(",") else { return person }
      return Contributor(
        name: PersonName.spoken(person.name), sortName: person.name, role: person.role)
    }
    edition.series = series.first.map { Series(name: $0.name, position: $0.position) }
    var seen: Set<String> = []
    edition.languages = languages.compactMap(LanguageTag.primary).filter {
      seen.insert($0).inserted
    }
    (edition.subjects, edition.audience) = Headings.read(subjects)
    edition.summary = summary?.markup
    edition.publisher = publisher
    edition.published = issued
    edition.added = added.map { String(WireDate.written($0).prefix(10)) }
    (edition.isbns, edition.identifiers) = Numbers.read(identifiers + [id])
    let gettable = acquisitions.filter { way in
      [.acquisition, .openAccess, .borrow].contains { way.has($0) }
    }
    edition.formats = Formats.all(of: gettable, areNamedByAddress: document == nil)
      .sorted { Formats.rank($0) < Formats.rank($1) }
    edition.medium = medium(edition.formats)
    edition.covers = Covers(
      large: picture(.image) ?? picture(.thumbnail), small: picture(.thumbnail))
    edition.samples = all(.sample).compactMap { $0.link.address?.text }
    if gettable.isEmpty { edition.owned = false }
    return edition
  }

  /// Pictures that stand in the feed itself are left there.
  private func picture(_ relation: Relation) -> String? {
    images.first { $0.has(relation) && $0.address != nil }?.address?.text
  }

  private func medium(_ formats: [Format]) -> Medium {
    let word = kind.map { $0.lowercased().split { $0 == "/" || $0 == "#" }.last ?? "" } ?? ""
    switch word {
    case "audiobook": return .audiobook
    case "book", "ebook": return .book
    case "comicissue", "comicseries", "comicstory": return .comic
    case "periodical", "publicationissue", "magazine", "newspaper": return .magazine
    case "musicrecording", "musicalbum": return .music
    case "movie", "videoobject": return .video
    default: break
    }
    guard let first = formats.first else { return .book }
    switch first.content {
    case .audiobook: return .audiobook
    case .comic: return .comic
    case .video: return .video
    case .music: return .music
    default: return .book
    }
  }
}

package enum Roles {
  /// By key of JSON, or by code of MARC relators.
  package static func role(_ word: String) -> Contributor.Role {
    let last = word.lowercased().split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    switch last {
    case "author", "aut", "cre": return .author
    case "narrator", "nrt": return .narrator
    case "editor", "edt": return .editor
    case "translator", "trl": return .translator
    case "illustrator", "ill": return .illustrator
    case "artist", "art", "penciler", "inker", "colorist", "letterer", "clr": return .artist
    case "photographer", "pht": return .photographer
    case "adapter", "adp": return .adapter
    case "composer", "cmp": return .composer
    case "performer", "prf", "act", "actor": return .performer
    case "director", "drt": return .director
    case "producer", "pro": return .producer
    case "compiler", "com": return .compiler
    case "aui", "author of introduction": return .authorOfIntroduction
    default: return .contributor
    }
  }
}

/// Words of a catalogue: what it is about, and for whom (§2.2).
enum Headings {
  static func read(_ subjects: [Publication.Subject]) -> ([String], Audience?) {
    var words: [String] = []
    var audience: Audience?
    for subject in subjects {
      switch subject.scheme?.lowercased().replacing("https://", with: "http://") {
      case "http://schema.org/audience":
        audience = audience ?? self.audience(subject.label ?? subject.code ?? "")
      case "http://schema.org/typicalagerange": continue
      default:
        guard let word = subject.words, !words.contains(word) else { continue }
        words.append(word)
      }
    }
    return (words, audience)
  }

  private static func audience(_ word: String) -> Audience? {
    switch word.lowercased().filter(\.isLetter) {
    case "children", "juvenile", "juvenilefiction": .children
    case "youngadult", "ya", "teen": .youngAdult
    case "adult", "adultsonly", "research", "allages": .adult
    default: nil
    }
  }
}

/// Names of a publication in other people's schemes.
package enum Numbers {
  static func read(_ names: [String]) -> ([ISBN], [ForeignIdentifier]) {
    var isbns: [ISBN] = []
    var others: [ForeignIdentifier] = []
    for name in names {
      guard let (scheme, value) = parts(name) else { continue }
      if scheme == "isbn" {
        if let isbn = ISBN(value), !isbns.contains(isbn) { isbns.append(isbn) }
      } else if !others.contains(where: { $0.scheme == scheme && $0.value == value }) {
        others.append(ForeignIdentifier(scheme: scheme, value: value))
      }
    }
    return (isbns, others)
  }

  /// `urn:isbn:…`, `doi:…`, bare numbers, and Palace's `urn:librarysimplified.org/terms/id/X ID/…`.
  /// A UUID names the entry for its own catalogue only.
  private static func parts(_ name: String) -> (String, String)? {
    // Palace encodes it once, and once more inside an address.
    let once = PercentCoding.decode(name) ?? name
    let text = PercentCoding.decode(once) ?? once
    if let palace = text.firstRange(of: "librarysimplified.org/terms/id/") {
      let rest = text[palace.upperBound...].split(separator: "/", maxSplits: 1)
      guard rest.count == 2 else { return nil }
      let scheme = rest[0].lowercased().replacing(" id", with: "").filter { $0 != " " }
      return (scheme, String(rest[1]))
    }
    if ISBN(text) != nil { return ("isbn", text) }
    var pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
    if pieces.count == 2, pieces[0].lowercased() == "urn" {
      pieces = pieces[1].split(separator: ":", maxSplits: 1).map(String.init)
    }
    guard pieces.count == 2, !pieces[1].hasPrefix("//") else { return nil }
    let scheme = pieces[0].lowercased()
    return known.contains(scheme) ? (scheme, pieces[1]) : nil
  }

  private static let known: Set<String> = ["isbn", "doi", "oclc", "lccn", "asin", "issn", "olid"]
}
