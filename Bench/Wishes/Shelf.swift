import Circulation
import Matching

/// Books as a library lists them: many by one writer, many of one name, subtitles, numbers.
struct Shelf {
  private let names: [String]
  private let nouns: [String]
  private static let common = [
    "Night", "House", "River", "Letters", "Winter", "Garden", "Secret", "Road", "Poems", "Stories",
  ]

  init(seed: UInt64) {
    var chance = Chance(state: seed)
    let syllables = "bcdfghklmnprstvw".flatMap { letter in
      ["a", "e", "i", "o", "ar", "el", "on"].map { "\(letter)\($0)" }
    }
    func words(_ count: Int) -> [String] {
      (0..<count).map { _ in
        let word = (0..<(2 + chance.below(2))).map { _ in syllables[chance.below(syllables.count)] }
        return word.joined().prefix(1).uppercased() + word.joined().dropFirst()
      }
    }
    (names, nouns) = (words(9000), words(4000))
  }

  func book(_ number: Int) -> Book {
    var chance = Chance(state: UInt64(number) &* 0x9E37_79B9 &+ 77)
    func one(_ row: [String]) -> String { row[chance.below(row.count)] }
    let author = "\(one(names)) \(one(names))"
    let title =
      switch chance.below(7) {
      case 0: one(Self.common)
      case 1, 2: "\(one(nouns)) \(one(Self.common))"
      default: "The \(one(nouns)) of \(one(nouns))"
      }
    var edition = Edition(item: ItemID("b\(number)"), title: title)
    if chance.below(3) == 0 { edition.subtitle = "A History of \(one(nouns))" }
    edition.contributors = [Contributor(name: author, role: .author)]
    edition.languages = ["en"]
    edition.isbns = chance.below(2) == 0 ? [Self.isbn(number)].compactMap { $0 } : []
    return Book(edition: edition, author: author)
  }

  private static func isbn(_ number: Int) -> ISBN? {
    let digits = "978" + String(String(1_000_000_000 + number).suffix(9))
    let sum = digits.enumerated().reduce(0) { sum, digit in
      sum + (digit.element.wholeNumberValue ?? 0) * (digit.offset % 2 == 0 ? 1 : 3)
    }
    return ISBN(digits + "\((10 - sum % 10) % 10)")
  }
}

struct Book {
  let edition: Edition
  let author: String

  /// As it stands on a reader's list: with the series in brackets, the name turned round, without the
  /// subtitle, and sometimes with the number.
  func wish(_ number: Int) -> Candidate {
    let words = author.split(separator: " ").map { String($0) }
    let turned = number % 3 == 0 ? "\(words[1]), \(words[0])" : author
    var title = edition.title
    if number % 4 == 1, let subtitle = edition.subtitle { title += ": \(subtitle)" }
    if number % 5 == 2 { title = title.lowercased() }
    var wish = Candidate(title: title, authors: [turned])
    if number % 2 == 0 { wish.isbns = edition.isbns }
    return wish
  }
}

/// The same row of numbers in every run.
private struct Chance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
