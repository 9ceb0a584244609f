import Crypto

/// The account by which Adobe's programs know a reader: a UUID of version 1 (RFC 9562 §5.1) that tells
/// the vendor and nobody else. Its first digit is nought, as Adobe wants it.
enum AdobeID {
  /// `now` is in milliseconds since 1970; six bytes of `node`, and some of chance.
  static func make(node: [UInt8], now: Int64, chance: [UInt8]) -> String {
    // Tenths of microseconds since the calendar of 1582; what a millisecond has of them is chance.
    let some = chance.prefix(2).reduce(0) { $0 << 8 | UInt64($1) } % 10_000
    let time = UInt64(max(0, now)) &* 10_000 &+ 0x01B2_1DD2_1381_4000 &+ some
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0, 40, 32, 56, 48] as [UInt64] {
      bytes.append(UInt8(truncatingIfNeeded: time >> shift))
    }
    bytes[0] &= 0x0F
    bytes[6] = bytes[6] & 0x0F | 0x10
    bytes += [chance[2] & 0x3F | 0x80, chance[3]] + node.prefix(6)
    return text(bytes)
  }

  /// Sixteen bytes as people write them.
  static func text(_ bytes: [UInt8]) -> String {
    var text = Hex.encode(bytes)
    for place in [8, 13, 18, 23] {
      text.insert("-", at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }

  static let chance = 4
}
