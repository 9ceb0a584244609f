/// Scripts whose letters databases compare in ways that differ: by sound or by form, with or without
/// vowels and marks, in the order of speech or of writing. Old ones do not know some of them, and take
/// their letters for nothing. So only what no database takes for something else is left of them here.
extension Plainness {
  static func isCoarse(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Kana and the marks of repetition and length, voice marks, bopomofo.
    case 0x3041...0x3096, 0x3099, 0x309A, 0x309D, 0x309E, 0x30A1...0x30FA, 0x30FC...0x30FE, 0x3005,
      0x303B, 0x3105...0x312F:
      true
    // The scripts of India, Sinhala, Thai, Lao, Tibetan, Burmese, Georgian.
    case 0x900...0xDFF, 0xE01...0xE4E, 0xE81...0xEDF, 0xF00...0xFBC, 0x1000...0x109F,
      0x10D0...0x10FA, 0x1C90...0x1CBA:
      true
    // Ethiopic, Cherokee, Khmer, Mongolian.
    case 0x1200...0x135F, 0x1380...0x138F, 0x13A0...0x13FD, 0xAB70...0xABBF, 0x1780...0x17D3,
      0x1820...0x18AA:
      true
    default: false
    }
  }

  /// What is left of a letter, or nil. Of kana the large letter of hiragana, of Thai, Devanagari and Tamil
  /// the consonants, of Georgian the small letters. Of the other scripts nothing: databases of 2000 know
  /// no letter of them.
  static func coarse(_ letter: Unicode.Scalar) -> Unicode.Scalar? {
    guard isCoarse(letter) else { return letter }
    switch letter.value {
    case 0x3041...0x3096: return large(letter)
    case 0x30A1...0x30F6: return large(Unicode.Scalar(letter.value - 0x60) ?? letter)
    case 0xE01...0xE2E, 0x915...0x939, 0xB95...0xBB5, 0xBB7...0xBB9, 0x10D0...0x10FA: return letter
    case 0x1C90...0x1CBA: return Unicode.Scalar(letter.value - 0x1C90 + 0x10D0)
    default: return nil
    }
  }

  /// What a mark may stand for: of a sign of Chinese or Japanese the same one again (`々`), and of kana
  /// a vowel (`ー`).
  static func isRepetition(of last: Unicode.Scalar?, _ letter: Unicode.Scalar) -> Bool {
    guard let last, (0x3041...0x9FFF).contains(last.value) else { return false }
    let isVowel = [0x3042, 0x3044, 0x3046, 0x3048, 0x304A].contains(letter.value)
    return last == letter || isVowel && last.value <= 0x3096
  }

  private static func large(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    switch letter.value {
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E:
      Unicode.Scalar(letter.value + 1) ?? letter
    case 0x3095: "か"
    case 0x3096: "け"
    default: letter
    }
  }
}
