/// Takes out of a stranger's text what a terminal would obey: controls of both sets, and the marks
/// that turn the rest of a line around.
package enum Taming {
  /// Line ends and tabs stay.
  package static func tamed(_ bytes: [UInt8], _ range: Range<Int>, to out: inout [UInt8]) {
    var index = range.lowerBound
    var kept = index
    while true {
      index = PlainBytes.printable(bytes, from: index, to: range.upperBound)
      guard index < range.upperBound else { break }
      let length = obeyed(bytes, index, range.upperBound)
      guard length > 0 else {
        index += 1
        while index < range.upperBound, Scalars.continues(bytes[index]) { index += 1 }
        continue
      }
      out += bytes[kept..<index]
      index += length
      kept = index
    }
    out += bytes[kept..<range.upperBound]
  }

  package static func tamed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    tamed(bytes, 0..<bytes.count, to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  /// How many bytes here are one such character; 0 for none.
  private static func obeyed(_ bytes: [UInt8], _ index: Int, _ end: Int) -> Int {
    switch bytes[index] {
    case 0x09, 0x0A: return 0
    case ..<0x20, 0x7F: return 1
    case 0xC2: return index + 1 < end && bytes[index + 1] < 0xA0 ? 2 : 0
    case 0xE2 where index + 2 < end:
      let (second, third) = (bytes[index + 1], bytes[index + 2])
      // The line and paragraph separators, and embeddings, overrides and isolates.
      if second == 0x80 { return 0xA8...0xAE ~= third ? 3 : 0 }
      return second == 0x81 && 0xA6...0xA9 ~= third ? 3 : 0
    default: return 0
    }
  }
}
