/// The bytes of a file, whatever program wrote them, as UTF-8.
package struct FileText: Sendable {
  package enum Encoding: String, Sendable, Hashable {
    case utf8 = "UTF-8"
    case utf16LE = "UTF-16LE"
    case utf16BE = "UTF-16BE"
    /// Latin-1 as browsers and spreadsheets take it.
    case windows1252 = "Windows-1252"
  }

  let bytes: [UInt8]
  package let encoding: Encoding

  init(_ raw: [UInt8]) {
    switch raw.prefix(3) {
    case [0xEF, 0xBB, 0xBF]: (bytes, encoding) = (Array(raw.dropFirst(3)), .utf8)
    case let start where start.starts(with: [0xFF, 0xFE]):
      (bytes, encoding) = (Self.wide(raw.dropFirst(2), high: 1), .utf16LE)
    case let start where start.starts(with: [0xFE, 0xFF]):
      (bytes, encoding) = (Self.wide(raw.dropFirst(2), high: 0), .utf16BE)
    default: (bytes, encoding) = Self.guessed(raw)
    }
  }

  private static func guessed(_ raw: [UInt8]) -> ([UInt8], Encoding) {
    // Of wide text in any European language nearly every second byte is zero.
    let start = raw.prefix(4096)
    var zeros = (even: 0, odd: 0)
    for (index, byte) in start.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    if zeros.odd * 5 > start.count, zeros.even * 10 < zeros.odd {
      return (wide(raw[...], high: 1), .utf16LE)
    }
    if zeros.even * 5 > start.count, zeros.odd * 10 < zeros.even {
      return (wide(raw[...], high: 0), .utf16BE)
    }
    let (sequences, strays) = census(raw)
    // One broken byte in a file full of right sequences costs its own row, not all other letters.
    if strays == 0 || sequences >= 10 * strays { return (raw, .utf8) }
    return (narrow(raw), .windows1252)
  }

  /// Sequences of UTF-8 that are longer than one byte, and bytes that belong to none.
  private static func census(_ raw: [UInt8]) -> (sequences: Int, strays: Int) {
    var (sequences, strays, index) = (0, 0, 0)
    while index < raw.count {
      let byte = raw[index]
      index += 1
      if byte < 0x80 { continue }
      let length = byte >= 0xF0 && byte < 0xF5 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC2 ? 1 : 0
      guard length > 0, byte < 0xF5, index + length <= raw.count,
        raw[index..<index + length].allSatisfy({ $0 & 0xC0 == 0x80 })
      else {
        strays += 1
        continue
      }
      sequences += 1
      index += length
    }
    return (sequences, strays)
  }

  /// An odd byte at the end is what a broken transfer left, and no letter.
  private static func wide(_ raw: ArraySlice<UInt8>, high: Int) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(raw.count / 2)
    var index = raw.startIndex
    while index + 1 < raw.endIndex {
      units.append(UInt16(raw[index + high]) << 8 | UInt16(raw[index + 1 - high]))
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func narrow(_ raw: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(raw.count + raw.count / 8)
    for byte in raw {
      if byte < 0x80 {
        out.append(byte)
      } else {
        let value = byte < 0xA0 ? high[Int(byte) - 0x80] : UInt32(byte)
        out += Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
      }
    }
    return out
  }

  // What Windows put where Latin-1 has control characters; holes stay as they are.
  private static let high: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
