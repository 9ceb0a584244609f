import CSV
import Circulation
import Foundation

@testable import Matching

/// Pairs of real books with what is right about them, gathered for this test.
struct LabelledPair: Sendable {
  let id: String
  let isSame: Bool
  let about: String
  let one: Candidate
  let two: Candidate

  /// Kept from the rules while they are written: every third.
  var isHeldOut: Bool { (Int(id.dropFirst()) ?? 0).isMultiple(of: 3) }
  /// Facts that no rule finds: reported apart.
  var isByFact: Bool { ["retitled", "pseudonym"].contains(about) }

  static func all() throws -> [LabelledPair] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/pairs.csv")
    var table = try CSVTable(Array(try Data(contentsOf: path)))
    var pairs: [LabelledPair] = []
    while let row = try table.next() {
      pairs.append(
        LabelledPair(
          id: row["id"] ?? "", isSame: row["label"] == "same", about: row["about"] ?? "",
          one: candidate(row, "a"), two: candidate(row, "b")))
    }
    return pairs
  }

  private static func candidate(_ row: CSVTable.Row, _ side: String) -> Candidate {
    func cells(_ name: String) -> [String] {
      (row["\(name)_\(side)"] ?? "").split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    var candidate = Candidate(title: row["title_\(side)"] ?? "", authors: cells("authors"))
    candidate.languages = cells("language")
    candidate.isbns = cells("isbn").compactMap { ISBN(listed: $0) }
    candidate.medium = row["medium_\(side)"].flatMap(Medium.init)
    candidate.identifiers = cells("identifiers").map { text in
      let parts = text.split(separator: ":", maxSplits: 1)
      return ForeignIdentifier(scheme: String(parts[0]), value: String(parts[1]))
    }
    if let series = row["series_\(side)"] {
      let parts = series.split(separator: "#")
      let name = parts[0].trimmingCharacters(in: .whitespaces)
      candidate.series = Series(name: name, position: parts.count > 1 ? Double(parts[1]) : nil)
    }
    return candidate
  }
}
