/// Spellings that stand for one another.
enum Spelling {
  /// What stays of a name when it went through another alphabet: Dostoevsky, Dostojewski and
  /// Достоевский are one.
  static func skeleton(_ word: String) -> String {
    var bytes = Array(latin(word).utf8)
    var letters = Rewrite.letters(of: bytes)
    for index in rewrites.indices where rewrites[index].letters & ~letters == 0 {
      bytes = replaced(bytes, rewrites[index])
      letters |= rewrites[index].more
    }
    while bytes.count > 3, bytes[bytes.count - 1] == 0x69, bytes[bytes.count - 2] == 0x69 {
      bytes.removeLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `Müller`, `Mueller` and `Muller`; `aesthetic` and `esthetic` do not matter enough.
  static func loose(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for rewrite in umlauts { bytes = replaced(bytes, rewrite) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// American for British, word by word.
  static func common(_ word: String) -> String {
    if let known = pairs[word] { return known }
    guard word.utf8.count > 5 else { return word }
    if word.hasSuffix("isation") { return word.dropLast(7) + "ization" }
    if word.hasSuffix("ise") || word.hasSuffix("ised") || word.hasSuffix("ising") {
      return String(decoding: replaced(Array(word.utf8), Rewrite("is", "iz")), as: UTF8.self)
    }
    return word
  }

  /// One letter more, less, other or two swapped.
  static func isOneSlipApart(_ one: String, _ two: String) -> Bool {
    let (a, b) = (Array(one.unicodeScalars), Array(two.unicodeScalars))
    guard abs(a.count - b.count) <= 1, a != b else { return a == b }
    var start = 0
    while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
    var end = 0
    while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] {
      end += 1
    }
    let (left, right) = (a[start..<(a.count - end)], b[start..<(b.count - end)])
    if left.count <= 1, right.count <= 1 { return true }
    return left.count == 2 && right.count == 2 && left.first == right.last
      && left.last == right.first
  }

  private static func latin(_ word: String) -> String {
    guard word.utf8.contains(where: { $0 >= 0x80 }),
      word.unicodeScalars.contains(where: { cyrillic[$0] != nil })
    else { return word }
    return word.unicodeScalars.map { cyrillic[$0] ?? String($0) }.joined()
  }

  private struct Rewrite {
    let from: [UInt8]
    let to: [UInt8]
    /// Those it needs, and those it may bring: where one is missing there is nothing to look for.
    let letters: UInt32
    let more: UInt32

    init(_ from: String, _ to: String) {
      (self.from, self.to) = (Array(from.utf8), Array(to.utf8))
      (letters, more) = (Self.letters(of: self.from), Self.letters(of: self.to))
    }

    /// A bit for each letter of the alphabet.
    static func letters(of bytes: [UInt8]) -> UInt32 {
      bytes.reduce(0) { (0x61...0x7A).contains($1) ? $0 | 1 << UInt32($1 - 0x61) : $0 }
    }
  }

  /// Most rewrites find nothing in most words, which then stay as they are.
  private static func replaced(_ bytes: [UInt8], _ rewrite: Rewrite) -> [UInt8] {
    let (from, last) = (rewrite.from, bytes.count - rewrite.from.count)
    guard last >= 0 else { return bytes }
    var out: [UInt8] = []
    var (index, copied) = (0, 0)
    while index <= last {
      var length = 0
      while length < from.count, bytes[index + length] == from[length] { length += 1 }
      guard length == from.count else {
        index += 1
        continue
      }
      out += bytes[copied..<index]
      out += rewrite.to
      index += length
      copied = index
    }
    guard copied > 0 else { return bytes }
    return out + bytes[copied...]
  }

  private static let umlauts = [
    Rewrite("ae", "a"), Rewrite("oe", "o"), Rewrite("ue", "u"), Rewrite("aa", "a"),
  ]

  private static let rewrites = [
    ("ue", "u"), ("oe", "o"), ("ae", "a"), ("aa", "a"), ("tsch", "ch"), ("tch", "ch"),
    ("sch", "sh"), ("kh", "h"), ("ch", "h"), ("sh", "s"), ("ks", "x"), ("zh", "j"), ("w", "v"),
    ("ph", "f"), ("ye", "e"), ("je", "e"),
    ("yo", "o"), ("jo", "o"), ("ya", "ia"), ("ja", "ia"), ("yu", "iu"), ("ju", "iu"), ("y", "i"),
    ("j", "i"), ("iii", "i"), ("ii", "i"), ("ff", "f"), ("eo", "o"), ("io", "o"), ("ts", "c"),
    ("tz", "c"), ("sz", "s"),
  ].map { Rewrite($0.0, $0.1) }

  private static let cyrillic: [Unicode.Scalar: String] = [
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
    "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y",
    "ь": "", "э": "e", "ю": "yu", "я": "ya", "і": "i", "є": "e", "ґ": "g",
  ]

  private static let pairs = [
    "colour": "color", "colours": "colors", "grey": "gray", "theatre": "theater",
    "centre": "center",
    "honour": "honor", "favourite": "favorite", "neighbour": "neighbor", "neighbours": "neighbors",
    "harbour": "harbor", "armour": "armor", "labour": "labor", "humour": "humor", "rumour": "rumor",
    "traveller": "traveler", "travellers": "travelers", "jewellery": "jewelry", "tyre": "tire",
    "defence": "defense", "catalogue": "catalog", "dialogue": "dialog", "mould": "mold",
    "plough": "plow", "odour": "odor", "flavour": "flavor", "behaviour": "behavior",
    "magick": "magic", "whisky": "whiskey", "saviour": "savior", "splendour": "splendor",
    "und": "and", "et": "and", "y": "and", "e": "and", "n": "and", "ofthe": "of",
    "vs": "versus", "mr": "mister", "dr": "doctor", "st": "saint", "ok": "okay",
    "through": "through",
    "thru": "through", "til": "till", "until": "till", "mrs": "missis", "oclock": "oclock",
  ]
}
