/// Numbers in titles, however they are written. `Nineteen Eighty-Four` and `1984` are one.
enum Numerals {
  /// Words with their numbers as digits, ordinals as `1st`.
  static func digits(_ words: [String]) -> [String] {
    var out: [String] = []
    out.reserveCapacity(words.count)
    var index = 0
    while index < words.count {
      if !mayCount(words[index]) {
        out.append(words[index])
        index += 1
      } else if words[index] == "a", index + 1 < words.count, factors[words[index + 1]] != nil {
        index += 1
      } else if let ordinal = regnal(words, index) {
        out.append(String(ordinal))
        index += 2
      } else if let ordinal = ordinals[words[index]] {
        out.append("\(ordinal)th")
        index += 1
      } else if let (value, length) = number(words[index...].prefix(8)) {
        out.append(String(value))
        index += length
      } else if let value = asOrdinal(words[index]) {
        out.append("\(value)th")
        index += 1
      } else if index > 0, rulers.contains(words[index - 1]), let value = romanLetters[words[index]]
      {
        out.append(String(value))
        index += 1
      } else if index > 0, let value = roman(words[index]) {
        out.append(String(value))
        index += 1
      } else {
        out.append(words[index])
        index += 1
      }
    }
    return out
  }

  /// Nearly all words count nothing, and are asked one question instead of ten.
  private static func mayCount(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    return first < 0x61 || counting.contains(word)
  }

  /// All that `digits` looks at, but for what begins with a digit or a sign.
  private static let counting: Set<String> = Set(["a", "the"]).union(factors.keys).union(small.keys)
    .union(tens.keys).union(ordinals.keys).union(romanLetters.keys).union(romans.keys)

  /// `Henry the Fourth` is Henry IV; `Friday the 13th` and `the Third Man` are no kings.
  private static func regnal(_ words: [String], _ index: Int) -> Int? {
    guard words[index] == "the", index > 0, index + 1 < words.count,
      rulers.contains(words[index - 1])
    else { return nil }
    return ordinal(words[index + 1])
  }

  private static let rulers: Set<String> = [
    "henry", "richard", "edward", "george", "louis", "charles", "james", "william", "philip",
    "frederick", "john", "elizabeth", "napoleon", "alexander", "ivan", "peter", "nicholas",
    "catherine", "ferdinand", "leopold", "gustav", "christian", "otto", "pius", "gregory",
  ]

  /// One word that counts something: `2`, `ii`, `two`, `second`, `2nd`, `2a`.
  static func count(_ word: String) -> Int? {
    if let value = Int(word), value >= 0, word.utf8.count < 5 { return value }
    return small[word] ?? ordinals[word] ?? asOrdinal(word) ?? romanLetters[word] ?? roman(word)
  }

  static func year(_ word: String) -> Int? {
    guard word.utf8.count == 4, let value = Int(word), (1800...2099).contains(value) else {
      return nil
    }
    return value
  }

  /// `上`, `下巻`, `第2巻`, `卷一`, `3권`: a word that names a volume and nothing else.
  static func volume(_ word: String) -> Int? {
    guard word.utf8.count < 16, !word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var rest = word[...]
    if rest.first == "第" || rest.first == "제" { rest.removeFirst() }
    let isFirst = rest.first.map(bindings.contains) ?? false
    let isLast = rest.last.map(bindings.contains) ?? false
    if isFirst, rest.count > 1 { rest.removeFirst() } else if isLast { rest.removeLast() }
    if let half = halves[String(rest)] { return half }
    guard isFirst || isLast else { return nil }
    return Int(rest) ?? cjk(rest)
  }

  private static let bindings: Set<Character> = ["巻", "卷", "册", "冊", "部", "권"]
  private static let halves = ["上": 1, "中": 2, "下": 3]
  private static let cjkDigits: [Character: Int] = [
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
  ]

  /// Up to ninety-nine.
  private static func cjk(_ text: Substring) -> Int? {
    let parts = text.split(separator: "十", omittingEmptySubsequences: false)
    guard !text.isEmpty, parts.count < 3, parts.allSatisfy({ $0.count < 2 }) else { return nil }
    let digits = parts.map { $0.first.map { cjkDigits[$0] ?? -1 } }
    guard !digits.contains(-1) else { return nil }
    if parts.count == 1 { return digits[0] }
    return (digits[0] ?? 1) * 10 + (digits[1] ?? 0)
  }

  /// `1st`, `22nd`; also what `digits` makes of ordinals.
  static func asOrdinal(_ word: String) -> Int? {
    // Numbers begin so, and few words do.
    guard let first = word.utf8.first, first < 0x3A, word.utf8.count > 2,
      ["st", "nd", "rd", "th"].contains(word.suffix(2))
    else { return nil }
    return Int(word.dropLast(2))
  }

  static func isNumber(_ word: String) -> Bool { Int(word) != nil || asOrdinal(word) != nil }

  static func ordinal(_ word: String) -> Int? { ordinals[word] ?? asOrdinal(word) }

  /// Romans of two letters or more: `I`, `V` and `X` are words and names, too.
  static func roman(_ word: String) -> Int? { romans[word] }

  private static func number(_ words: ArraySlice<String>) -> (Int, Int)? {
    let list = Array(words)
    guard let first = list.first else { return nil }
    if let tens = tens[first] {
      if list.count > 1, let one = small[list[1]], (1...9).contains(one) {
        return scaled(tens + one, 2, list)
      }
      return scaled(tens, 1, list)
    }
    // `The Hundred and One Dalmatians`
    if factors[first] != nil { return scaled(1, 0, list) }
    guard let value = small[first] else { return nil }
    // A year as it is spoken.
    if (15...20).contains(value), list.count > 1, let decade = tens[list[1]] {
      if list.count > 2, let one = small[list[2]], (1...9).contains(one) {
        return (value * 100 + decade + one, 3)
      }
      return (value * 100 + decade, 2)
    }
    return scaled(value, 1, list)
  }

  private static func scaled(_ value: Int, _ length: Int, _ list: [String]) -> (Int, Int) {
    guard list.count > length, let factor = factors[list[length]] else { return (value, length) }
    var rest = length + 1
    if list.count > rest + 1, list[rest] == "and" { rest += 1 }
    if list.count > rest, factor == 1000 || factor == 100,
      let (more, used) = number(list[rest...]), more < factor
    {
      return (value * factor + more, rest + used)
    }
    return (value * factor, length + 1)
  }

  private static let factors = ["hundred": 100, "thousand": 1000, "million": 1_000_000]
  private static let small: [String: Int] = {
    let words = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
      "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
      "nineteen",
    ]
    return Dictionary(uniqueKeysWithValues: words.enumerated().map { ($0.element, $0.offset) })
  }()
  private static let tens = [
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
  ]
  private static let ordinals: [String: Int] = {
    let words = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
      "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
      "seventeenth", "eighteenth", "nineteenth", "twentieth",
    ]
    return Dictionary(uniqueKeysWithValues: words.enumerated().map { ($0.element, $0.offset + 1) })
  }()
  private static let romanLetters = ["i": 1, "v": 5, "x": 10]
  private static let romans: [String: Int] = {
    let ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    var all: [String: Int] = [:]
    for (ten, letters) in ["", "x", "xx", "xxx"].enumerated() {
      for (one, more) in ones.enumerated() where (letters + more).utf8.count > 1 {
        all[letters + more] = ten * 10 + one
      }
    }
    return all
  }()
}
