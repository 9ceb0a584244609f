/// One block of a bzip2 file, as it lies there: bits that begin and end anywhere in a byte. Each
/// block is unpacked by itself, as the only one of a stream that is made up around it.
struct BZip2Block: Sendable {
  /// From the byte that holds its first bit to the one that holds its last.
  var bytes: [UInt8]
  /// How many bits of the first byte belong to what came before.
  let skipped: Int
  /// Counted from its mark, which is one of them.
  var bits: Int
  /// The digit of its stream's header.
  let level: UInt8

  /// What is larger is unpacked while it is read: a few bytes may stand for fifty megabytes.
  private static let ordinary = 4 << 20
  static let piece = 1 << 20

  enum Content: Sendable {
    case whole([UInt8])
    /// Too large to be held.
    case large(LongBlock)
    /// The same, as a stream of this one block for the library.
    case foreign([UInt8])
  }

  /// The checksum of what it unpacks to, which stands behind its mark.
  var checksum: UInt32 { UInt32(truncatingIfNeeded: field(at: 48, bits: 32)) }

  /// What it unpacks to, where its bytes before the last step are known. Where they are not, or do
  /// not fit its checksum, the library has the last word.
  func content(_ bytes: UnsafeBufferPointer<UInt8>?) throws(CompressionError) -> Content {
    guard let bytes = unsafe bytes, let content = unsafe try? Self.content(bytes, checksum) else {
      return try unpacked()
    }
    return content
  }

  private static func content(
    _ bytes: UnsafeBufferPointer<UInt8>, _ checksum: UInt32
  ) throws(CompressionError) -> Content {
    var undoing = RunUndoing(expected: checksum)
    // Nearly always there are hardly any runs.
    var out =
      try unsafe undoing.next(of: bytes, upTo: bytes.count + bytes.count / 16 + 256) ?? []
    while let piece = try unsafe undoing.next(of: bytes, upTo: piece) {
      out += piece
      if out.count > ordinary {
        return unsafe .large(LongBlock(Array(bytes), expected: checksum))
      }
    }
    return .whole(out)
  }

  /// By the library, which knows everything that was ever written.
  func unpacked() throws(CompressionError) -> Content {
    let stream = asStream()
    var reading = try BZip2Stream(stream)
    var out: [UInt8] = []
    while let piece = try reading.next() {
      if out.isEmpty { out = piece } else { out += piece }
      if out.count > Self.ordinary { return .foreign(stream) }
    }
    return .whole(out)
  }

  /// With what follows it in the file: where a mark stood by chance inside of a block, the two
  /// halves are one.
  func joined(with next: BZip2Block) -> BZip2Block {
    var whole = self
    // The last byte of one is the first of the other, unless they meet between two bytes.
    whole.bytes = (next.skipped == 0 ? bytes : Array(bytes.dropLast())) + next.bytes
    whole.bits += next.bits
    return whole
  }

  // MARK: - Bits

  private func field(at offset: Int, bits count: Int) -> UInt64 {
    var value: UInt64 = 0
    for bit in 0..<count {
      let place = skipped + offset + bit
      guard place / 8 < bytes.count else { return 0 }
      value = value << 1 | UInt64(bytes[place / 8] >> UInt8(7 - place % 8) & 1)
    }
    return value
  }

  /// Header, this block from the start of a byte on, end mark, and the checksum of the whole, which
  /// is the block's own where there is just one.
  private func asStream() -> [UInt8] {
    var out: [UInt8] = [0x42, 0x5A, 0x68, level]
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
