import Text

/// Where sentences end, well enough to mark one: behind a stop, what closes it, and a blank.
enum Sentences {
  static func all(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    var out: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    var isStopped = false
    while index < range.upperBound {
      let (value, length) = Scalars.read(bytes, index)
      let next = min(index + length, range.upperBound)
      switch value {
      case 0x2E, 0x21, 0x3F, 0x2026: isStopped = true
      // These end one without a blank behind them.
      case 0x3002, 0xFF01, 0xFF1F:
        out.append(start..<next)
        start = next
      case 0x22, 0x27, 0x29, 0x5D, 0x2019, 0x201D, 0xBB: break
      case 0x20, 0x0A, 0xA0:
        if isStopped, !endsWithInitial(bytes, start..<index) {
          out.append(start..<index)
          start = next
        }
        isStopped = false
      default: isStopped = false
      }
      index = next
    }
    if start < range.upperBound { out.append(start..<range.upperBound) }
    return out
  }

  /// `J.` is a name, and `Mr.` comes before one.
  private static func endsWithInitial(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let word =
      String(decoding: bytes[range].suffix(6), as: UTF8.self)
      .split(separator: " ").last.map(String.init) ?? ""
    if ["Mr.", "Mrs.", "Ms.", "Dr.", "St.", "e.g.", "i.e."].contains(word) { return true }
    return word.count == 2 && word.first?.isUppercase == true && word != "I."
  }
}
