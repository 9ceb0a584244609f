import Circulation

/// A catalogue as a large library has it, the same for every run: few words in most titles, most
/// words in few, and the fields filled as providers fill them.
struct Shelves {
  private var random = Noise(state: 7)
  private let words: [String]
  private let names: [String]

  init() {
    var random = Noise(state: 42)
    let common = [
      "the", "of", "and", "a", "in", "to", "love", "night", "house", "girl", "war", "life", "time",
      "world", "heart", "blood", "dark", "little", "secret", "last", "man", "death", "summer",
      "king", "story", "dragon", "winter", "garden", "sea", "été", "Größe", "señor",
    ]
    words = common + (0..<30_000).map { _ in Self.invented(&random) }
    names = (0..<12_000).map { _ in Self.invented(&random).capitalizedWord }
  }

  mutating func edition(_ number: Int) -> Edition {
    var edition = Edition(item: ItemID("item-\(number)"), title: title())
    if random.next(3) == 0 { edition.subtitle = title() }
    for _ in 0...random.next(2) { edition.contributors.append(person(.author)) }
    if random.next(4) == 0 { edition.contributors.append(person(.narrator)) }
    if random.next(3) == 0 {
      edition.series = Series(name: title(), position: Double(1 + random.next(20)))
    }
    edition.medium = random.next(4) == 0 ? .audiobook : .book
    edition.languages = [
      ["en", "en", "en", "en", "en", "en", "es", "fr", "de", "zh"][random.next(10)]
    ]
    edition.subjects = (0..<(1 + random.next(4))).map { _ in
      ["Fiction", "Romance", "Thriller", "History", "Fantasy", "Biography", "Juvenile Fiction"][
        random.next(7)]
    }
    edition.summary = (0..<(20 + random.next(40))).map { _ in word() }.joined(separator: " ")
    edition.publisher = names[random.next(200)]
    edition.published = PartialDate(year: 1950 + random.next(75), month: 1 + random.next(12))
    edition.isbns = [isbn()].compactMap(\.self)
    edition.formats =
      edition.medium == .audiobook
      ? [Format(id: "audiobook-mp3", content: .audiobook, protection: .vendorApp)]
      : [
        Format(id: "ebook-epub-adobe", content: .epub, protection: .adobe, locksLoan: true),
        Format(id: "ebook-kindle", content: .kindle, protection: .vendorApp),
      ]
    edition.covers = Covers(
      large: "https://covers.example/\(number)/large.jpg",
      small: "https://covers.example/\(number)/small.jpg")
    edition.popularity = Double(1_000_000 / (1 + random.next(100_000)))
    edition.owned = true
    edition.added = "\(2000 + number % 26)-0\(1 + number % 9)-1\(number % 10)"
    return edition
  }

  private mutating func title() -> String {
    var title = (0..<(1 + random.next(5))).map { _ in word() }
    if random.next(2) == 0 { title.insert("the", at: 0) }
    return title.map(\.capitalizedWord).joined(separator: " ")
  }

  /// The n-th word is about n times rarer than the first.
  private mutating func word() -> String {
    let spread = random.next(3) == 0 ? words.count : 32 + random.next(3000)
    return words[random.next(1 + random.next(spread))]
  }

  private mutating func person(_ role: Contributor.Role) -> Contributor {
    let (first, last) = (names[random.next(400)], names[random.next(names.count)])
    return Contributor(name: "\(first) \(last)", sortName: "\(last), \(first)", role: role)
  }

  private mutating func isbn() -> ISBN? {
    let body = "978\(100_000_000 + random.next(899_999_999))"
    return (0...9).lazy.compactMap { ISBN("\(body)\($0)") }.first
  }

  private static func invented(_ random: inout Noise) -> String {
    let (heads, tails) = (Array("bcdfghjklmnprstvw"), Array("aeiou"))
    return (0..<(2 + random.next(3))).map { _ in
      "\(heads[random.next(heads.count)])\(tails[random.next(tails.count)])"
    }.joined() + (random.next(3) == 0 ? "n" : "")
  }
}

extension String {
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}

/// A linear congruential generator: chance that repeats itself.
struct Noise {
  var state: UInt64

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
