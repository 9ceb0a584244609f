/// The name of an element or attribute we write. Only a literal can become one, so foreign text
/// never turns into a tag: a chapter's own names stop at the allow-list.
package struct Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  let literal: StaticString
  /// The first eight bytes in lower case, packed, the first one lowest; zero for a longer name.
  /// HTML asks of every name whether it is special, and comparing one word is cheap.
  let key: UInt64

  package init(stringLiteral literal: StaticString) {
    guard let key = Name.key(of: literal) else {
      // A literal is written by us, and the first run of the line that holds it shows the mistake.
      preconditionFailure("\(literal) is not a name")
    }
    (self.literal, self.key) = (literal, key)
  }

  package var description: String {
    literal.withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  package static func == (one: Name, other: Name) -> Bool {
    guard one.key == other.key, one.literal.utf8CodeUnitCount == other.literal.utf8CodeUnitCount
    else { return false }
    return one.literal.withUTF8Buffer { left in
      other.literal.withUTF8Buffer { right in unsafe left.elementsEqual(right) }
    }
  }

  package func hash(into hasher: inout Hasher) {
    literal.withUTF8Buffer { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The packed name, or nil for what neither XML nor HTML would read back as this name: anything
  /// but ASCII letters, digits, `_ - .` and one inner colon, starting with a letter or `_`.
  private static func key(of literal: StaticString) -> UInt64? {
    literal.withUTF8Buffer { bytes in
      guard (1...64).contains(bytes.count) else { return nil }
      var (key, colons, atStart) = (UInt64(0), 0, true)
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "_"):
          atStart = false
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          if atStart { return nil }
        case UInt8(ascii: ":"):
          colons += 1
          if atStart || colons > 1 || index == bytes.count - 1 { return nil }
          atStart = true
        default:
          return nil
        }
        if index < 8 { key |= UInt64(Name.lowered(byte)) << (8 * UInt64(index)) }
      }
      return bytes.count > 8 ? 0 : key
    }
  }

  static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
