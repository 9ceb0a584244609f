import Circulation
import FoundationEssentials
import JSON
import ProviderKit

/// A page of the reading log (§3).
struct LogPage: Sendable {
  let entries: [WireLogged]
  let total: Int?

  init(_ json: JSONValue, _ operation: Circulation.Operation) throws(CirculationError) {
    entries = try Documents.list(
      json["reading_log_entries"], "entries of the reading log", operation, WireLogged.init)
    total = json["numFound"]?.whole
  }

  func isLast(_ number: Int) -> Bool {
    entries.isEmpty || total.map { number * Settings.perPage >= $0 } ?? false
  }
}

/// A work as it stands in the log. One that was deleted or merged has nothing left but its key.
struct WireLogged: Sendable, Hashable {
  let key: Key
  let title: String?
  let authors: [String]
  let firstPublishYear: Int?
  let edition: Key?
  /// Some edition of the work, for the numbers that it has.
  let anyEdition: Key?
  let date: Date?

  init?(_ json: JSONValue) {
    guard let work = json["work"], let key = work["key"]?.words.flatMap({ Key($0, .work) }) else {
      return nil
    }
    func edition(_ value: JSONValue?) -> Key? { value?.words.flatMap { Key($0, .edition) } }
    self.key = key
    title = work["title"]?.words
    authors = (work["author_names"]?.elements ?? []).compactMap(\.words)
    firstPublishYear = work["first_publish_year"]?.whole
    self.edition = edition(json["logged_edition"])
    anyEdition =
      self.edition ?? edition(work["cover_edition_key"]) ?? edition(work["lending_edition_s"])
      ?? (work["edition_key"]?.elements ?? []).lazy.compactMap { edition($0) }.first
    // `2024/03/01, 18:25:07`, in the time of Greenwich.
    date = json["logged_date"]?.words.flatMap {
      WireDate.instant($0.replacing("/", with: "-").replacing(", ", with: " "))
    }
  }
}

/// A list of a reader's own making (§4).
struct WireList: Sendable, Hashable {
  let key: Key
  let name: String
  let seedCount: Int?
  let lastUpdate: Date?

  init?(_ json: JSONValue) {
    guard let key = json["url"]?.words.flatMap({ Key($0, .list) }) else { return nil }
    self.key = key
    name = json["name"]?.words ?? key.name
    seedCount = json["seed_count"]?.whole
    lastUpdate = json["last_update"]?.words.flatMap { WireDate.instant($0) }
  }

  var list: ReadingList {
    ReadingList(
      id: ListID(key.name), name: name, count: seedCount, changedAt: lastUpdate)
  }
}

/// What stands on such a list: a work, an edition, or something that is no book.
enum WireSeed: Sendable, Hashable {
  case book(Key, title: String?)
  case other

  init?(_ json: JSONValue) {
    guard let url = json["url"]?.words, let type = json["type"]?.words else { return nil }
    switch type {
    case "work", "edition":
      guard let key = Key(url, type == "work" ? .work : .edition) else { return nil }
      self = .book(key, title: json["title"]?.words)
    default: self = .other
    }
  }

  var key: Key? { if case .book(let key, _) = self { key } else { nil } }
  var title: String? { if case .book(_, let title) = self { title } else { nil } }
}

/// One edition, as the look-up by numbers describes it (§5).
struct WireEdition: Sendable, Hashable {
  let key: Key
  /// Missing where an edition was never put to a work.
  let work: Key?
  let title: String
  let authors: [String]
  let isbns: [ISBN]
  let published: PartialDate?

  init?(_ json: JSONValue) {
    guard let key = json["key"]?.words.flatMap({ Key($0, .edition) }),
      let title = json["title"]?.words
    else { return nil }
    let works = json["works"]?.elements ?? []
    work = works.first?["key"]?.words.flatMap { Key($0, .work) }
    if !works.isEmpty, work == nil { return nil }
    self.key = key
    self.title = json["subtitle"]?.words.map { "\(title): \($0)" } ?? title
    authors = (json["authors"]?.elements ?? []).compactMap { $0["name"]?.words }
    isbns =
      ["isbn_13", "isbn_10"].flatMap { json[$0]?.elements ?? [] }
      .compactMap { $0.words.flatMap { ISBN($0) } }.distinct
    // Free text, of which a year alone is sure.
    published = json["publish_date"]?.words.flatMap { WireDate.calendar($0) }
  }

  /// By what was asked for, as it was sent; what nobody knows is left out.
  static func told(
    _ json: JSONValue, of numbers: [String], _ operation: Circulation.Operation
  ) throws(CirculationError) -> [String: WireEdition] {
    var told: [String: WireEdition] = [:]
    for number in numbers {
      guard let member = json[number] else { continue }
      guard let edition = member["details"].flatMap(WireEdition.init) else {
        throw Documents.malformed("editions with their titles", operation)
      }
      told[number] = edition
    }
    return told
  }
}

/// A work that a search found.
struct WireFound: Sendable, Hashable {
  let key: Key
  let title: String
  let authors: [String]
  let firstPublishYear: Int?
  let anyEdition: Key?

  init?(_ json: JSONValue) {
    guard let key = json["key"]?.words.flatMap({ Key($0, .work) }), let title = json["title"]?.words
    else { return nil }
    (self.key, self.title) = (key, title)
    authors = (json["author_name"]?.elements ?? []).compactMap(\.words)
    firstPublishYear = json["first_publish_year"]?.whole
    anyEdition = json["cover_edition_key"]?.words.flatMap { Key($0, .edition) }
  }

  static func docs(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireFound]
  {
    try Documents.list(json["docs"], "works with their titles", operation, WireFound.init)
  }
}
