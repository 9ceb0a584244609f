import Secrets

/// The forms in which a secret could slip into a text: as itself, and as the encoders along its way
/// (addresses, forms, JSON, XML, Basic headers) would have written it.
struct SecretSpellings {
  /// Replaced where they stand; the short ones only as words of their own.
  let whole: Set<[UInt8]>
  /// Digits of base64 that the secret alone decides. They stand inside a longer run, which goes
  /// altogether, since the digits at its seams hide more of the secret.
  let partial: Set<[UInt8]>

  /// Below this nothing is looked for: it would blank half of every line.
  static let shortest = 4

  init(of secret: Secret) {
    let plain = secret.reveal { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
    guard plain.count >= Self.shortest else {
      (whole, partial) = ([], [])
      return
    }
    var whole: Set<[UInt8]> = [plain, Self.hex(plain, upper: false), Self.hex(plain, upper: true)]
    whole.formUnion(Self.percentEncoded(plain))
    if let text = String(validating: plain, as: UTF8.self) {
      whole.formUnion(Self.inJSON(text))
      whole.formUnion(Self.inXML(text))
    }
    self.whole = whole
    partial = Self.base64Digits(plain).subtracting(whole)
  }

  /// Encoders disagree about which characters of an address need no escape, about the case of the
  /// digits, and about the blank.
  private static func percentEncoded(_ bytes: [UInt8]) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    let bare = ["-._~", "-._*", "-._~!'()*", "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/?"]
    for kept in bare.map({ Set($0.utf8) }) {
      for upper in [true, false] {
        for blank in [Array("%20".utf8), [UInt8(ascii: "+")]] {
          found.insert(
            bytes.flatMap { byte -> [UInt8] in
              if byte == UInt8(ascii: " ") { return blank }
              if isAlphanumeric(byte) || kept.contains(byte) { return [byte] }
              return [UInt8(ascii: "%")] + hex([byte], upper: upper)
            })
        }
      }
    }
    return found
  }

  private enum NonASCII: CaseIterable { case kept, lower, upper }

  private static func inJSON(_ text: String) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    for escapesSlash in [false, true] {
      for style in NonASCII.allCases {
        var out = ""
        for scalar in text.unicodeScalars {
          switch scalar {
          case "\"", "\\": out += "\\\(scalar)"
          case "/": out += escapesSlash ? "\\/" : "/"
          case "\n": out += "\\n"
          case "\r": out += "\\r"
          case "\t": out += "\\t"
          case "\u{0}"..."\u{1F}": out += unicodeEscape(scalar, upper: style == .upper)
          case "\u{80}"... where style != .kept:
            out += unicodeEscape(scalar, upper: style == .upper)
          default: out.unicodeScalars.append(scalar)
          }
        }
        found.insert(Array(out.utf8))
      }
    }
    return found
  }

  private static func unicodeEscape(_ scalar: Unicode.Scalar, upper: Bool) -> String {
    String(scalar).utf16.map { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return "\\u" + String(decoding: hex(bytes, upper: upper), as: UTF8.self)
    }.joined()
  }

  private static func inXML(_ text: String) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    for quote in ["\"", "&quot;", "&#34;"] {
      for apostrophe in ["'", "&apos;", "&#39;", "&#x27;"] {
        let out = text.unicodeScalars.map { scalar in
          switch scalar {
          case "&": "&amp;"
          case "<": "&lt;"
          case ">": "&gt;"
          case "\"": quote
          case "'": apostrophe
          default: String(scalar)
          }
        }
        found.insert(Array(out.joined().utf8))
      }
    }
    return found
  }

  /// Inside a longer text, such as `card:pin`, a secret begins at any of three places of a group of
  /// base64. The digits wholly made of its bits are the same every time; four of them will do.
  private static func base64Digits(_ bytes: [UInt8]) -> Set<[UInt8]> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    var found: Set<[UInt8]> = []
    for alphabet in ["+/", "-_"].map({ Array((letters + $0).utf8) }) {
      for shift in 0..<3 {
        var (word, bits): (UInt32, UInt32) = (0, 0)
        var digits: [UInt8] = []
        for byte in [UInt8](repeating: 0, count: shift) + bytes {
          (word, bits) = (word << 8 | UInt32(byte), bits + 8)
          while bits >= 6 {
            bits -= 6
            digits.append(alphabet[Int(word >> bits & 63)])
          }
          word &= 63
        }
        let decided = digits.dropFirst((shift * 8 + 5) / 6)
        if decided.count >= shortest { found.insert(Array(decided)) }
      }
    }
    return found
  }

  private static func hex(_ bytes: [UInt8], upper: Bool) -> [UInt8] {
    let digits = Array((upper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
