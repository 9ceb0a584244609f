/// Cuts a bzip2 file into its blocks. Their marks stand at any bit, since nothing in a stream is
/// aligned but its first byte and its last.
struct BlockScanner {
  enum Piece: Sendable {
    case block(BZip2Block)
    /// The end of a stream with the checksum over those of its blocks.
    case end(checksum: UInt32)
  }

  private enum Place {
    /// A header is expected at this byte.
    case header(Int)
    /// A block began at this bit.
    case block(Int)
    /// An end mark began at this bit.
    case end(Int)
  }

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
  private var place = Place.header(0)
  /// How many of the bytes have gone through the window.
  private var scanned = 0
  private var window: UInt64 = 0
  private var level: UInt8 = 0
  private var streams = 0
  private var isFinished = false

  mutating func feed(_ more: [UInt8]) {
    if more.isEmpty { isFinished = true }
    bytes += more
  }

  /// The next piece; nil where more bytes are needed, or at the end.
  mutating func next() throws(CompressionError) -> Piece? {
    while true {
      switch place {
      case .header(let start):
        guard try readHeader(at: start) else { return nil }
      case .block(let start):
        guard let (mark, found) = try nextMark(after: start) else { return nil }
        let block = cut(from: start, to: found)
        forget(before: found, then: mark == Self.blockMark ? .block(0) : .end(0))
        return .block(block)
      case .end(let start):
        guard (start + 80 + 7) / 8 <= bytes.count else {
          if isFinished { throw .truncated }
          return nil
        }
        let checksum = UInt32(truncatingIfNeeded: field(at: start + 48, bits: 32))
        forget(before: (start + 80 + 7) / 8 * 8, then: .header(0))
        streams += 1
        return .end(checksum: checksum)
      }
    }
  }

  private mutating func readHeader(at start: Int) throws(CompressionError) -> Bool {
    let head = Array(bytes[start...].prefix(4))
    guard head.count == 4 else {
      guard isFinished else { return false }
      guard streams > 0 else {
        throw head.elementsEqual([0x42, 0x5A, 0x68].prefix(head.count)) ? .truncated : .damaged
      }
      if head.isEmpty { return false }
      throw .trailingBytes
    }
    guard head.starts(with: [0x42, 0x5A, 0x68]), (0x31...0x39).contains(head[3]) else {
      throw streams > 0 ? .trailingBytes : .damaged
    }
    level = head[3]
    let first = (start + 4) * 8
    guard first / 8 + 6 <= bytes.count else {
      if isFinished { throw .truncated }
      return false
    }
    let mark = field(at: first, bits: 48)
    guard mark == Self.blockMark || mark == Self.endMark else { throw .damaged }
    forget(before: first, then: mark == Self.blockMark ? .block(0) : .end(0))
    return true
  }

  /// The next mark and the bit at which it begins.
  private mutating func nextMark(after start: Int) throws(CompressionError) -> (UInt64, Int)? {
    var (place, register) = (scanned, window)
    let found = Self.search(bytes.span, from: &place, &register, after: start)
    (scanned, window) = (place, register)
    if let found { return found }
    if isFinished { throw .truncated }
    if bytes.count > Self.mostBytes { throw .damaged }
    return nil
  }

  private static func search(
    _ source: Span<UInt8>, from index: inout Int, _ register: inout UInt64, after start: Int
  ) -> (UInt64, Int)? {
    let filter = Self.filter
    let table = filter.span
    var window = register
    var place = index
    defer { (register, index) = (window, place) }
    while place < source.count {
      window = window << 8 | UInt64(source[place])
      place += 1
      var shifts = table[Int(window >> 8 & 0xFF)]
      while shifts != 0 {
        // Of several the earliest, which is the one shifted most.
        let shift = 7 - shifts.leadingZeroBitCount
        shifts &= ~(1 << UInt8(shift))
        let word = window >> UInt64(shift) & markBits
        guard word == blockMark || word == endMark else { continue }
        let found = place * 8 - shift - 48
        if found > start { return (word, found) }
      }
    }
    return nil
  }

  private func cut(from start: Int, to end: Int) -> BZip2Block {
    BZip2Block(
      bytes: Array(bytes[(start / 8)..<((end + 7) / 8)]), skipped: start % 8, bits: end - start,
      level: level)
  }

  /// Lets go of whole bytes, so that a place is counted from the new beginning.
  private mutating func forget(before bit: Int, then next: Place) {
    bytes.removeFirst(bit / 8)
    let rest = bit % 8
    // What is left of a found mark goes through the window once more, and is found at its own
    // place, which is not behind it.
    (scanned, window) = (0, 0)
    place =
      switch next {
      case .header: .header(0)
      case .block: .block(rest)
      case .end: .end(rest)
      }
  }

  private func field(at start: Int, bits count: Int) -> UInt64 {
    var value: UInt64 = 0
    for bit in start..<start + count {
      let one = bytes[bit / 8] >> UInt8(7 - bit % 8) & 1
      value = value << 1 | UInt64(one)
    }
    return value
  }
}
