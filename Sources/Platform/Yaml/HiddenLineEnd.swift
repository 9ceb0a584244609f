/// A character that ends a line for libyaml, as in YAML 1.1, and that many editors show as nothing
/// or as a mark within the line. Behind one a comment could hide a setting from whoever reads the
/// file, so none may stand in a file; in double quotes each can be written with a backslash.
struct HiddenLineEnd {
  let offset: Int
  let words: String

  /// The first one. In UTF-8 no other character contains these bytes in this order.
  init?(in bytes: [UInt8]) {
    for offset in bytes.indices where bytes[offset] == 0xC2 || bytes[offset] == 0xE2 {
      guard let name = Self.name(of: bytes[offset...].prefix(3)) else { continue }
      self.offset = offset
      words = "U+\(name) would end the line unseen; write it as \\u\(name) in double quotes"
      return
    }
    return nil
  }

  private static func name(of bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0xC2, 0x85]) { return "0085" }
    if bytes.elementsEqual([0xE2, 0x80, 0xA8]) { return "2028" }
    return bytes.elementsEqual([0xE2, 0x80, 0xA9]) ? "2029" : nil
  }
}
