import CUnistring
import Glibc

/// Card numbers and user names that people type, from any keyboard.
package enum Plainness {
  /// Without what is not seen, with the usual form of each character (NFKC), and with the decimal digits
  /// of every script as those of ASCII. Each white space is one blank. Nil where there is what no such
  /// name has, or what a library may take for other letters in ways that are not known here.
  package static func plain(_ text: String) -> String? {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if properties.isWhitespace {
        scalars.append(" ")
      } else if properties.generalCategory == .control {
        return nil
      } else if properties.generalCategory == .decimalNumber, let digit = digits(of: scalar) {
        scalars.append(contentsOf: digit.unicodeScalars)
      } else if properties.generalCategory != .format, !properties.isDefaultIgnorableCodePoint {
        scalars.append(scalar)
      }
    }
    let plain = composed(String(scalars))
    return plain.unicodeScalars.allSatisfy(isKnown) ? plain : nil
  }

  /// One text for all that any library may take for the same name: letters and digits alone, without
  /// case and accents, every sign for a whole number as its digits, and what some languages write with
  /// two letters as one. Different names may become the same, and of some scripts nothing is left.
  package static func loose(_ text: String) -> String? {
    guard let plain = plain(text) else { return nil }
    var folding = Folding()
    var folded = ""
    for scalar in plain.unicodeScalars {
      folded += digits(of: scalar) ?? String(decoding: folding.query(String(scalar)), as: UTF8.self)
    }
    // What came out of a letter with an accent may be a letter that folds, too.
    var loose = String.UnicodeScalarView()
    for scalar in String(decoding: folding.query(folded), as: UTF8.self).unicodeScalars {
      guard let letter = coarse(twins[scalar] ?? scalar), !isRepetition(of: loose.last, letter),
        letter.properties.isAlphabetic || letter.properties.numericValue != nil, !isMark(letter)
      else { continue }
      switch (loose.last, letter) {
      case ("s", "s"), ("a", "e"), ("o", "e"), ("u", "e"): continue
      default: loose.append(letter)
      }
    }
    return String(loose)
  }

  /// Final forms in Hebrew, letters of Ukrainian and Arabic that collations take for another.
  private static let twins: [Unicode.Scalar: Unicode.Scalar] = [
    "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ", "ґ": "г", "ى": "ي", "ی": "ي", "ې": "ي",
    "ے": "ي", "ک": "ك", "ة": "ه", "ۀ": "ه", "ہ": "ه", "ھ": "ه", "ۃ": "ه", "ە": "ه", "ٱ": "ا",
  ]

  /// Whether what collations take the character for is known, as far as `loose` needs it: ASCII, letters
  /// and accents of Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic, the signs and syllables of
  /// Chinese and Korean, and the scripts of `coarse`.
  private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII || digits(of: scalar) != nil { return true }
    guard scalar.properties.isAlphabetic || isMark(scalar) else { return false }
    if isCoarse(scalar) { return true }
    switch scalar.value {
    // Two letters in one that do not decompose, and accents that count as letters.
    case 0x018D, 0x01BE, 0x0238, 0x0239, 0x02A3, 0x02A6, 0x02AA, 0x02AB, 0x0345, 0x0674, 0x1EFA,
      0x1EFB:
      return false
    case 0xC0...0x2AF, 0x300...0x362, 0x370...0x52F, 0x531...0x587, 0x591...0x5C7, 0x5D0...0x5EA,
      0x620...0x65F, 0x670...0x6D3, 0x1E00...0x1EFF, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
      return true
    default: return false
    }
  }

  private static func digits(of scalar: Unicode.Scalar) -> String? {
    scalar.properties.numericValue.flatMap { Int(exactly: $0) }.map(String.init)
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func composed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var length = 0
    let made = unsafe u8_normalize(carrel_nfkc(), bytes, bytes.count, nil, &length)
    guard let made = unsafe made else { return text }
    defer { unsafe free(made) }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: made, count: length), as: UTF8.self)
  }
}
