package import Circulation
import FoundationEssentials
import JSON

/// What a service or a file says of a book on a list, kept whole, so that it can be given back as
/// it came.
package struct KeptEntry: Sendable, Hashable {
  package var entry: ListEntry
  /// As the file or the service names them.
  package var shelves: [String]
  /// What nothing here has a place for, by the name of its column.
  package var extras: [String: String]

  package init(_ entry: ListEntry, shelves: [String] = [], extras: [String: String] = [:]) {
    (self.entry, self.shelves, self.extras) = (entry, shelves, extras)
  }
}

package struct UnreadableEntry: Error, Sendable, Hashable, CustomStringConvertible {
  package let reason: String

  package var description: String { "a kept entry cannot be read: \(reason)" }
}

extension KeptEntry {
  /// Compact JSON, always the same for the same entry; what is absent or empty is not written.
  package func written() -> String {
    var record: [JSONObject.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { record.append(JSONObject.Member(name, value)) }
    }
    func add(_ name: String, _ texts: [String]) {
      if !texts.isEmpty { add(name, .array(texts.map(JSONValue.string))) }
    }
    add("item", .string(entry.item.rawValue))
    add("record", entry.record.map(JSONValue.string))
    add("title", .string(entry.title))
    add("authors", entry.authors)
    add("isbns", entry.isbns.map(\.digits))
    if !entry.identifiers.isEmpty {
      add(
        "identifiers",
        .array(entry.identifiers.map { [.string($0.scheme), .string($0.value)] }))
    }
    add("published", entry.published.map(Self.written))
    add("rating", entry.rating.map { JSONValue($0) })
    add("review", entry.review.map(JSONValue.string))
    if entry.isReviewCut { add("cut", true) }
    if !entry.readings.isEmpty { add("readings", .array(entry.readings.map(Self.written))) }
    add("times", entry.readCount.map(JSONValue.integer))
    add("added", entry.addedAt.map { .integer(Int($0.milliseconds)) })
    add("changed", entry.changedAt.map { .integer(Int($0.milliseconds)) })
    add("lists", entry.lists.map(\.rawValue))
    if case .other(let name)? = entry.state {
      // A shelf of the reader's making may be called "read" as well.
      add("other_state", .string(name))
    } else {
      add("state", entry.state.map { .string($0.word) })
    }
    add("position", entry.position.map(JSONValue.integer))
    add("link", entry.link.map(JSONValue.string))
    add("shelves", shelves)
    if !extras.isEmpty {
      let sorted = extras.sorted { $0.key < $1.key }
      add("extras", .object(JSONObject(sorted.map { .init($0.key, .string($0.value)) })))
    }
    return JSONValue.object(JSONObject(record)).text()
  }

  private static func written(_ date: PartialDate) -> JSONValue {
    .array([date.year, date.month, date.day].compactMap { $0.map(JSONValue.integer) })
  }

  private static func written(_ reading: ListEntry.Reading) -> JSONValue {
    [
      reading.started.map(written) ?? .null, reading.finished.map(written) ?? .null,
    ]
  }
}

extension KeptEntry {
  /// Lenient about members that a newer program added, strict about whether it is an entry at all.
  package init(read text: String) throws(UnreadableEntry) {
    let record: JSONValue
    do throws(JSONError) { record = try JSONValue(parsing: text) } catch {
      throw UnreadableEntry(reason: error.description)
    }
    guard let item = record["item"]?.string, let title = record["title"]?.string else {
      throw UnreadableEntry(reason: "it has no title")
    }
    var entry = ListEntry(item: ItemID(item), title: title)
    entry.record = record["record"]?.string
    entry.authors = record.texts("authors")
    entry.isbns = record.texts("isbns").compactMap { ISBN($0) }
    entry.identifiers = (record["identifiers"]?.array ?? []).compactMap { pair in
      guard let scheme = pair[0]?.string, let value = pair[1]?.string else { return nil }
      return ForeignIdentifier(scheme: scheme, value: value)
    }
    entry.published = record["published"].flatMap(Self.date)
    entry.rating = record["rating"]?.double.flatMap { (0...5).contains($0) ? $0 : nil }
    entry.review = record["review"]?.string
    entry.isReviewCut = record["cut"]?.bool ?? false
    entry.readings = (record["readings"]?.array ?? []).map { pair in
      .init(started: pair[0].flatMap(Self.date), finished: pair[1].flatMap(Self.date))
    }
    entry.readCount = record["times"]?.integer
    entry.addedAt = record["added"]?.integer.map { Date(milliseconds: Int64($0)) }
    entry.changedAt = record["changed"]?.integer.map { Date(milliseconds: Int64($0)) }
    entry.lists = record.texts("lists").map { ListID($0) }
    entry.state =
      record["other_state"]?.string.map(ReadingState.other)
      ?? record["state"]?.string.map(ReadingState.init(word:))
    entry.position = record["position"]?.integer
    entry.link = record["link"]?.string
    var extras: [String: String] = [:]
    for member in record["extras"]?.object?.members ?? [] {
      extras[member.name] = member.value.string
    }
    self.init(entry, shelves: record.texts("shelves"), extras: extras)
  }

  private static func date(_ parts: JSONValue) -> PartialDate? {
    guard let year = parts[0]?.integer else { return nil }
    return PartialDate(checked: year, month: parts[1]?.integer, day: parts[2]?.integer)
  }
}

extension PartialDate {
  /// As far as these are numbers of a calendar: whoever counts with dates that came from elsewhere
  /// must not run over. Books have years before the common era as well.
  package init?(checked year: Int, month: Int? = nil, day: Int? = nil) {
    guard (-9999...9999).contains(year), year != 0 else { return nil }
    let month = month.flatMap { (1...12).contains($0) ? $0 : nil }
    self.init(year: year, month: month, day: day.flatMap { (1...31).contains($0) ? $0 : nil })
  }
}

extension ReadingState {
  /// The state of this word, or one of the reader's own making.
  package init(word: String) {
    self =
      switch word {
      case "wanted": .wanted
      case "reading": .reading
      case "read": .read
      case "stopped": .stopped
      default: .other(word)
      }
  }
}

extension JSONValue {
  fileprivate func texts(_ name: String) -> [String] {
    (self[name]?.array ?? []).compactMap(\.string)
  }
}
