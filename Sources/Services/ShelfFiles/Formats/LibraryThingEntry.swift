import Circulation
import JSON
import ReadingLists

/// An entry of LibraryThing's JSON, whose containers change their type when they are empty.
enum LibraryThingEntry {
  static func kept(_ json: JSONValue) -> KeptEntry {
    let title = text(json["title"]) ?? ""
    var entry = ListEntry.of("librarything", text(json["books_id"]), title: title)
    entry.authors =
      all(json["authors"]).compactMap { person in
        text(person["fl"]) ?? text(person["lf"]).map(LibraryThingRow.turned)
      }.distinct
    if entry.authors.isEmpty, let author = text(json["primaryauthor"]) {
      entry.authors = [LibraryThingRow.turned(author)]
    }
    entry.isbns =
      (all(json["isbn"]) + all(json["ean"]) + [json["originalisbn"] ?? .null])
      .compactMap { text($0).flatMap { ISBN($0) } }.distinct
    for (member, scheme) in [("workcode", "librarything-work"), ("asin", "asin")] {
      if let value = text(json[member]) {
        entry.identifiers.append(ForeignIdentifier(scheme: scheme, value: value))
      }
    }
    entry.published = text(json["date"]).flatMap(FileDate.read)
    entry.rating = json["rating"].flatMap { $0.double ?? $0.string.flatMap { Double($0) } }
    if let rating = entry.rating, !(rating > 0 && rating <= 5) { entry.rating = nil }
    entry.review = text(json["review"])
    entry.addedAt = text(json["entrydate"]).flatMap { FileDate.read($0)?.instant }
    entry.readings = readings(json)
    entry.lists = all(json["collections"]).compactMap { text($0).map { ListID($0) } }
    entry.state = LibraryThingRow.state(entry)
    var extras: [String: String] = [:]
    for member in json.object?.members ?? [] where !known.contains(member.name) {
      extras[member.name] = text(member.value) ?? compact(member.value)
    }
    return KeptEntry(entry, shelves: all(json["tags"]).compactMap(text), extras: extras)
  }

  private static let known: Set<String> = [
    "title", "books_id", "authors", "isbn", "workcode", "asin", "date", "rating", "review",
    "entrydate", "datestarted", "dateread", "collections", "tags",
  ]

  private static func readings(_ json: JSONValue) -> [ListEntry.Reading] {
    let started = all(json["datestarted"]).map { text($0).flatMap(FileDate.read) }
    let finished = all(json["dateread"]).map { text($0).flatMap(FileDate.read) }
    return (0..<max(started.count, finished.count)).compactMap { place in
      let reading = ListEntry.Reading(
        started: place < started.count ? started[place] : nil,
        finished: place < finished.count ? finished[place] : nil)
      return reading.started == nil && reading.finished == nil ? nil : reading
    }
  }

  /// What stands in an array, in an object with numbers for names, or alone.
  private static func all(_ json: JSONValue?) -> [JSONValue] {
    switch json {
    case .array(let elements): elements
    case .object(let object): object.members.map(\.value)
    case nil, .null: []
    case let alone?: [alone]
    }
  }

  private static func text(_ json: JSONValue?) -> String? {
    let text =
      switch json {
      case .string(let text): Entities.decoded(text).trimmed
      case .integer(let number): String(number)
      case .decimal(let number): number.literal
      default: ""
      }
    return text.isEmpty ? nil : text
  }

  private static func compact(_ json: JSONValue) -> String? {
    switch json {
    case .array(let elements) where elements.isEmpty: nil
    case .object, .array, .bool: json.text()
    default: nil
    }
  }
}
