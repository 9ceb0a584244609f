package import Secrets
import Synchronization

/// The second net under the types: it knows the secrets now in use, in every spelling in which they
/// could slip into a text, and replaces them by dots wherever they stand.
package final class Redactor: Sendable {
  private struct Known {
    /// Spellings by their first two bytes, so that a text is gone through once whatever their number.
    var byStart: [UInt16: [[UInt8]]] = [:]
    var owners: [[UInt8]: Int] = [:]
    /// Those that stand inside a longer run of digits which hides more of the secret.
    var partial: Set<[UInt8]> = []
  }

  private let known = Mutex(Known())

  package init() {}

  /// From now on this secret is looked for. Under four characters it is not: it would blank half of
  /// every line, and only types protect it.
  package func learn(_ secret: Secret) {
    let (spellings, partial) = Self.spellings(of: secret)
    known.withLock { known in
      known.partial.formUnion(partial)
      for spelling in spellings {
        known.owners[spelling, default: 0] += 1
        guard known.owners[spelling] == 1 else { continue }
        known.byStart[Self.start(spelling), default: []].append(spelling)
        known.byStart[Self.start(spelling)]?.sort { $0.count > $1.count }
      }
    }
  }

  /// The secret is no longer in use, as after an account is unlinked.
  package func forget(_ secret: Secret) {
    let (spellings, _) = Self.spellings(of: secret)
    known.withLock { known in
      for spelling in spellings {
        guard let owners = known.owners[spelling] else { continue }
        if owners > 1 {
          known.owners[spelling] = owners - 1
        } else {
          known.owners[spelling] = nil
          known.partial.remove(spelling)
          known.byStart[Self.start(spelling)]?.removeAll { $0 == spelling }
        }
      }
    }
  }

  package func redacted(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let cleaned = redacted(bytes) else { return text }
    return String(decoding: cleaned, as: UTF8.self)
  }

  /// Nil where nothing had to be replaced.
  package func redacted(_ bytes: [UInt8]) -> [UInt8]? {
    known.withLock { known in
      guard !known.byStart.isEmpty, bytes.count >= 4 else { return nil }
      var out: [UInt8]?
      var index = 0
      while index + 1 < bytes.count {
        let start = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        if let match = known.byStart[start]?.first(where: { Self.stands($0, in: bytes, at: index) })
        {
          var kept = out ?? Array(bytes[..<index])
          index += match.count
          if known.partial.contains(match) {
            while let last = kept.last, Self.isBase64(last) { kept.removeLast() }
            while index < bytes.count, Self.isBase64(bytes[index]) { index += 1 }
          }
          out = kept + Self.dots
        } else {
          out?.append(bytes[index])
          index += 1
        }
      }
      if index < bytes.count { out?.append(bytes[index]) }
      return out
    }
  }

  private static func stands(_ spelling: [UInt8], in bytes: [UInt8], at index: Int) -> Bool {
    guard index + spelling.count <= bytes.count,
      bytes[index..<index + spelling.count].elementsEqual(spelling)
    else { return false }
    // A short one, a PIN of four digits say, counts only as a word of its own: a year in a date or
    // a part of a duration is none.
    guard spelling.count < 8 else { return true }
    let before = index == 0 ? nil : bytes[index - 1]
    let after = index + spelling.count == bytes.count ? nil : bytes[index + spelling.count]
    return !isWordPart(before) && !isWordPart(after)
  }

  private static func isWordPart(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte >= 0x80
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    isWordPart(byte) && byte < 0x80 || "+/-_=".utf8.contains(byte)
  }

  private static func start(_ spelling: [UInt8]) -> UInt16 {
    UInt16(spelling[0]) << 8 | UInt16(spelling[1])
  }

  private static let dots = Array("•••".utf8)

  /// Plain, percent-encoded, as a form value, escaped for JSON, in hex and in base64.
  private static func spellings(of secret: Secret) -> (all: Set<[UInt8]>, partial: [[UInt8]]) {
    let plain = secret.reveal { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
    guard plain.count >= 4 else { return ([], []) }
    let percent = plain.flatMap { byte -> [UInt8] in
      isUnreserved(byte) ? [byte] : Array("%".utf8) + hex([byte], "0123456789ABCDEF")
    }
    let all = [
      plain, percent, Array(String(decoding: percent, as: UTF8.self).lowercasedEscapes.utf8),
      percent.split(separator: Array("%20".utf8)).joined(separator: [UInt8(ascii: "+")]).map(
        \.self),
      jsonEscaped(plain), hex(plain, "0123456789abcdef"), hex(plain, "0123456789ABCDEF"),
    ]
    let inBase64 = base64(plain)
    return (Set(all + inBase64).filter { $0.count >= 4 }, inBase64)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isWordPart(byte) && byte < 0x80 || "-._~".utf8.contains(byte)
  }

  private static func hex(_ bytes: [UInt8], _ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  private static func jsonEscaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x22, 0x5C: [0x5C, byte]
      case 0x2F: [0x5C, byte]
      default: [byte]
      }
    }
  }

  /// Inside a longer text, such as `card:pin`, a secret starts at any of three places of a base64
  /// group: the digits that it alone decides are the same every time.
  private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for shift in 0..<3 {
      let padded = [UInt8](repeating: 0, count: shift) + bytes
      let whole = padded.count / 3 * 3
      for alphabet in ["+/", "-_"] {
        var text = encoded(Array(padded[..<whole]), alphabet)
        // The first group is shared with what stands before.
        if shift > 0 { text = Array(text.dropFirst(4)) }
        if text.count >= 6 { found.append(text) }
      }
    }
    return found
  }

  private static func encoded(_ bytes: [UInt8], _ lastTwo: String) -> [UInt8] {
    let alphabet = Array(
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
    var out: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 3) {
      let word = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
      for shift in [18, 12, 6, 0] { out.append(alphabet[word >> shift & 63]) }
    }
    return out
  }
}

extension String {
  /// `%2B` as `%2b`, which some services write.
  fileprivate var lowercasedEscapes: String {
    var rest = 0
    return String(
      map { character in
        if character == "%" {
          rest = 2
        } else if rest > 0 {
          rest -= 1
          return Character(character.lowercased())
        }
        return character
      })
  }
}
