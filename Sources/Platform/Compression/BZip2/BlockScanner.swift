/// Cuts a bzip2 file at the marks of its blocks and ends. They stand at any bit, since nothing in a
/// stream is aligned but its first byte and its last. Whether a mark is one, or stands by chance
/// inside of a block, only unpacking tells.
struct BlockScanner {
  static let blockMark: UInt64 = 0x3141_5926_5359
  static let endMark: UInt64 = 0x1772_4538_5090
  private static let markBits: UInt64 = 1 << 48 - 1
  /// No block packs to more: twenty bits for each of nine hundred thousand symbols, and tables.
  private static let mostBytes = 3 << 20

  /// For the byte before the newest one, the shifts at which it may be part of a mark. Nearly all
  /// are none, so nearly every byte costs one look.
  private static let filter: [UInt8] = (0..<256).map { byte in
    (0..<8).reduce(0) { found, shift in
      let isPart = [blockMark, endMark].contains {
        UInt8(truncatingIfNeeded: $0 >> UInt64(8 - shift)) == UInt8(byte)
      }
      return isPart ? found | 1 << UInt8(shift) : found
    }
  }

  private var bytes: [UInt8] = []
  /// The segment to be cut next: what it is, and the bit at which it begins.
  private var kind = BZip2Segment.Kind.head
  private var start = 0
  /// How many of the bytes have gone through the window.
  private var scanned = 0
  private var window: UInt64 = 0
  private var level: UInt8 = 0x39
  private var isFinished = false

  /// To be called when `next` has nothing more. Nothing at all is the end of the file.
  mutating func feed(_ more: [UInt8]) {
    isFinished = more.isEmpty
    // Once for all segments that were cut, never once for each.
    let past = start / 8
    bytes.removeFirst(past)
    (start, scanned) = (start % 8, scanned - past)
    bytes += more
  }

  /// The next segment; nil where more bytes are needed. The last one is given again and again.
  mutating func next() throws(CompressionError) -> BZip2Segment? {
    guard let mark = nextMark() else {
      if isFinished { return cut(to: bytes.count * 8, isLast: true) }
      if bytes.count - start / 8 > Self.mostBytes { throw .damaged }
      return nil
    }
    let segment = cut(to: mark.bit, isLast: false)
    if let header = segment.header { level = header }
    (kind, start) = (mark.kind, mark.bit)
    return segment
  }

  private func cut(to end: Int, isLast: Bool) -> BZip2Segment {
    BZip2Segment(
      kind: kind, bytes: Array(bytes[(start / 8)..<((end + 7) / 8)]), skipped: start % 8,
      bits: end - start, level: level, isLast: isLast)
  }

  private struct Mark {
    let kind: BZip2Segment.Kind
    let bit: Int
  }

  private mutating func nextMark() -> Mark? {
    let (filter, bytes) = (Self.filter, bytes)
    let (table, source) = (filter.span, bytes.span)
    var (window, place) = (window, scanned)
    defer { (self.window, scanned) = (window, place) }
    while place < source.count {
      window = window << 8 | UInt64(source[place])
      place += 1
      var shifts = table[Int(window >> 8 & 0xFF)]
      while shifts != 0 {
        // Of several the earliest, which is the one shifted most.
        let shift = 7 - shifts.leadingZeroBitCount
        shifts &= ~(1 << UInt8(shift))
        let word = window >> UInt64(shift) & Self.markBits
        guard word == Self.blockMark || word == Self.endMark else { continue }
        let bit = place * 8 - shift - 48
        // What is part of the mark before, or of bytes that are gone, is none.
        if bit >= start + (kind == .head ? 0 : 48) {
          return Mark(kind: word == Self.blockMark ? .block : .end, bit: bit)
        }
      }
    }
    return nil
  }
}
