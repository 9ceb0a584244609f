import Circulation
import FoundationEssentials
import ReadingLists

extension Layout {
  static let storyGraph = Layout(
    columns: [
      "Title", "Authors", "Contributors", "ISBN/UID", "Format", "Read Status", "Date Added",
      "Last Date Read", "Dates Read", "Read Count", "Moods", "Pace",
      "Character- or Plot-Driven?", "Strong Character Development?", "Loveable Characters?",
      "Diverse Characters?", "Flawed Characters?", "Star Rating", "Review", "Content Warnings",
      "Content Warning Description", "Tags", "Owned?",
    ],
    synonyms: ["Author": "Authors", "ISBN": "ISBN/UID"],
    signs: [["Title", "Read Status"], ["ISBN/UID"]],
    parse: { .book(StoryGraphRow.parse(&$0)) }, render: { [StoryGraphRow.render($0)] })
}

private enum StoryGraphRow {
  static func parse(_ cells: inout Cells) -> KeptEntry {
    var entry = ListEntry.of("storygraph", nil, title: cells.take("Title") ?? "")
    entry.authors = cells.names("Authors")
    entry.isbns = cells.isbn("ISBN/UID").map { [$0] } ?? []
    if entry.isbns.isEmpty, let number = cells.take("ISBN/UID") {
      entry.identifiers = [ForeignIdentifier(scheme: scheme(of: number), value: number)]
    }
    entry.state = cells.take("Read Status").map(state)
    entry.addedAt = cells.take("Date Added") { FileDate.read($0)?.instant }
    entry.readings = cells.take("Dates Read", readings) ?? []
    if let last = cells.date("Last Date Read"),
      !entry.readings.contains(where: { $0.finished == last })
    {
      entry.readings.append(.init(finished: last))
    }
    entry.readCount = cells.count("Read Count")
    entry.rating = cells.rating("Star Rating")
    entry.review = cells.text("Review")
    return KeptEntry(entry, shelves: cells.names("Tags"))
  }

  static func render(_ kept: KeptEntry) -> [Layout.Cell] {
    let entry = kept.entry
    let number = entry.isbns.first?.digits ?? entry.number("storygraph")
    return [
      ("Title", entry.title), ("Authors", Written.names(entry.authors)),
      ("ISBN/UID", number.isEmpty ? entry.number("asin") : number),
      ("Read Status", word(entry.state)),
      ("Date Added", entry.addedAt?.day.written("/") ?? ""),
      ("Last Date Read", entry.readings.last { $0.finished != nil }?.finished?.written("/") ?? ""),
      ("Dates Read", dates(entry.readings)),
      ("Read Count", Written.number(entry.readCount)),
      ("Star Rating", Written.rating(entry.rating)), ("Review", entry.review ?? ""),
      ("Tags", Written.names(kept.shelves)),
    ]
  }

  private static func scheme(of number: String) -> String {
    number.utf8.count == 10 && number.hasPrefix("B0") ? "asin" : "storygraph"
  }

  /// Ranges or single days, the newest first.
  private static func readings(_ text: String) -> [ListEntry.Reading]? {
    var readings: [ListEntry.Reading] = []
    for part in text.split(separator: ",") {
      let ends = String(part).trimmed.split(separator: "-", omittingEmptySubsequences: false)
      let dates = ends.map { FileDate.read(String($0)) }
      guard ends.count <= 2, dates.contains(where: { $0 != nil }),
        zip(ends, dates).allSatisfy({ $0.isEmpty || $1 != nil })
      else { return nil }
      readings.append(
        ends.count == 1
          ? .init(finished: dates[0]) : .init(started: dates[0], finished: dates[1]))
    }
    return readings.reversed()
  }

  private static func dates(_ readings: [ListEntry.Reading]) -> String {
    readings.reversed().compactMap { reading in
      switch (reading.started, reading.finished) {
      case (nil, nil): nil
      case (nil, let finished?): finished.written("/")
      case (let started?, let finished):
        started.written("/") + "-" + (finished?.written("/") ?? "")
      }
    }.joined(separator: ", ")
  }

  private static func state(_ word: String) -> ReadingState {
    switch word.lowercased() {
    case "to-read": .wanted
    case "currently-reading": .reading
    case "read": .read
    case "did-not-finish": .stopped
    default: .other(word)
    }
  }

  private static func word(_ state: ReadingState?) -> String {
    switch state {
    case .wanted, nil: "to-read"
    case .reading: "currently-reading"
    case .read: "read"
    case .stopped: "did-not-finish"
    case .other(let name): name
    }
  }
}
