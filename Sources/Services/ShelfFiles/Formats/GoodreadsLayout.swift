import Circulation
import FoundationEssentials
import ReadingLists

extension Layout {
  /// The library export of Goodreads, in all ages of it.
  static let goodreads = Layout(
    columns: [
      "Book Id", "Title", "Author", "Author l-f", "Additional Authors", "ISBN", "ISBN13",
      "My Rating", "Average Rating", "Publisher", "Binding", "Number of Pages", "Year Published",
      "Original Publication Year", "Date Read", "Date Added", "Bookshelves",
      "Bookshelves with positions", "Exclusive Shelf", "My Review", "Spoiler", "Private Notes",
      "Read Count", "Owned Copies",
    ],
    synonyms: ["read_dates": "read_dates"],
    signs: [
      ["Title", "Exclusive Shelf"], ["Title", "Bookshelves"], ["ISBN", "Exclusive Shelf"],
    ],
    parse: { .book(GoodreadsRow.parse(&$0)) }, render: { [GoodreadsRow.render($0)] })
}

private enum GoodreadsRow {
  static func parse(_ cells: inout Cells) -> KeptEntry {
    var entry = ListEntry.of("goodreads", cells.take("Book Id"), title: cells.take("Title") ?? "")
    entry.authors =
      (cells.take("Author").map { [$0.squeezed] } ?? []) + cells.names("Additional Authors")
    entry.isbns = [cells.isbn("ISBN"), cells.isbn("ISBN13")].compactMap { $0 }.distinct
    entry.rating = cells.rating("My Rating")
    entry.review = cells.text("My Review")
    entry.published = cells.take("Original Publication Year") { text in
      Int(text).flatMap { PartialDate(checked: $0) }
    }
    entry.readCount = cells.count("Read Count")
    entry.addedAt = cells.take("Date Added") { FileDate.read($0)?.instant }
    let last = cells.date("Date Read")
    entry.readings = cells.take("read_dates", readings) ?? []
    if let last, !entry.readings.contains(where: { $0.finished == last }) {
      entry.readings.append(.init(finished: last))
    }
    var shelves = cells.names("Bookshelves")
    let shelf = cells.take("Exclusive Shelf")
    entry.state = shelf.map(state) ?? state(among: shelves)
    shelves.removeAll { $0 == word(entry.state) }
    return KeptEntry(entry, shelves: shelves)
  }

  static func render(_ kept: KeptEntry) -> [Layout.Cell] {
    let entry = kept.entry
    let state = word(entry.state)
    let listed = (state == "read" ? [] : [state]) + kept.shelves
    return [
      ("Book Id", entry.number("goodreads")), ("Title", entry.title),
      ("Author", entry.authors.first ?? ""),
      ("Additional Authors", Written.names(Array(entry.authors.dropFirst()))),
      ("ISBN", formula(entry.isbns.lazy.compactMap(\.short).first)),
      ("ISBN13", formula(entry.isbns.last?.digits)),
      ("My Rating", Written.number(Int(exactly: (entry.rating ?? 0).rounded()))),
      ("Original Publication Year", Written.number(entry.published?.year)),
      ("Date Read", entry.readings.last?.finished?.written("/") ?? ""),
      ("Date Added", entry.addedAt?.day.written("/") ?? ""),
      ("Bookshelves", Written.names(listed)), ("Exclusive Shelf", state),
      ("My Review", entry.review ?? ""), ("Read Count", Written.number(entry.readCount)),
    ] + (kept.extras["read_dates"] == nil ? [] : [("read_dates", dates(entry.readings))])
  }

  private static func formula(_ digits: String?) -> String { "=\"\(digits ?? "")\"" }

  /// `start,end` and a semicolon, as a well-known tool adds them; a start may be missing.
  private static func readings(_ text: String) -> [ListEntry.Reading]? {
    var readings: [ListEntry.Reading] = []
    for part in text.split(separator: ";") {
      let ends = part.split(separator: ",", omittingEmptySubsequences: false)
      guard ends.count == 2 else { return nil }
      let dates = ends.map { FileDate.read(String($0)) }
      guard zip(ends, dates).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
      readings.append(.init(started: dates[0], finished: dates[1]))
    }
    return readings
  }

  private static func dates(_ readings: [ListEntry.Reading]) -> String {
    readings.map {
      "\($0.started?.description ?? ""),\($0.finished?.description ?? "")"
    }.joined(separator: ";")
  }

  private static func state(_ shelf: String) -> ReadingState {
    switch shelf.lowercased() {
    case "to-read": .wanted
    case "currently-reading": .reading
    case "read": .read
    default: .other(shelf)
    }
  }

  /// Old files and hand-made ones have no exclusive shelf; no word means that it was read.
  private static func state(among shelves: [String]) -> ReadingState {
    if shelves.contains("currently-reading") { return .reading }
    return shelves.contains("to-read") ? .wanted : .read
  }

  private static func word(_ state: ReadingState?) -> String {
    switch state {
    case .wanted: "to-read"
    case .reading: "currently-reading"
    case .read: "read"
    case .stopped: "did-not-finish"
    case .other(let name): name
    // Nobody said that it was read.
    case nil: "to-read"
    }
  }
}
