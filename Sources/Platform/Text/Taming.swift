import TextSafety

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

  /// How many bytes here are one such character; 0 for none. What is only invisible may be there to
  /// say where a line may break.
  private static func obeyed(_ bytes: [UInt8], _ index: Int, _ end: Int) -> Int {
    let first = UInt32(bytes[index])
    let value: UInt32
    switch first {
    case 0x09, 0x0A: return 0
    case ..<0x80: value = first
    case 0xC2 where index + 1 < end: value = UInt32(bytes[index + 1])
    case 0xE2 where index + 2 < end:
      value = 0x2000 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
    default: return 0
    }
    switch Unicode.Scalar(value).flatMap(HiddenCharacter.init) {
    case .control, .lineBreak, .direction: return first < 0x80 ? 1 : first == 0xC2 ? 2 : 3
    case .invisible, nil: return 0
    }
  }
}
