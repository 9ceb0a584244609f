import Circulation
import Shelving

/// What a shelf list knows of an edition: the narrow row that lanes, sorting and facets are made
/// of, so that none of them ever opens a record.
struct Face: Sendable, Hashable {
  /// As titles are sorted: folded, and without an article in front.
  var title: String
  /// As names are sorted: `austen jane`.
  var author: String
  /// Folded; empty outside of any.
  var series: String
  /// A day, counted from 1970.
  var added: Int64?
  var published: Int64?
  /// Marks, each beginning with a letter that says what it is about; see `FaceMark`.
  var marks: [String]

  init(_ edition: Edition) {
    title = SortKey.title(edition.sortTitle ?? edition.title)
    let author =
      edition.contributors.first { $0.role == .author } ?? edition.contributors.first
    self.author = author.map(SortKey.name) ?? ""
    series = edition.series.map { SortKey.folded($0.name) } ?? ""
    added = edition.added.flatMap(Day.number)
    published = edition.published.map {
      Day.number(year: $0.year, month: $0.month ?? 1, day: $0.day ?? 1)
    }
    marks = Self.marks(of: edition, Classification(subjects: edition.subjects))
  }

  private static func marks(of edition: Edition, _ found: Classification) -> [String] {
    var marks = found.genres.map(FaceMark.genre)
    if let kind = found.kind { marks.append(FaceMark.kind(kind)) }
    let audience =
      edition.audience.flatMap { $0 == .adult ? nil : $0.rawValue } ?? found.readers?.rawValue
    marks.append(FaceMark.audience(audience ?? Audience.adult.rawValue))
    marks.append(FaceMark.form(edition.medium.rawValue))
    marks += edition.formats.map { FaceMark.format($0.content.rawValue) }.distinct
    marks += edition.languages.map(FaceMark.language).distinct.prefix(8)
    return marks
  }
}

enum FaceMark {
  static func genre(_ id: String) -> String { "k" + id }
  static func kind(_ kind: Genre.Kind) -> String { "n" + kind.rawValue }
  static func audience(_ word: String) -> String { "a" + word }
  static func form(_ medium: String) -> String { "m" + medium }
  static func format(_ content: String) -> String { "f" + content }

  static func language(_ tag: String) -> String {
    "l" + primarySubtag(tag).filter { $0 != " " && $0 != "\0" }
  }
}

/// Texts as they are put in order.
enum SortKey {
  /// Longer ones are never told apart by anybody who looks at a list.
  private static let longest = 120

  static func title(_ text: String) -> String {
    let words = FoldedText(beginning(of: text), atMost: 40).words
    return joined(Articles.dropped(from: words))
  }

  static func folded(_ text: String) -> String {
    joined(FoldedText(beginning(of: text), atMost: 40).words[...])
  }

  private static func beginning(of text: String) -> String {
    text.utf8.count <= 2 * longest ? text : String(text.prefix(2 * longest))
  }

  /// The family name first, which stands last in names without a form for sorting.
  static func name(_ person: Contributor) -> String {
    if let sorted = person.sortName, !sorted.isEmpty { return folded(sorted) }
    if person.name.contains(",") { return folded(person.name) }
    let words = FoldedText(beginning(of: person.name), atMost: 40).words
    guard let last = words.last, words.count > 1 else { return joined(words[...]) }
    return joined([last] + words.dropLast())
  }

  private static func joined(_ words: some Sequence<String>) -> String {
    var key = ""
    for word in words {
      if key.utf8.count + word.utf8.count >= longest { break }
      if !key.isEmpty { key += " " }
      key += word
    }
    return key
  }
}

/// Words that titles are looked up without.
enum Articles {
  static func dropped(from words: [String]) -> ArraySlice<String> {
    words.count > 1 && all.contains(words[0]) ? words.dropFirst() : words[...]
  }

  static let all: Set<String> = [
    "the", "a", "an", "le", "la", "les", "un", "une", "der", "die", "das", "ein", "eine", "el",
    "los", "las", "il", "lo", "gli", "de", "het", "een", "o", "os", "as",
  ]
}

/// Days since 1970, for what is told by the day.
enum Day {
  /// From `2024-03-01`, with a time after it or without one; nil for anything else.
  static func number(_ text: String) -> Int64? {
    let parts = text.utf8.prefix(10).split(separator: 0x2D).map { Substring($0) }
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2]), parts[0].utf8.count == 4, (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    return number(year: year, month: month, day: day)
  }

  /// As the calendar that everybody uses now has it, also for years before there was one.
  static func number(year: Int, month: Int, day: Int) -> Int64 {
    let year = Int64(max(-9999, min(9999, year))) - (month <= 2 ? 1 : 0)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let shifted = Int64(month + (month > 2 ? -3 : 9))
    let dayOfYear = (153 * shifted + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func number(milliseconds: Int64) -> Int64 { milliseconds / 86_400_000 }
}
