import Circulation
import ProviderKit

// From the record to the edition.

/// How much of one record is kept. Real ones are far below; what is more is said to have been cut.
enum Bounds {
  static let contributors = 100
  static let subjects = 200
  static let formats = 60
  static let alternatives = 40
  static let title = 2000
  static let summary = 20_000
}

extension Record {
  var item: ItemID { ItemID(String(number)) }

  /// With what had to be left out.
  func edition() -> (edition: Edition, warnings: [String]) {
    var warnings: [String] = []
    let titles = TitleReading.best(of: self.titles)
    let read = titles.map { TitleReading($0.best) }
    let own = read?.title ?? ""
    var edition = Edition(
      item: item,
      title: own.isEmpty ? "Untitled (Gutenberg \(number))" : cut(own, Bounds.title, &warnings))
    edition.subtitle = read?.subtitle.map { cut($0, Bounds.title, &warnings) }
    edition.alternativeTitles = kept(
      ((titles?.others ?? []).map { TitleReading($0).title } + alternatives.map(oneLine))
        .distinct.filter { $0 != edition.title },
      Bounds.alternatives, "alternative titles", &warnings)
    edition.contributors = kept(
      credits.map(PersonReading.contributor).distinct, Bounds.contributors, "contributors",
      &warnings)
    edition.medium = medium
    edition.languages = languages.compactMap { LanguageTag.primary(of: $0) }.distinct
    edition.subjects = kept(
      (headings + bookshelves + classes).distinct, Bounds.subjects, "subjects", &warnings)
    edition.audience = audience
    edition.summary = summary.map { cut($0, Bounds.summary, &warnings) }
    edition.publisher = publisher
    edition.series = fields("440").first.map(Self.series)
    edition.isbns =
      fields("020").compactMap { text in
        ISBN(String(text.prefix { $0.isNumber || $0 == "-" || $0 == "X" || $0 == "x" }))
      }.distinct
    edition.identifiers =
      fields("010").map {
        ForeignIdentifier(scheme: "lccn", value: $0.filter { !$0.isWhitespace })
      }.distinct
    edition.formats = Array(offered.map(\.format).prefix(Bounds.formats))
    edition.covers = Covers(large: cover, small: smallCover)
    edition.popularity = downloads.map(Double.init)
    edition.added = issued
    edition.rights = rights
    edition.owned = true
    return (edition, warnings)
  }

  private func cut(_ text: String, _ length: Int, _ warnings: inout [String]) -> String {
    // A text has no more characters than bytes.
    guard text.utf8.count > length, text.count > length else { return text }
    warnings.append("pg\(number): a text of \(text.count) characters was cut to \(length)")
    return text.prefix(length).trimmed + "…"
  }

  private func kept<Element>(
    _ list: [Element], _ most: Int, _ what: String, _ warnings: inout [String]
  ) -> [Element] {
    guard list.count > most else { return list }
    warnings.append("pg\(number): of \(list.count) \(what) the first \(most) are kept")
    return Array(list.prefix(most))
  }

  private func oneLine(_ text: String) -> String {
    text.inOneLine
  }

  private var medium: Medium {
    switch type {
    case nil, "Text": .book
    case "Sound": .audiobook
    case "MovingImage": .video
    default: .other
    }
  }

  private var audience: Audience? {
    headings.contains { $0.holds("Juvenile") } ? .children : nil
  }

  /// Written by a machine since 2024, which is said with it.
  private var summary: String? {
    guard let text = fields("520").first else { return nil }
    let label = "(This is an automatically generated summary.)"
    return text.holds("automatically generated") ? text : "\(text) \(label)"
  }

  /// `The Works, volume 3`, `Everyman's library ; 12`
  private static func series(_ text: String) -> Series {
    let plain = text.replacing("$a", with: "").replacing("$v", with: ";")
      .trimmingSuffix { " .,;:".contains($0) }.trimmed
    let parts = plain.split { ";,".contains($0) }.map(\.trimmed)
    guard parts.count > 1, let last = parts.last, let number = last.split(separator: " ").last,
      let position = Double(number.drop { !$0.isNumber })
    else { return Series(name: plain) }
    let lead = last.dropLast(number.count).trimmed.lowercased()
    let isCounted = ["", "no.", "vol.", "volume", "number", "book", "part", "bd.", "nr.", "#"]
      .contains(lead)
    guard isCounted else { return Series(name: plain) }
    return Series(name: parts.dropLast().joined(separator: ", "), position: position)
  }
}

extension String {
  fileprivate func trimmingSuffix(while drops: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, drops(last) { text.removeLast() }
    return text
  }
}
