/// What can be written letter by letter, from left to right, with the fonts there are.
enum Script {
  /// The text without signs that have no picture here; nil where a letter has none, since half a title
  /// misleads, and where nothing is left.
  static func writable(_ text: String) -> String? {
    guard isWritable(text) else { return nil }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isBlank = scalar.properties.isWhitespace
      let isShown = (signs + known).contains { $0.contains(scalar.value) }
      if isBlank || isShown { kept.append(isBlank ? " " : scalar) }
    }
    return String(kept)
  }

  static func isWritable(_ text: String) -> Bool {
    let letters = text.unicodeScalars.filter(\.properties.isAlphabetic)
    let isShown =
      text.unicodeScalars.contains { $0.properties.numericType != nil } || !letters.isEmpty
    return isShown && letters.allSatisfy { letter in known.contains { $0.contains(letter.value) } }
  }

  /// Of ASCII and Latin-1, dashes, quotes, dots and money.
  private static let signs: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0xA0...0xAC, 0xAE...0xFF, 0x2010...0x2015, 0x2018...0x2022, 0x2026...0x2026,
    0x2030...0x203A, 0x20A0...0x20AC, 0x2116...0x2116, 0x2122...0x2122,
  ]

  /// Latin with all its marks, Greek and Cyrillic.
  private static let known: [ClosedRange<UInt32>] = [
    0x41...0x24F, 0x250...0x2AF, 0x2B0...0x36F, 0x370...0x3FF, 0x400...0x52F, 0x1E00...0x1FFF,
    0x2C60...0x2C7F, 0xFB00...0xFB06,
  ]
}
