/// Short texts as lines of one.
package enum Words {
  /// No table keeps a zero byte.
  static func clean(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }) : text
  }

  /// A line break inside a name is a blank: names have none.
  package static func lines(_ parts: [String]) -> String {
    parts.map { part in String(part.map { $0.isNewline ? " " : $0 }) }.joined(separator: "\n")
  }

  /// Letters and digits alone, in lower case.
  static func folded(_ text: String) -> String {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x61...0x7A: plain.append(byte)
      case 0x41...0x5A: plain.append(byte | 0x20)
      case 0x80...: return foldedSlowly(text)
      default: continue
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static func foldedSlowly(_ text: String) -> String {
    String(
      text.lowercased().unicodeScalars.filter {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      })
  }

  package static func parts(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0) }
  }
}

/// The word that a member goes by in addresses.
enum MemberWord {
  private static let longest = 60

  /// Letters and digits of what was wished for; nothing where there are none.
  static func stem(of wish: String) -> String {
    var stem: [UInt8] = []
    for byte in wish.lowercased().utf8.prefix(1_000) where stem.count < longest {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        stem.append(byte)
      default:
        if let last = stem.last, last != UInt8(ascii: "-") { stem.append(UInt8(ascii: "-")) }
      }
    }
    while stem.last == UInt8(ascii: "-") { stem.removeLast() }
    return String(decoding: stem, as: UTF8.self)
  }
}
