/// The app that a reader has on a telephone: it was given a key as text and says a code for any moment.
/// Written from RFC 4648, 3174, 2104, 4226 and 6238, and not from ours, which it is held against.
package struct Authenticator: Sendable {
  private let key: [UInt8]

  package init(_ text: some StringProtocol) {
    var (word, bits): (UInt64, Int) = (0, 0)
    var key: [UInt8] = []
    for sign in text where !sign.isWhitespace {
      guard let value = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").firstIndex(of: sign) else {
        continue
      }
      word = (word << 5 | UInt64(value)) & 0xFFFF
      bits += 5
      if bits >= 8 {
        bits -= 8
        key.append(UInt8(truncatingIfNeeded: word >> UInt64(bits)))
      }
    }
    self.key = key
  }

  package init(key: [UInt8]) { self.key = key }

  /// `steps` later, or before, where it is negative.
  package func code(at milliseconds: Int64, steps: Int64 = 0) -> String {
    let counter = UInt64(milliseconds / 30_000 + steps)
    let hash = Self.hmac(key, (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) })
    let start = Int(hash[19] & 0xF)
    let word =
      UInt32(hash[start] & 0x7F) << 24 | UInt32(hash[start + 1]) << 16
      | UInt32(hash[start + 2]) << 8 | UInt32(hash[start + 3])
    return String(String(1_000_000 + word % 1_000_000).dropFirst())
  }

  private static func hmac(_ key: [UInt8], _ text: [UInt8]) -> [UInt8] {
    let block = key + [UInt8](repeating: 0, count: 64 - key.count)
    return sha1(block.map { $0 ^ 0x5C } + sha1(block.map { $0 ^ 0x36 } + text))
  }

  static func sha1(_ text: [UInt8]) -> [UInt8] {
    var message = text + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let length = UInt64(text.count * 8)
    message += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: message.count, by: 64) {
      var words = (0..<16).map { place in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[start + place * 4 + $1]) }
      }
      for place in 16..<80 {
        let mixed =
          words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
        words.append(turned(mixed, 1))
      }
      var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
      for place in 0..<80 {
        let (mix, constant): (UInt32, UInt32) =
          switch place / 20 {
          case 0: (b & c | ~b & d, 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = turned(a, 5) &+ mix &+ e &+ words[place] &+ constant
        (e, d, c, b, a) = (d, c, turned(b, 30), a, next)
      }
      for (place, word) in [a, b, c, d, e].enumerated() { hash[place] &+= word }
    }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func turned(_ word: UInt32, _ by: UInt32) -> UInt32 {
    word << by | word >> (32 - by)
  }
}
