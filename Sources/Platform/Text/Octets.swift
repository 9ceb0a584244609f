/// Eight bytes of a text in one word, asked all at once: most of a book is letters of ASCII with
/// single blanks between, in which nothing has to be looked at byte by byte.
struct Octets {
  /// The first byte is the lowest.
  let word: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  init?(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, before end: Int) {
    guard place + 8 <= end else { return nil }
    let raw = UnsafeRawBufferPointer(bytes)
    word = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// How many bytes come before the first one beyond ASCII.
  @inline(__always)
  var ascii: Int { Self.place(word & Self.tops) }

  /// How many bytes come before the first one that is a control or beyond ASCII. What is taken away
  /// or carried over reaches only bytes behind that one.
  @inline(__always)
  var printable: Int {
    Self.place((word | (word &- 0x20 &* Self.ones) | (word &+ Self.ones)) & Self.tops)
  }

  @inline(__always)
  private static func place(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

  /// The top bits of those bytes that are this one. Right where all are ASCII.
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let others = word ^ (UInt64(byte) &* Self.ones)
    return ~(others &+ ~Self.tops) & Self.tops
  }

  /// Without capitals. Right where all are ASCII.
  @inline(__always)
  var lowered: UInt64 {
    let fromA = word &+ (0x80 - 0x41) &* Self.ones
    let beyondZ = word &+ (0x80 - 0x5B) &* Self.ones
    return word | ((fromA ^ beyondZ) & Self.tops) >> 2
  }
}
