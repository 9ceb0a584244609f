/// The last step, and the first one when packing: four equal bytes are followed by how many more of
/// them there are. Done piece by piece, since a block may stand for fifty megabytes.
struct RunUndoing: Sendable {
  private let expected: UInt32
  private var position = 0
  /// How often the newest byte has come in a row, and how many more of it are owed.
  private var row = 0
  private var owed = 0
  private var newest: UInt8 = 0
  private var checksum = BlockChecksum()

  /// `expected` is the checksum of what comes out.
  init(expected: UInt32) { self.expected = expected }

  /// The next piece of what `bytes` stand for, which are the same at every call; nil behind the last
  /// one, when its checksum was right.
  mutating func next(
    of bytes: UnsafeBufferPointer<UInt8>, upTo room: Int
  ) throws(CompressionError) -> [UInt8]? {
    guard position < bytes.count || owed > 0 else {
      guard checksum.value == expected else { throw .damaged }
      return nil
    }
    var state = self
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, written in
      unsafe written = state.fill(target, from: bytes)
      unsafe state.checksum.update(UnsafeBufferPointer(rebasing: target[..<written]))
    }
    self = state
    return piece
  }

  private mutating func fill(
    _ target: UnsafeMutableBufferPointer<UInt8>, from source: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let out = target.baseAddress else { return 0 }
    let room = target.count
    var (at, written, row, owed, newest) = (position, 0, row, owed, newest)
    defer { (position, self.row, self.owed, self.newest) = (at, row, owed, newest) }
    while written < room {
      if owed > 0 {
        let count = min(owed, room - written)
        unsafe (out + written).update(repeating: newest, count: count)
        written += count
        owed -= count
        continue
      }
      guard at < source.count else { break }
      if row == 0, at + Self.stride <= source.count, written + Self.stride <= room {
        (owed, newest) = unsafe Self.copy(source, &at, to: out, &written, upTo: room)
        continue
      }
      let byte = unsafe source[at]
      at += 1
      if row == 4 {
        owed = Int(byte)
        row = 0
        continue
      }
      row = byte == newest && row > 0 ? row + 1 : 1
      newest = byte
      unsafe out[written] = byte
      written += 1
    }
    return written
  }

  /// What is looked at together: eight bytes, each of which may begin a run of four, and what follows
  /// that.
  private static let stride = 12

  /// Eight bytes at a time up to behind the next run, or to where there are too few. Returns how many
  /// more there are of which byte.
  private static func copy(
    _ source: UnsafeBufferPointer<UInt8>, _ at: inout Int, to out: UnsafeMutablePointer<UInt8>,
    _ written: inout Int, upTo room: Int
  ) -> (owed: Int, of: UInt8) {
    guard let base = unsafe UnsafeRawPointer(source.baseAddress) else { return (0, 0) }
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    while at + stride <= source.count, written + stride <= room {
      let here = word(at)
      unsafe UnsafeMutableRawPointer(out + written).storeBytes(
        of: here.littleEndian, as: UInt64.self)
      let differs = (here ^ word(at + 1)) | (here ^ word(at + 2)) | (here ^ word(at + 3))
      // The highest bit of the lowest byte that is zero, and perhaps of others above it.
      let runs = (differs &- 0x0101_0101_0101_0101) & ~differs & 0x8080_8080_8080_8080
      guard runs != 0 else {
        (at, written) = (at + 8, written + 8)
        continue
      }
      let start = runs.trailingZeroBitCount / 8
      let byte = unsafe source[at + start]
      unsafe (out + written + start).update(repeating: byte, count: 4)
      let owed = unsafe Int(source[at + start + 4])
      (at, written) = (at + start + 5, written + start + 4)
      return (owed, byte)
    }
    return (0, 0)
  }
}

/// The same for a block that is too large to be held unpacked.
struct LongBlock: Sendable {
  private let bytes: [UInt8]
  private var undoing: RunUndoing

  init(_ bytes: [UInt8], expected: UInt32) {
    (self.bytes, undoing) = (bytes, RunUndoing(expected: expected))
  }

  mutating func next() throws(CompressionError) -> [UInt8]? {
    var undoing = undoing
    defer { self.undoing = undoing }
    return try unsafe bytes.withUnsafeBufferPointer { source throws(CompressionError) in
      try unsafe undoing.next(of: source, upTo: BZip2Block.piece)
    }
  }
}
