/// An address with nothing in it to undo, as nearly all in a book are: a path of letters and digits
/// that goes down, and an identifier. There are thousands in a long book, and the way that takes any
/// address is several times as long.
struct PlainReference {
  let path: String
  let fragment: String?

  init?(_ written: String, from base: String) {
    let bytes = written.utf8
    guard bytes.count < 200, let first = bytes.first, Self.isPlain(first) else { return nil }
    var hash: String.Index?
    var last = UInt8(ascii: "/")
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "#") where hash == nil: hash = index
      // A segment that begins with a dot may lead up, and an empty one nowhere.
      case UInt8(ascii: "/") where hash == nil && last != byte: break
      case UInt8(ascii: ".") where last != UInt8(ascii: "/"): break
      case _ where Self.isPlain(byte): break
      default: return nil
      }
      last = byte
      index = bytes.index(after: index)
    }
    let end = hash ?? bytes.endIndex
    guard end == bytes.endIndex || bytes[bytes.index(before: end)] != UInt8(ascii: "/"),
      hash != nil || last != UInt8(ascii: "/"), let folder = Self.folder(of: base)
    else { return nil }
    path = String(folder + written[..<end])
    fragment = hash.map { String(written[written.index(after: $0)...]) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// With its slash; nil where it would have to be put in order first.
  private static func folder(of base: String) -> Substring? {
    var last = UInt8(ascii: "/")
    for byte in base.utf8 {
      if byte == UInt8(ascii: "/"), last == byte { return nil }
      last = byte
    }
    guard last != UInt8(ascii: "/") else { return nil }
    guard let slash = base.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return base[...slash]
  }
}
