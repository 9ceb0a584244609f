import CSV
import Setup
import TextSafety

/// A list of pairs as it was written down, and what of it cannot be read.
struct PairList {
  private(set) var pairs: [MatchOrder.Pair] = []
  /// One line for each row that was left out.
  private(set) var faults: [String] = []

  init(_ bytes: [UInt8]) throws(CommandError) {
    var table: CSVTable
    do throws(CSVError) { table = try CSVTable(bytes) } catch {
      throw CommandError(.unreadable, "the list cannot be read: \(error)", try: "carrel help match")
    }
    for column in ["title_a", "title_b"] where !table.has(column) {
      throw CommandError(
        .unreadable, "the list has no column '\(column)'", try: "carrel help match")
    }
    var number = 0
    while true {
      number += 1
      do throws(CSVError) {
        guard let row = try table.next() else { return }
        take(row, number)
      } catch {
        faults.append("\(error)")
      }
    }
  }

  private mutating func take(_ row: CSVTable.Row, _ number: Int) {
    guard let one = Self.side(row, "a"), let two = Self.side(row, "b") else {
      faults.append("line \(row.line): a title is missing")
      return
    }
    pairs.append(MatchOrder.Pair(id: row["id"] ?? String(number), one, two))
  }

  private static func side(_ row: CSVTable.Row, _ name: String) -> MatchOrder.Side? {
    guard let title = row["title_\(name)"] else { return nil }
    var side = MatchOrder.Side(title: title)
    side.subtitle = row["subtitle_\(name)"]
    side.authors = cells(row, ["authors_\(name)", "author_\(name)"])
    side.year = (row["year_\(name)"] ?? row["published_\(name)"]).flatMap { text in
      Int(text.prefix { $0.isNumber })
    }
    side.languages = cells(row, ["language_\(name)", "languages_\(name)"])
    side.isbns = cells(row, ["isbn_\(name)", "isbns_\(name)", "isbn13_\(name)"])
    side.identifiers = cells(row, ["identifiers_\(name)", "identifier_\(name)"])
    if let oclc = row["oclc_\(name)"] { side.identifiers.append("oclc:\(oclc)") }
    if let work = row["work_\(name)"] { side.identifiers.append("work:\(work)") }
    side.medium = row["medium_\(name)"]
    side.series = row["series_\(name)"]
    return side
  }

  private static func cells(_ row: CSVTable.Row, _ columns: [String]) -> [String] {
    columns.compactMap { row[$0] }.flatMap { text in
      text.split(whereSeparator: { $0 == ";" || $0 == "|" }).map { cell in
        String(cell.drop { $0 == " " })
      }
    }.filter { !$0.isEmpty }
  }
}
