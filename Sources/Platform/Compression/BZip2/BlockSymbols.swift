/// The first half of a block's way: from bits to the last column of its sorted turns.
///
/// Only what any program of this century writes is read here. All else is nil, and for the library
/// to judge.
struct BlockSymbols {
  private(set) var count = 0
  /// Where in the sorted turns the block itself stands.
  private(set) var origin = 0
  /// How often each byte occurs.
  private(set) var counts = [Int](repeating: 0, count: 256)

  private static let groupSize = 50

  /// Writes the column into the low eight bits of `column`, one byte an entry.
  init?(_ block: BZip2Block, into column: UnsafeMutableBufferPointer<UInt32>) {
    let most = Int(block.level - 0x30) * 100_000
    let isRead = unsafe block.bytes.withUnsafeBufferPointer { bytes in
      unsafe read(
        BlockBits(bytes, skipping: block.skipped), upTo: block.skipped + block.bits,
        into: UnsafeMutableBufferPointer(rebasing: column[..<min(most, column.count)]))
    }
    guard isRead, origin < count else { return nil }
  }

  private mutating func read(
    _ source: BlockBits, upTo end: Int, into column: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    var bits = source
    // The mark and the checksum.
    for _ in 0..<5 { _ = bits.take(16) }
    // Blocks were once shuffled; nobody has written such a one since.
    guard !bits.takeFlag() else { return false }
    origin = bits.take(24)
    let bytes = Self.bytesInUse(&bits)
    guard !bytes.isEmpty, let selectors = Self.selectors(&bits, end),
      let codes = Self.codes(&bits, of: bytes.count + 2, count: selectors.codes)
    else { return false }
    return unsafe fill(column, from: &bits, upTo: end, codes, selectors.order, bytes)
  }

  private static func bytesInUse(_ bits: inout BlockBits) -> [UInt8] {
    let rows = bits.take(16)
    var bytes: [UInt8] = []
    for row in 0..<16 where rows >> (15 - row) & 1 == 1 {
      let cells = bits.take(16)
      for cell in 0..<16 where cells >> (15 - cell) & 1 == 1 {
        bytes.append(UInt8(row * 16 + cell))
      }
    }
    return bytes
  }

  /// Which of the codes each run of fifty symbols is written in.
  private static func selectors(_ bits: inout BlockBits, _ end: Int) -> (
    codes: Int, order: [UInt8]
  )? {
    let codes = bits.take(3)
    let count = bits.take(15)
    guard (2...6).contains(codes), count > 0 else { return nil }
    var recent: [UInt8] = (0..<UInt8(codes)).map(\.self)
    var order: [UInt8] = []
    order.reserveCapacity(count)
    for _ in 0..<count {
      var place = 0
      while bits.takeFlag() {
        place += 1
        guard place < codes else { return nil }
      }
      let code = recent.remove(at: place)
      recent.insert(code, at: 0)
      order.append(code)
      guard bits.position <= end else { return nil }
    }
    return (codes, order)
  }

  private static func codes(
    _ bits: inout BlockBits, of symbols: Int, count: Int
  ) -> [BlockCode]? {
    var codes: [BlockCode] = []
    for _ in 0..<count {
      var length = bits.take(5)
      var lengths: [UInt8] = []
      for _ in 0..<symbols {
        while true {
          guard (1...BlockCode.longest).contains(length) else { return nil }
          guard bits.takeFlag() else { break }
          length += bits.takeFlag() ? -1 : 1
        }
        lengths.append(UInt8(length))
      }
      guard let code = BlockCode(lengths: lengths) else { return nil }
      codes.append(code)
    }
    return codes
  }

  /// Symbols 0 and 1 write down how often the newest byte is repeated, the highest one ends the
  /// block, and the others bring a byte forward that was used that many bytes ago.
  private mutating func fill(
    _ column: UnsafeMutableBufferPointer<UInt32>, from source: inout BlockBits, upTo end: Int,
    _ codes: [BlockCode], _ order: [UInt8], _ bytes: [UInt8]
  ) -> Bool {
    let tables = codes.flatMap(\.quick)
    var counts = counts
    var filled = 0
    defer { (self.counts, count) = (counts, filled) }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { room in
      unsafe counts.withUnsafeMutableBufferPointer { counts in
        unsafe tables.withUnsafeBufferPointer { tables in
          var recent = unsafe RecentBytes(bytes, in: room)
          var (bits, run, weight) = (source, 0, 1)
          let last = bytes.count + 1
          for chosen in order {
            let quick = unsafe tables.baseAddress! + Int(chosen) << BlockCode.quickBits
            for _ in 0..<Self.groupSize {
              bits.refill()
              let entry = unsafe quick[Int(bits.register >> UInt64(64 - BlockCode.quickBits))]
              var symbol = Int(entry >> 5)
              if entry != 0 {
                bits.drop(Int(entry & 31))
              } else {
                guard let long = codes[Int(chosen)].long(UInt32(bits.register >> 44)) else {
                  return false
                }
                symbol = long.symbol
                bits.drop(long.length)
              }
              if symbol < 2 {
                run += weight << symbol
                weight <<= 1
                guard run <= column.count - filled else { return false }
                continue
              }
              if run > 0 {
                let byte = recent.newest
                unsafe (column.baseAddress! + filled).update(repeating: UInt32(byte), count: run)
                unsafe counts[Int(byte)] += run
                filled += run
                (run, weight) = (0, 1)
              }
              if symbol == last { return bits.position <= end }
              guard filled < column.count else { return false }
              let byte = recent.bringForward(symbol - 1)
              unsafe column[filled] = UInt32(byte)
              unsafe counts[Int(byte)] += 1
              filled += 1
            }
          }
          return false
        }
      }
    }
  }
}

/// The bytes of a block, the one that was used last in front. The first sixteen, which nearly all
/// symbols mean, are kept in two words.
@safe private struct RecentBytes {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private let rest: UnsafeMutableBufferPointer<UInt8>

  /// `room` holds 256, of which those behind the first sixteen are used.
  init(_ bytes: [UInt8], in room: UnsafeMutableBufferPointer<UInt8>) {
    unsafe rest = room
    unsafe rest.initialize(repeating: 0)
    for (place, byte) in bytes.enumerated() {
      switch place {
      case ..<8: first |= UInt64(byte) << UInt64(place * 8)
      case ..<16: second |= UInt64(byte) << UInt64(place * 8 - 64)
      default: unsafe rest[place - 16] = byte
      }
    }
  }

  var newest: UInt8 { UInt8(truncatingIfNeeded: first) }

  @inline(__always)
  mutating func bringForward(_ place: Int) -> UInt8 {
    let byte: UInt64
    if place < 8 {
      let shift = UInt64(truncatingIfNeeded: place &* 8)
      byte = first &>> shift & 0xFF
      let moved = UInt64.max &>> (56 &- shift)
      first = (first &<< 8 | byte) & moved | first & ~moved
      return UInt8(truncatingIfNeeded: byte)
    }
    if place < 16 {
      let shift = UInt64(truncatingIfNeeded: place &* 8 &- 64)
      byte = second &>> shift & 0xFF
      let moved = UInt64.max &>> (56 &- shift)
      second = (second &<< 8 | first &>> 56) & moved | second & ~moved
    } else {
      byte = UInt64(unsafe rest[place - 16])
      let front = rest.baseAddress!
      unsafe (front + 1).update(from: front, count: place - 16)
      unsafe front[0] = UInt8(truncatingIfNeeded: second &>> 56)
      second = second &<< 8 | first &>> 56
    }
    first = first &<< 8 | byte
    return UInt8(truncatingIfNeeded: byte)
  }
}
