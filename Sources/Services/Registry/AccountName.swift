/// What an account is to be called.
package enum AccountName: Sendable, Hashable {
  /// This, or not at all.
  case exactly(String)
  /// Something like it that is still free: "City Library" becomes `city-library` or `city-library-2`.
  case like(String)

  static let longest = 40

  /// A word that needs no quotes in a shell, no escapes in an address, and is no option.
  static func isSound(_ name: String) -> Bool {
    guard let first = name.utf8.first, isWordByte(first), name.utf8.count <= longest else {
      return false
    }
    return name.utf8.allSatisfy { isWordByte($0) || $0 == dash || $0 == UInt8(ascii: "_") }
  }

  /// Names that differ in case only are the same name.
  static func folded(_ name: String) -> String { name.lowercased() }

  /// The first free name, or nil where the name that was insisted on is taken.
  func choice(avoiding taken: Set<String>) -> String? {
    switch self {
    case .exactly(let name): return taken.contains(Self.folded(name)) ? nil : name
    case .like(let wish):
      let stem = Self.stem(of: wish)
      var (name, number) = (stem, 1)
      while taken.contains(name) {
        number += 1
        name = "\(stem)-\(number)"
      }
      return name
    }
  }

  private static func stem(of wish: String) -> String {
    var stem: [UInt8] = []
    for byte in folded(wish).utf8 {
      if isWordByte(byte) {
        stem.append(byte)
      } else if byte < 0x80, let last = stem.last, last != dash {
        stem.append(dash)
      }
      // Room is left for a number.
      if stem.count == longest - 8 { break }
    }
    while stem.last == dash { stem.removeLast() }
    return stem.isEmpty ? "account" : String(decoding: stem, as: UTF8.self)
  }

  private static let dash = UInt8(ascii: "-")

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
