/// Bytes on their way out. Text enters through `text` or `attribute` only; both leave the
/// characters XML 1.0 §2.2 forbids behind, because one of them makes a whole feed unreadable.
struct Escaping {
  var bytes: [UInt8] = []

  mutating func markup(_ literal: StaticString) {
    literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func name(_ name: Name) { markup(name.literal) }

  mutating func text(_ text: String) { escape(text, Escaping.inText) }

  /// Escapes `<` and `>` too: a reader that takes the element around it for raw text (`noscript`
  /// with scripts on) would otherwise see an end tag inside a value.
  mutating func attribute(_ text: String) { escape(text, Escaping.inAttribute) }

  /// JSON for a data block. `<`, `>` and `&` occur in JSON only inside strings, where their
  /// escaped form means the same.
  mutating func json(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): markup(#"\u003c"#)
      case UInt8(ascii: ">"): markup(#"\u003e"#)
      case UInt8(ascii: "&"): markup(#"\u0026"#)
      case 0..<0x20: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
  }

  private mutating func escape(_ text: String, _ special: UInt64) {
    let done: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe escape($0, special)
    }
    if done == nil {
      unsafe Array(text.utf8).withUnsafeBufferPointer { unsafe escape($0, special) }
    }
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, _ special: UInt64) {
    var (start, index) = (0, 0)
    while index < text.count {
      let byte = unsafe text[index]
      if byte < 64 {
        guard special & (1 << UInt64(byte)) != 0 else {
          index += 1
          continue
        }
      } else {
        let isForbidden = unsafe byte == 0xEF && Escaping.isNoncharacter(text, at: index)
        guard isForbidden else {
          index += 1
          continue
        }
      }
      unsafe bytes.append(contentsOf: text[start..<index])
      if byte == 0xEF { index += 2 } else { reference(to: byte) }
      index += 1
      start = index
    }
    unsafe bytes.append(contentsOf: text[start...])
  }

  private mutating func reference(to byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): markup("&amp;")
    case UInt8(ascii: "<"): markup("&lt;")
    case UInt8(ascii: ">"): markup("&gt;")
    case UInt8(ascii: "\""): markup("&quot;")
    case 0x09: markup("&#9;")
    case 0x0A: markup("&#10;")
    case 0x0D: markup("&#13;")
    default: break  // A control character: XML has no spelling for it.
    }
  }

  /// U+FFFE and U+FFFF.
  private static func isNoncharacter(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index + 2 < text.count else { return false }
    return unsafe text[index + 1] == 0xBF && text[index + 2] >= 0xBE
  }

  /// One bit for each byte below 64 that cannot stand for itself.
  private static let inText: UInt64 = bits("&<>") | 0xFFFF_FFFF & ~(1 << 0x09 | 1 << 0x0A)
  private static let inAttribute: UInt64 = bits("&<>\"") | 0xFFFF_FFFF

  private static func bits(_ characters: String) -> UInt64 {
    characters.utf8.reduce(0) { $0 | 1 << UInt64($1) }
  }
}
