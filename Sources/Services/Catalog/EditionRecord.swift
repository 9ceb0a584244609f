import Circulation
import JSON

/// An edition as it is kept: compact JSON, without the item's id, which has a column. What is
/// absent or empty is not written. Reading is lenient, because a newer program may have written it.
enum EditionRecord {
  static func text(of edition: Edition) -> String {
    var record = JSONObject()
    record["title"] = .string(edition.title)
    record.add("subtitle", edition.subtitle)
    record.add("alternative_titles", edition.alternativeTitles)
    record.add("sort_title", edition.sortTitle)
    record.add("contributors", edition.contributors.map(contributor))
    record["series"] = edition.series.map(series)
    record["medium"] = .string(edition.medium.rawValue)
    record.add("languages", edition.languages)
    record.add("subjects", edition.subjects)
    record.add("audience", edition.audience?.rawValue)
    record.add("summary", edition.summary)
    record.add("publisher", edition.publisher)
    record["published"] = edition.published.map { date in
      .array([date.year, date.month, date.day].compactMap { $0.map(JSONValue.integer) })
    }
    record.add("isbns", edition.isbns.map(\.digits))
    record.add("related_isbns", edition.relatedISBNs.map(\.digits))
    record.add("identifiers", edition.identifiers.map { [.string($0.scheme), .string($0.value)] })
    record.add("formats", edition.formats.map(format))
    record.add("cover", edition.covers.large)
    record.add("small_cover", edition.covers.small)
    record.add("samples", edition.samples)
    record["popularity"] = edition.popularity.map { JSONValue($0) }
    record.add("added", edition.added)
    record.add("rights", edition.rights)
    record["owned"] = edition.owned.map(JSONValue.bool)
    return JSONValue.object(record).text()
  }

  private static func contributor(_ person: Contributor) -> JSONValue {
    var record = JSONObject()
    record["name"] = .string(person.name)
    record.add("sort_name", person.sortName)
    record["role"] = .string(person.role.rawValue)
    record["born"] = person.born.map(JSONValue.integer)
    record["died"] = person.died.map(JSONValue.integer)
    return .object(record)
  }

  private static func series(_ series: Series) -> JSONValue {
    var record = JSONObject()
    record["name"] = .string(series.name)
    record["position"] = series.position.map { JSONValue($0) }
    return .object(record)
  }

  private static func format(_ format: Format) -> JSONValue {
    var record = JSONObject()
    record["id"] = .string(format.id)
    record["content"] = .string(format.content.rawValue)
    record["protection"] = .string(format.protection.rawValue)
    if format.locksLoan { record["locks_loan"] = true }
    return .object(record)
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

extension JSONObject {
  fileprivate mutating func add(_ name: String, _ text: String?) {
    if let text { self[name] = .string(text) }
  }

  fileprivate mutating func add(_ name: String, _ texts: [String]) {
    add(name, texts.map(JSONValue.string))
  }

  fileprivate mutating func add(_ name: String, _ elements: [JSONValue]) {
    if !elements.isEmpty { self[name] = .array(elements) }
  }
}

extension JSONValue {
  fileprivate func elements(_ name: String) -> [JSONValue] { self[name]?.array ?? [] }

  fileprivate func strings(_ name: String) -> [String] { elements(name).compactMap(\.string) }
}
