/// Bytes as text: base64 in both alphabets, and hex. Written here, because a reader that takes what
/// the standard forbids lets one token have several spellings.
package enum Base64: Sendable {
  case standard
  /// RFC 4648 §5: `-` and `_`, and no padding unless asked for.
  case urlSafe

  package func encode(_ bytes: [UInt8], padded: Bool? = nil) -> String {
    let alphabet = self == .standard ? Self.standardAlphabet : Self.urlAlphabet
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let word =
        UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      for shift in [18, 12, 6, 0].prefix(min(left, 3) + 1) {
        out.append(alphabet[Int(word >> UInt32(shift)) & 63])
      }
      index += 3
    }
    if padded ?? (self == .standard) {
      while !out.count.isMultiple(of: 4) { out.append(UInt8(ascii: "=")) }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Strict: no blanks, right padding or none at all, no bits left over, one alphabet.
  package func decode(_ text: String) throws(CryptoError) -> [UInt8] {
    try decode(text, tolerant: false)
  }

  /// As mail and hand-edited files have it: line breaks and blanks are passed over, both alphabets
  /// are read, and padding may be missing.
  package static func decodeTolerantly(_ text: String) throws(CryptoError) -> [UInt8] {
    try Base64.standard.decode(text, tolerant: true)
  }

  private func decode(_ text: String, tolerant: Bool) throws(CryptoError) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count / 4 * 3)
    var (word, bits, digits, padding): (UInt32, Int, Int, Int) = (0, 0, 0, 0)
    for byte in text.utf8 {
      if tolerant, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte, tolerant: tolerant) else {
        throw .badEncoding("base64")
      }
      word = word << 6 | UInt32(value)
      (bits, digits) = (bits + 6, digits + 1)
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
        word &= (1 << UInt32(bits)) - 1
      }
    }
    guard digits % 4 != 1, padding == 0 || tolerant || (digits + padding).isMultiple(of: 4),
      padding <= 2, tolerant || word == 0,
      tolerant || padding > 0 || self == .urlSafe || digits.isMultiple(of: 4)
    else { throw .badEncoding("base64") }
    return out
  }

  private func value(of byte: UInt8, tolerant: Bool) -> UInt8? {
    switch byte {
    case 65...90: byte - 65
    case 97...122: byte - 71
    case 48...57: byte + 4
    case UInt8(ascii: "+") where self == .standard || tolerant: 62
    case UInt8(ascii: "/") where self == .standard || tolerant: 63
    case UInt8(ascii: "-") where self == .urlSafe || tolerant: 62
    case UInt8(ascii: "_") where self == .urlSafe || tolerant: 63
    default: nil
    }
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standardAlphabet = letters + Array("+/".utf8)
  private static let urlAlphabet = letters + Array("-_".utf8)
}

package enum Hex {
  package static func encode(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      out.append(digits[Int(byte >> 4)])
      out.append(digits[Int(byte & 15)])
    }
    return String(decoding: out, as: UTF8.self)
  }

  package static func decode(_ text: String) throws(CryptoError) -> [UInt8] {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { throw .badEncoding("hex") }
    var out: [UInt8] = []
    out.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else {
        throw .badEncoding("hex")
      }
      out.append(high << 4 | low)
    }
    return out
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
