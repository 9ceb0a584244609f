/// What a character is to a search.
enum LetterFolding {
  enum Kind: Equatable {
    case letter(Unicode.Scalar)
    /// For those that fold to several, as `ß` to `ss`.
    case letters(String)
    /// A sign of a script without blanks.
    case ideograph
    /// Belongs to the letter before it and is not compared.
    case silent
    case apostrophe
    /// Ties two words to one compound.
    case joiner
    case separator
  }

  static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar {
    case "a"..."z", "0"..."9": return .letter(scalar)
    case "A"..."Z": return .letter(Unicode.Scalar(UInt8(scalar.value) + 32))
    case "'", "`", "\u{B4}", "\u{2018}", "\u{2019}", "\u{2BC}", "\u{FF07}": return .apostrophe
    case "-", ".", "\u{2010}", "\u{2011}": return .joiner
    case "\u{0}"..."\u{7F}": return .separator
    // The wide forms of ASCII.
    case "\u{FF01}"..."\u{FF5E}":
      return Unicode.Scalar(scalar.value - 0xFEE0).map(kind) ?? .separator
    case "\u{3041}"..."\u{30FF}", "\u{31F0}"..."\u{31FF}": return .ideograph
    default: return foreignKind(of: scalar)
    }
  }

  private static func foreignKind(of scalar: Unicode.Scalar) -> Kind {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      if properties.isIdeographic { return .ideograph }
      let folded = properties.lowercaseMapping.unicodeScalars.map(base).joined()
      let scalars = folded.unicodeScalars
      guard let first = scalars.first else { return .silent }
      return scalars.count == 1 ? .letter(first) : .letters(folded)
    case .decimalNumber, .letterNumber, .otherNumber: return .letter(scalar)
    case .nonspacingMark, .spacingMark, .enclosingMark:
      return isDiacritic(properties) ? .silent : .letter(scalar)
    // Soft hyphens and joiners of letters.
    case .format: return .silent
    default: return .separator
    }
  }

  /// Accents and vowel points. Marks below class ten are letters in all but name: the vowel signs
  /// of the scripts of India, which do make another word.
  private static func isDiacritic(_ properties: Unicode.Scalar.Properties) -> Bool {
    properties.canonicalCombiningClass.rawValue >= 10
  }

  /// A small letter without what stands above, below or across it.
  private static func base(_ scalar: Unicode.Scalar) -> String {
    if let special = specials[scalar] { return special }
    switch scalar {
    case "\u{C0}"..."\u{24F}", "\u{1E00}"..."\u{1EFF}": return latin(scalar)
    case "\u{370}"..."\u{3FF}", "\u{1F00}"..."\u{1FFF}": return greek(scalar)
    default: return isDiacritic(scalar.properties) ? "" : String(scalar)
    }
  }

  /// Unicode spells the base out in the name: `LATIN SMALL LETTER E WITH ACUTE`.
  private static func latin(_ scalar: Unicode.Scalar) -> String {
    let name = scalar.properties.name ?? ""
    guard name.hasPrefix("LATIN SMALL LETTER ") else { return String(scalar) }
    let letter = name.dropFirst("LATIN SMALL LETTER ".count).prefix { $0 != " " }
    return letter.count <= 2 ? letter.lowercased() : String(scalar)
  }

  private static func greek(_ scalar: Unicode.Scalar) -> String {
    let name = scalar.properties.name ?? ""
    guard name.hasPrefix("GREEK SMALL LETTER ") else { return String(scalar) }
    let letter = name.dropFirst("GREEK SMALL LETTER ".count).prefix { $0 != " " }
    return accentedGreek[String(letter)] ?? String(scalar)
  }

  private static let accentedGreek = [
    "ALPHA": "α", "EPSILON": "ε", "ETA": "η", "IOTA": "ι", "OMICRON": "ο", "UPSILON": "υ",
    "OMEGA": "ω", "RHO": "ρ", "FINAL": "σ",
  ]

  private static let specials: [Unicode.Scalar: String] = [
    "ß": "ss", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŋ": "n", "ſ": "s", "ĸ": "k", "ŉ": "n",
    "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѝ": "и", "ѐ": "е", "ѓ": "г", "ќ": "к",
  ]
}
