import Circulation
import JSON

/// An edition as it is kept: compact JSON, without the item's id, which has a column. What is
/// absent or empty is not written. Reading is lenient, because a newer program may have written it.
enum EditionRecord {
  static func text(of edition: Edition) -> String {
    var record = RecordText()
    record.add("title", edition.title)
    record.add("subtitle", edition.subtitle)
    record.add("alternative_titles", edition.alternativeTitles)
    record.add("sort_title", edition.sortTitle)
    record.add("contributors", edition.contributors) { $0.add($1) }
    record.add("series", edition.series) { $0.add($1) }
    record.add("medium", edition.medium.rawValue)
    record.add("languages", edition.languages)
    record.add("subjects", edition.subjects)
    record.add("audience", edition.audience?.rawValue)
    record.add("summary", edition.summary)
    record.add("publisher", edition.publisher)
    record.add(
      "published",
      edition.published.map { [$0.year, $0.month, $0.day].compactMap(\.self) } ?? []
    ) { $0.put(.integer($1)) }
    record.add("isbns", edition.isbns.map(\.digits))
    record.add("related_isbns", edition.relatedISBNs.map(\.digits))
    record.add("identifiers", edition.identifiers) {
      $0.put(.array([.string($1.scheme), .string($1.value)]))
    }
    record.add("formats", edition.formats) { $0.add($1) }
    record.add("cover", edition.covers.large)
    record.add("small_cover", edition.covers.small)
    record.add("samples", edition.samples)
    record.add("popularity", edition.popularity) { $0.put(JSONValue($1)) }
    record.add("added", edition.added)
    record.add("rights", edition.rights)
    record.add("owned", edition.owned) { $0.put(.bool($1)) }
    return record.end()
  }
}

/// Records are written by the ten thousand, so they are written as they come, and not gathered
/// before.
private struct RecordText {
  private var out: [UInt8] = [0x7B]
  private var isFirst = true

  init() { out.reserveCapacity(2000) }

  mutating func end() -> String {
    out.append(0x7D)
    return String(decoding: out, as: UTF8.self)
  }

  private mutating func name(_ name: String) {
    if !isFirst { out.append(0x2C) }
    isFirst = false
    JSONValue.appendQuoted(name, to: &out)
    out.append(0x3A)
  }

  mutating func put(_ value: JSONValue) { value.append(to: &out) }

  mutating func add(_ name: String, _ text: String?) {
    guard let text else { return }
    self.name(name)
    JSONValue.appendQuoted(text, to: &out)
  }

  mutating func add<Part>(_ name: String, _ part: Part?, _ put: (inout Self, Part) -> Void) {
    guard let part else { return }
    self.name(name)
    put(&self, part)
  }

  mutating func add(_ name: String, _ texts: [String]) {
    add(name, texts) { JSONValue.appendQuoted($1, to: &$0.out) }
  }

  mutating func add<Part>(_ name: String, _ parts: [Part], _ put: (inout Self, Part) -> Void) {
    guard !parts.isEmpty else { return }
    self.name(name)
    out.append(0x5B)
    for (place, part) in parts.enumerated() {
      if place > 0 { out.append(0x2C) }
      put(&self, part)
    }
    out.append(0x5D)
  }

  private mutating func object(_ fill: (inout Self) -> Void) {
    out.append(0x7B)
    isFirst = true
    fill(&self)
    isFirst = false
    out.append(0x7D)
  }

  mutating func add(_ person: Contributor) {
    object { record in
      record.add("name", person.name)
      record.add("sort_name", person.sortName)
      record.add("role", person.role.rawValue)
      record.add("born", person.born) { $0.put(.integer($1)) }
      record.add("died", person.died) { $0.put(.integer($1)) }
    }
  }

  mutating func add(_ series: Series) {
    object { record in
      record.add("name", series.name)
      record.add("position", series.position) { $0.put(JSONValue($1)) }
    }
  }

  mutating func add(_ format: Format) {
    object { record in
      record.add("id", format.id)
      record.add("content", format.content.rawValue)
      record.add("protection", format.protection.rawValue)
      if format.locksLoan { record.add("locks_loan", true) { $0.put(.bool($1)) } }
    }
  }
}

extension EditionRecord {
  /// A record that nobody can read any more still has its id, which says more than no book.
  static func edition(_ item: ItemID, from text: String) -> Edition {
    do throws(JSONError) {
      return edition(item, from: try JSONValue(parsing: text))
    } catch {
      return Edition(item: item, title: item.rawValue)
    }
  }

  private static func edition(_ item: ItemID, from record: JSONValue) -> Edition {
    var edition = Edition(item: item, title: record["title"]?.string ?? item.rawValue)
    edition.subtitle = record["subtitle"]?.string
    edition.alternativeTitles = record.strings("alternative_titles")
    edition.sortTitle = record["sort_title"]?.string
    edition.contributors = record.elements("contributors").compactMap(contributor)
    edition.series = record["series"].flatMap(series)
    edition.medium = record["medium"]?.string.flatMap(Medium.init) ?? .other
    edition.languages = record.strings("languages")
    edition.subjects = record.strings("subjects")
    edition.audience = record["audience"]?.string.flatMap(Audience.init)
    edition.summary = record["summary"]?.string
    edition.publisher = record["publisher"]?.string
    edition.published = date(record.elements("published").compactMap(\.integer))
    edition.isbns = record.strings("isbns").compactMap { ISBN($0) }
    edition.relatedISBNs = record.strings("related_isbns").compactMap { ISBN($0) }
    edition.identifiers = record.elements("identifiers").compactMap(identifier)
    edition.formats = record.elements("formats").compactMap(format)
    edition.covers = Covers(
      large: record["cover"]?.string, small: record["small_cover"]?.string)
    edition.samples = record.strings("samples")
    edition.popularity = record["popularity"]?.double
    edition.added = record["added"]?.string
    edition.rights = record["rights"]?.string
    edition.owned = record["owned"]?.bool
    return edition
  }

  private static func contributor(_ record: JSONValue) -> Contributor? {
    guard let name = record["name"]?.string else { return nil }
    let role = record["role"]?.string.flatMap(Contributor.Role.init) ?? .contributor
    return Contributor(
      name: name, sortName: record["sort_name"]?.string, role: role,
      born: record["born"]?.integer, died: record["died"]?.integer)
  }

  private static func series(_ record: JSONValue) -> Series? {
    record["name"]?.string.map { Series(name: $0, position: record["position"]?.double) }
  }

  private static func date(_ parts: [Int]) -> PartialDate? {
    guard let year = parts.first else { return nil }
    return PartialDate(
      year: year, month: parts.count > 1 ? parts[1] : nil, day: parts.count > 2 ? parts[2] : nil)
  }

  private static func identifier(_ record: JSONValue) -> ForeignIdentifier? {
    guard let scheme = record[0]?.string, let value = record[1]?.string else { return nil }
    return ForeignIdentifier(scheme: scheme, value: value)
  }

  private static func format(_ record: JSONValue) -> Format? {
    guard let id = record["id"]?.string else { return nil }
    return Format(
      id: id, content: record["content"]?.string.flatMap(Format.Content.init) ?? .other,
      protection: record["protection"]?.string.flatMap(Format.Protection.init) ?? .unknown,
      locksLoan: record["locks_loan"]?.bool ?? false)
  }
}

extension JSONValue {
  fileprivate func elements(_ name: String) -> [JSONValue] { self[name]?.array ?? [] }

  fileprivate func strings(_ name: String) -> [String] { elements(name).compactMap(\.string) }
}
