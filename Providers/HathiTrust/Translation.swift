import Circulation
import FoundationEssentials
import HTTP
import ProviderKit

/// A volume that the reader may open.
struct OpenVolume: Sendable, Hashable {
  let format: Format
  let address: String
}

enum Translation {
  /// What the records found under one name come to.
  static func availability(of records: [WireRecord], in country: Country, asOf now: Date)
    -> Availability
  {
    guard !records.isEmpty else { return Availability(.unknownToProvider, asOf: now) }
    let isOpen = records.contains { !$0.open(in: country).isEmpty }
    return Availability(isOpen ? .openAccess : .unavailable(.init()), asOf: now)
  }
}

extension WireRecord {
  /// One for each part, in their order; of several copies of a part the first.
  func open(in country: Country) -> [OpenVolume] {
    let isSet = volumes.contains { $0.part != nil }
    var seen: Set<String> = []
    return volumes.filter { Reach(code: $0.rights).covers(country) }.compactMap { volume in
      let name = isSet ? volume.part ?? volume.id : Self.wholeBook
      guard seen.insert(name).inserted else { return nil }
      return OpenVolume(
        format: Format(id: name, content: .html, protection: .streaming), address: volume.page)
    }
  }

  static let wholeBook = "read-online"

  /// Several parts, whose numbers stand side by side on the one record.
  var isSet: Bool { Set(volumes.compactMap(\.part)).count > 1 }

  func found(in country: Country, asOf now: Date) -> FoundEdition {
    FoundEdition(
      edition(in: country),
      Translation.availability(of: [self], in: country, asOf: now))
  }

  func edition(in country: Country) -> Edition {
    var edition = Edition(item: ItemID(number), title: "")
    if let marc = marc.flatMap(WireMARC.init) { marc.describe(&edition) }
    if edition.title.isEmpty { PlainTitle(titles.first ?? "").describe(&edition) }
    if edition.title.isEmpty { edition.title = number }
    edition.published =
      edition.published ?? published.lazy.compactMap(Self.year).first.map { PartialDate(year: $0) }
    let own = isbns.compactMap { ISBN($0.trimmingBlanks.prefixWord) }
    // Those of a set belong to single volumes.
    if isSet { edition.relatedISBNs = own.distinct } else { edition.isbns = own.distinct }
    edition.identifiers =
      (named(.oclc, "oclc") + named(.lccn, "lccn") + named(.issn, "issn")).distinct
    edition.formats = open(in: country).map(\.format)
    return edition
  }

  private func named(_ scheme: Number.Scheme, _ name: String) -> [ForeignIdentifier] {
    numbers(scheme).map(\.value).sorted().map { ForeignIdentifier(scheme: name, value: $0) }
  }

  /// `[1966]`, `c1901`, `1899-1902`.
  private static func year(_ text: String) -> Int? {
    text.split { !$0.isNumber }.lazy.compactMap { $0.count == 4 ? Int($0) : nil }
      .first { (1000...2100).contains($0) }
  }
}

extension WireVolume {
  /// Its page-turner. An address of another make than the web's is not handed on.
  fileprivate var page: String {
    if let address, let parsed = try? Address(address), ["http", "https"].contains(parsed.scheme) {
      return address
    }
    return "https://babel.hathitrust.org/cgi/pt?id=" + Address.encoded(id)
  }
}

extension String {
  /// `0030110408 (pbk.)` is the number before the words.
  var prefixWord: String { String(prefix { $0 != " " && $0 != "(" && $0 != ":" }) }
}

extension Array where Element: Hashable {
  fileprivate var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
