/// Letters as titles and names are compared by: small, and without what stands above or across.
enum Letters {
  /// Nil for what is no letter or digit; empty for what is silent, such as accents of their own.
  static func folded(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "a"..."z", "0"..."9": return String(scalar)
    case "A"..."Z": return String(Unicode.Scalar(UInt8(scalar.value) + 32))
    case "'", "`", "\u{B4}", "\u{2018}", "\u{2019}", "\u{2BB}", "\u{2BC}", "\u{2BD}", "\u{2BE}",
      "\u{2BF}",
      "\u{FF07}", "\u{201B}", "\u{2B9}",
      "\u{2BA}":
      return ""
    case "\u{0}"..."\u{7F}", "\u{2122}", "\u{AE}", "\u{A9}": return nil
    case "\u{FF01}"..."\u{FF5E}": return Unicode.Scalar(scalar.value - 0xFEE0).flatMap(folded)
    case "\u{BD}": return " half"
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      return properties.lowercaseMapping.unicodeScalars.map(base).joined()
    case .decimalNumber:
      return properties.numericValue.map { String(Int($0)) } ?? String(scalar)
    // `E=mc²`, `Henry Ⅳ`; a half has no digits.
    case .letterNumber, .otherNumber:
      return properties.numericValue.flatMap { Int(exactly: $0) }.map(String.init)
        ?? String(scalar)
    case .nonspacingMark, .spacingMark, .enclosingMark:
      return properties.canonicalCombiningClass.rawValue >= 10 ? "" : String(scalar)
    case .format: return ""
    default: return nil
    }
  }

  /// What stays when a letter of Latin, Greek or Cyrillic loses its mark.
  private static func base(_ scalar: Unicode.Scalar) -> String {
    if let special = specials[scalar] { return special }
    if scalar.properties.canonicalCombiningClass.rawValue >= 10 { return "" }
    guard ("\u{C0}"..."\u{24F}").contains(scalar) || ("\u{1E00}"..."\u{1EFF}").contains(scalar)
    else { return String(scalar) }
    let name = scalar.properties.name ?? ""
    guard name.hasPrefix("LATIN SMALL LETTER ") else { return String(scalar) }
    let letter = name.dropFirst("LATIN SMALL LETTER ".count).prefix { $0 != " " }
    return letter.count <= 2 ? letter.lowercased() : String(scalar)
  }

  private static let specials: [Unicode.Scalar: String] = [
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    "ß": "ss", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŋ": "n", "ſ": "s", "æ": "ae", "ø": "o",
    "đ": "d", "ł": "l", "й": "и", "ё": "е", "ї": "і", "ў": "у", "ά": "α", "έ": "ε", "ή": "η",
    "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ـ": "",
    "ί": "ι", "ό": "ο", "ύ": "υ", "ώ": "ω", "ς": "σ", "ϊ": "ι", "ϋ": "υ", "ΐ": "ι", "ΰ": "υ",
  ]
}

/// The words of a text in its own order.
enum Words {
  static func of(_ text: some StringProtocol) -> [String] {
    if let words = ofPlain(text) { return words }
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars.prefix(Candidate.longestText) {
      if scalar == "&" || scalar == "+" {
        if !word.isEmpty { words.append(word) }
        words.append("and")
        word = ""
      } else if let letters = Letters.folded(scalar) {
        // An elided article is a word of its own.
        if letters.isEmpty, word == "l" || word == "d" {
          words.append(word)
          word = ""
        }
        word += letters
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// The same for plain English, which nearly all is; nil for anything else.
  private static func ofPlain(_ text: some StringProtocol) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    func finish() {
      guard !word.isEmpty else { return }
      words.append(String(decoding: word, as: UTF8.self))
      word.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8.prefix(Candidate.longestText) {
      switch byte {
      case 0x61...0x7A, 0x30...0x39: word.append(byte)
      case 0x41...0x5A: word.append(byte + 32)
      // An elided article is a word of its own.
      case 0x27, 0x60: if word == [0x6C] || word == [0x64] { finish() }
      case 0x26, 0x2B:
        finish()
        words.append("and")
      case 0x80...: return nil
      default: finish()
      }
    }
    finish()
    return words
  }

  /// Words that say little: they neither make a title rare nor make two alike.
  static let little: Set<String> = [
    "a", "an", "the", "of", "and", "or", "in", "on", "to", "for", "with", "from", "by", "at", "my",
    "as", "is", "it", "its", "der", "die", "das", "und", "von", "le", "la", "les", "de", "du",
    "des", "et", "el", "los", "las", "y", "il", "lo", "i", "gli", "un", "une", "en", "das", "ein",
    "that", "this", "your", "our", "his", "her", "into", "how", "why", "what", "novel", "story",
    "stories", "book", "poems", "memoir", "ii", "new",
  ]

  static func content(_ words: [String]) -> Set<String> {
    Set(words.lazy.filter { !little.contains($0) })
  }

  static let articles: Set<String> = [
    "the", "a", "an", "le", "la", "les", "l", "der", "die", "das", "el", "los", "las", "il", "lo",
    "gli", "un", "une", "uno", "una", "ein", "eine", "het", "een", "os", "um", "uma", "den", "det",
    "en", "et", "i", "o", "as", "de",
  ]
}
