/// Characters in UTF-8, read one by one without a string around them.
package enum Scalars {
  /// The character that begins at `index`, and how many bytes it takes. Bytes that are no UTF-8
  /// read as the replacement character, one by one.
  @inline(__always)
  package static func read(_ bytes: [UInt8], _ index: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(bytes[index])
    if first < 0x80 { return (first, 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + length <= bytes.count else { return (0xFFFD, 1) }
    var value = first & (0x7F >> UInt32(length))
    for place in 1..<length {
      let next = UInt32(bytes[index + place])
      guard next & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      value = value << 6 | next & 0x3F
    }
    return (value, length)
  }

  /// Whether a byte goes on with the character before it.
  @inline(__always)
  package static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// How many units of UTF-16 the bytes take: what other programs count places in.
  package static func utf16Length(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var count = 0
    for index in range {
      let byte = bytes[index]
      if !continues(byte) { count += byte >= 0xF0 ? 2 : 1 }
    }
    return count
  }

  /// The place that so many units of UTF-16 lead to; the end where there are fewer. Inside a pair it
  /// is the beginning of the pair.
  package static func index(
    afterUTF16 count: Int, in bytes: [UInt8], _ range: Range<Int>
  ) -> Int {
    var left = count
    var index = range.lowerBound
    while index < range.upperBound {
      let length = read(bytes, index).length
      left -= length == 4 ? 2 : 1
      if left < 0 { return index }
      index += length
    }
    return range.upperBound
  }
}
