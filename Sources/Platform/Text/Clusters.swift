import CUnistring

/// What readers take for one character (UAX 29), and how many cells of a terminal it takes.
package enum Clusters {
  /// Where each begins, as places in `bytes`; the first is the beginning of the range.
  package static func starts(in bytes: [UInt8], _ range: Range<Int>) -> [Int] {
    guard !range.isEmpty else { return [] }
    if isPlain(bytes, range) { return Array(range) }
    let flags = unsafe [CChar](unsafeUninitializedCapacity: range.count) { flags, count in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress, let flags = flags.baseAddress {
          unsafe u8_grapheme_breaks(base + range.lowerBound, range.count, flags)
        }
      }
      count = range.count
    }
    return flags.indices.filter { flags[$0] != 0 }.map { range.lowerBound + $0 }
  }

  /// Whether one begins at `index`, which lies in or at the end of `range`.
  package static func isBoundary(_ index: Int, in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard index > range.lowerBound, index < range.upperBound else { return true }
    if bytes[index] < 0x80, bytes[index - 1] < 0x80 { return true }
    // No cluster that anybody means is longer.
    let reach = 64
    var start = max(range.lowerBound, index - reach)
    while start < index, Scalars.continues(bytes[start]) { start += 1 }
    var end = min(range.upperBound, index + 4)
    while end < range.upperBound, Scalars.continues(bytes[end]) { end += 1 }
    return starts(in: bytes, start..<end).contains(index)
  }

  /// The cells of a terminal that the text takes.
  package static func cells(in bytes: [UInt8], _ range: Range<Int>) -> Int {
    if isPlain(bytes, range) { return range.count }
    let starts = starts(in: bytes, range)
    var total = 0
    for (place, start) in starts.enumerated() {
      let end = place + 1 < starts.count ? starts[place + 1] : range.upperBound
      total += cells(ofOne: bytes, start..<end)
    }
    return total
  }

  package static func cells(of text: some StringProtocol) -> Int {
    let bytes = Array(text.utf8)
    return cells(in: bytes, 0..<bytes.count)
  }

  /// The tables are older than some pictures, so a cluster is as wide as the widest thing in it.
  package static func cells(ofOne bytes: [UInt8], _ range: Range<Int>) -> Int {
    var widest = 0
    var index = range.lowerBound
    var flags = 0
    while index < range.upperBound {
      let (value, length) = Scalars.read(bytes, index)
      index += length
      switch value {
      // Asks for the form of a picture.
      case 0xFE0F: if widest > 0 { widest = 2 }
      case 0x1F1E6...0x1F1FF:
        flags += 1
        widest = max(widest, flags > 1 ? 2 : 1)
      default: widest = max(widest, Int(unsafe uc_width(value, "UTF-8")))
      }
    }
    return min(widest, 2)
  }

  /// Printable ASCII: a cell and a cluster for each byte.
  private static func isPlain(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    for index in range where bytes[index] < 0x20 || bytes[index] > 0x7E { return false }
    return true
  }
}
