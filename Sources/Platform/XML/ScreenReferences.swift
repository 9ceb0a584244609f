// What the screen does about `&`.
extension Screen {
  /// The longest name of an entity, with some room.
  private static let longestReference = 40

  /// At an ampersand, in text or in a value.
  mutating func reference() -> Bool {
    let rest = bytes[(index + 1)...].prefix(Screen.longestReference)
    let body = rest.prefix { $0 == UInt8(ascii: "#") || Screen.isAlphanumeric($0) }
    guard body.endIndex < bytes.count || isLast || body.count == Screen.longestReference else {
      return false
    }
    let isClosed = body.endIndex < bytes.count && bytes[body.endIndex] == UInt8(ascii: ";")
    let name = String(decoding: body, as: UTF8.self)
    if isClosed && name.hasPrefix("#") {
      number(name)
    } else if isClosed && Screen.predefined.contains(name) {
      index += body.count + 2
    } else if isClosed, let scalar = CharacterEntities.scalar(named: name) {
      replace(body.count + 2, by: "&#\(scalar.value);")
    } else if takesBareReferences {
      warn(
        isClosed && !name.isEmpty ? .undefinedEntity(name) : .malformed,
        isClosed ? nil : "A bare “&” was read as text.")
      replace(1, by: "&amp;")
    } else {
      // Left to libxml2, which refuses it.
      index += 1
    }
    return true
  }

  private mutating func number(_ name: String) {
    let isHex = name.hasPrefix("#x")
    let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
    if !recovers || value.map(Screen.isAllowed) == true {
      index += name.utf8.count + 2
    } else if value == nil {
      warn(.malformed, "A bare “&” was read as text.")
      replace(1, by: "&amp;")
    } else {
      warn(.malformed, "A reference to a character that XML forbids was replaced.")
      replace(name.utf8.count + 2, by: "\u{FFFD}")
    }
  }

  private static func isAllowed(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20..<0xD800, 0xE000..<0xFFFE, 0x10000...0x10FFFF: true
    default: false
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }

  private static let predefined: Set<String> = ["amp", "lt", "gt", "quot", "apos"]
}
