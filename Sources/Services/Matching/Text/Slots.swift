/// The numbers that tell the volumes of one title apart.
struct Slots: Sendable, Hashable {
  /// `Vol. 2`, `Part One`, `Band 3`.
  var volume: Int?
  /// `Book 2`, `#2`: as a rule the place in a series, which tells volumes apart only when the rest
  /// of the title does not.
  var place: Double?
  /// Whether the series stood with it: `Book 2 of the Hunger Games`.
  var isNamed = false
  /// `Guide 2020`, `2019/2020`: the last one.
  var year: Int?
  /// Whether the year stood among other words of a subtitle: `Winner of the Booker Prize 2017`.
  var isYearAside = false
  /// `#1-3`, `Books 1-4`.
  var isRange = false
  /// Where the range ends, if it is told.
  var last: Int?

  /// Takes the numbers out of the words.
  mutating func take(from words: inout [String]) {
    var index = 0
    while index < words.count {
      guard index + 1 < words.count, let isPlace = Self.markers[words[index]],
        let value = Numerals.count(words[index + 1]), Numerals.year(words[index + 1]) == nil,
        !Self.isName(words, index)
      else {
        index += 1
        continue
      }
      var end = index + 2
      // `1-3`, `1 to 3`, `I and II`; a name may follow, as in `Book 1 of the Sprawl Trilogy`.
      if end < words.count, ["to", "and", "through"].contains(words[end]), end + 1 < words.count,
        let last = Numerals.count(words[end + 1]), last > value
      {
        (isRange, self.last) = (true, last)
        end += 2
      } else if end < words.count, let last = Numerals.count(words[end]), last > value,
        last < value + 100, Numerals.year(words[end]) == nil
      {
        (isRange, self.last) = (true, last)
        end += 1
      }
      if Self.plurals.contains(words[index]) { isRange = true }
      if end < words.count, ["of", "in"].contains(words[end]) {
        // What it is a part of is the name of a series.
        place = place ?? Double(value)
        isNamed = true
        end = words.count
      } else if isPlace {
        place = place ?? Double(value)
      } else {
        volume = volume ?? value
      }
      if index > 0, ["the", "a", "being"].contains(words[index - 1]) { index -= 1 }
      words.removeSubrange(index..<end)
    }
    takeOrdinals(&words)
  }

  /// The last word, where it counts as Chinese and Japanese titles count: `上`, `第2巻`, `卷一`.
  mutating func takeLast(from words: inout [String], isAside: Bool) {
    guard let last = words.last, isAside || words.count > 1,
      let value = Numerals.volume(last)
    else { return }
    volume = volume ?? value
    words.removeLast()
  }

  /// `The No. 1 Ladies' Detective Agency` is no number of a series.
  private static func isName(_ words: [String], _ index: Int) -> Bool {
    ["no", "number"].contains(words[index]) && index + 2 < words.count
      && (index == 0 || index == 1 && Words.articles.contains(words[0]))
      && Numerals.count(words[index + 2]) == nil && markers[words[index + 2]] == nil
  }

  /// `the second volume`, `being the first part of …`, `Part the First`.
  private mutating func takeOrdinals(_ words: inout [String]) {
    for index in words.indices.dropLast() {
      guard let value = Numerals.ordinal(words[index]) ?? Self.ordinals[words[index]],
        Self.ordered.contains(words[index + 1])
      else { continue }
      let isNamed = index + 2 < words.count && ["of", "in"].contains(words[index + 2])
      if isNamed || words[index + 1] == "book" {
        self.isNamed = self.isNamed || isNamed
        place = place ?? Double(value)
      } else {
        volume = volume ?? value
      }
      var start = index
      while start > 0, ["the", "being", "is"].contains(words[start - 1]) { start -= 1 }
      words.removeSubrange(start..<(isNamed ? words.count : index + 2))
      return
    }
  }

  /// Years at the end tell annuals apart; a title that is a year is its name.
  mutating func takeYear(from words: inout [String], isMain: Bool) {
    takeDatedEdition(&words)
    guard let last = words.last, let value = Numerals.year(last) else { return }
    guard words.count > (isMain ? 1 : 0) else { return }
    // `Animal Farm and 1984`
    if words.count > 1, ["and", "und", "et", "y", "e"].contains(words[words.count - 2]) { return }
    words.removeLast()
    if let before = words.last, let earlier = Numerals.year(before), earlier <= value {
      words.removeLast()
      // `1914-1918` is what the book is about.
      guard value - earlier <= 1 else {
        words += [before, last]
        return
      }
    }
    if year == nil { isYearAside = !isMain && Words.content(words).count > 2 }
    year = year ?? value
  }

  /// `2008 Edition` of what comes out each year; `The Original 1897 Edition` is a reprint.
  private func takeDatedEdition(_ words: inout [String]) {
    guard let last = words.last, ["edition", "ed"].contains(last), words.count > 1,
      let value = Numerals.year(words[words.count - 2]), value >= 1950
    else { return }
    words.removeLast()
  }

  private static let markers: [String: Bool] = [
    "vol": false, "volume": false, "vols": false, "volumes": false, "v": false, "part": false,
    "parts": false, "pt": false, "band": false, "bd": false, "tome": false, "tomo": false,
    "tom": false, "teil": false, "deel": false, "parte": false, "partie": false, "issue": false,
    "season": false, "episode": false, "act": false, "bind": false,
    "book": true, "books": true, "bk": true, "livre": true, "libro": true, "buch": true,
    "no": true, "nr": true, "number": true, "boek": true, "day": true, "bok": true,
    "installment": true,
  ]
  private static let ordered: Set<String> = [
    "volume", "part", "book", "installment", "series", "band", "teil", "buch", "tome", "partie",
    "livre", "parte", "libro", "tomo", "volumen", "deel", "boek", "bind", "bok", "del",
  ]
  private static let ordinals: [String: Int] = {
    let rows = [
      "erster erste erstes premier premiere primera primer primero primo prima primeira primeiro "
        + "eerste forste forsta",
      "zweiter zweite zweites deuxieme seconde segunda segundo secondo seconda tweede anden andra",
      "dritter dritte drittes troisieme tercera tercer tercero terzo terza terceira derde tredje",
      "vierter vierte viertes quatrieme cuarta cuarto quarta quarto vierde fjerde",
    ]
    let all = rows.enumerated().flatMap { row in
      row.element.split(separator: " ").map { (String($0), row.offset + 1) }
    }
    return Dictionary(all) { one, _ in one }
  }()
  private static let plurals: Set<String> = ["vols", "volumes", "books", "parts"]
}
