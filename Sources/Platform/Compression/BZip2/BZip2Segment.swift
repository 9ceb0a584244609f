/// What lies from one mark of a bzip2 file to the next: bits that begin and end anywhere in a byte.
struct BZip2Segment: Sendable {
  enum Kind: Sendable { case head, block, end }

  /// What its mark says. Where it stood by chance inside of a block, that is not so.
  let kind: Kind
  /// From the byte that holds its first bit to the one that holds its last.
  var bytes: [UInt8]
  /// How many bits of the first byte belong to what came before.
  let skipped: Int
  /// Counted from its mark, which is one of them.
  var bits: Int
  /// The digit of its stream's header.
  let level: UInt8
  /// No mark follows.
  var isLast: Bool

  static let magic: [UInt8] = [0x42, 0x5A, 0x68]

  /// The checksum that stands behind a mark: of what a block unpacks to, or of a whole stream.
  var checksum: UInt32 {
    (48..<80).reduce(0) { value, bit in
      let place = skipped + bit
      guard place / 8 < bytes.count else { return 0 }
      return value << 1 | UInt32(bytes[place / 8] >> UInt8(7 - place % 8) & 1)
    }
  }

  /// What stands before the first block, or behind an end: the header of the stream that follows.
  var tail: ArraySlice<UInt8> { bytes[min(kind == .head ? 0 : (skipped + 87) / 8, bytes.count)...] }

  /// The digit of that header, where the tail is one and nothing else.
  var header: UInt8? {
    let tail = tail
    guard kind != .block, (skipped + bits) % 8 == 0, tail.count == 4, tail.starts(with: Self.magic),
      let digit = tail.last, (0x31...0x39).contains(digit)
    else { return nil }
    return digit
  }

  /// Whether all there is of the tail may be the beginning of a stream.
  var endsInHeader: Bool {
    let tail = tail
    return tail.count < 10 && Self.magic.starts(with: tail.prefix(3))
  }

  /// With what follows it in the file: where a mark stood by chance inside of a block, the two
  /// halves are one.
  func joined(with next: BZip2Segment) -> BZip2Segment {
    var whole = self
    // The last byte of one is the first of the other, unless they meet between two bytes.
    whole.bytes = (next.skipped == 0 ? bytes : Array(bytes.dropLast())) + next.bytes
    whole.bits += next.bits
    whole.isLast = next.isLast
    return whole
  }

  /// A stream of this block alone: header, its bits from the start of a byte on, end mark, and the
  /// checksum of the whole, which is the block's own where there is just one.
  func asStream() -> [UInt8] {
    var out = Self.magic + [level]
    out.reserveCapacity(bits / 8 + 20)
    let source = bytes.span
    let (left, right) = (UInt16(skipped), UInt16(8 - skipped))
    for index in 0..<((bits + 7) / 8) {
      let next = index + 1 < source.count ? UInt16(source[index + 1]) : 0
      let both = UInt16(source[index]) << left | next >> right
      out.append(UInt8(truncatingIfNeeded: both))
    }
    var free = (8 - bits % 8) % 8
    // Bits of the next block in the last byte are not ours.
    if free > 0 { out[out.count - 1] &= 0xFF << UInt8(free) }
    for (value, count) in [(BlockScanner.endMark, 48), (UInt64(checksum), 32)] {
      for bit in stride(from: count - 1, through: 0, by: -1) {
        if free == 0 {
          out.append(0)
          free = 8
        }
        free -= 1
        if value >> UInt64(bit) & 1 == 1 { out[out.count - 1] |= 1 << UInt8(free) }
      }
    }
    return out
  }
}
