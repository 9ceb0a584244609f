/// What somebody pressed.
package enum Key: Sendable, Hashable {
  case character(Character)
  case enter
  case escape
  case backspace
  case tab
  case up, down, left, right
  case pageUp, pageDown
  case home, end
  /// Ctrl-C, which no longer is a signal while we read keys one by one.
  case interrupt
  /// Ctrl-L: the screen is to be drawn anew.
  case redraw

  /// The keys in what came from the terminal at once. What begins like a key and is none that we
  /// know is no key.
  package static func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x1B: keys += escaped(bytes, &index)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x09: keys.append(.tab)
      case 0x7F, 0x08: keys.append(.backspace)
      case 0x03: keys.append(.interrupt)
      case 0x0C: keys.append(.redraw)
      case ..<0x20: break
      default:
        let end = index + length(bytes[index])
        guard end <= bytes.count else { return keys }
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        keys += text.filter { $0 != "\u{FFFD}" }.map { .character($0) }
        index = end - 1
      }
      index += 1
    }
    return keys
  }

  private static func length(_ first: UInt8) -> Int {
    first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
  }

  /// Leaves `index` at the last byte of the sequence.
  private static func escaped(_ bytes: [UInt8], _ index: inout Int) -> [Key] {
    guard index + 1 < bytes.count,
      [UInt8(ascii: "["), UInt8(ascii: "O")].contains(bytes[index + 1])
    else { return [.escape] }
    var last = index + 2
    while last < bytes.count, bytes[last] < 0x40 { last += 1 }
    guard last < bytes.count else {
      index = bytes.count - 1
      return []
    }
    let number = String(decoding: bytes[(index + 2)..<last], as: UTF8.self)
    index = last
    switch bytes[last] {
    case UInt8(ascii: "A"): return [.up]
    case UInt8(ascii: "B"): return [.down]
    case UInt8(ascii: "C"): return [.right]
    case UInt8(ascii: "D"): return [.left]
    case UInt8(ascii: "H"): return [.home]
    case UInt8(ascii: "F"): return [.end]
    case UInt8(ascii: "~"):
      switch number.prefix(while: \.isNumber) {
      case "5": return [.pageUp]
      case "6": return [.pageDown]
      case "1", "7": return [.home]
      case "4", "8": return [.end]
      default: return []
      }
    default: return []
    }
  }
}
