import Testing

@testable import Compression

/// Blocks are found by their marks, which may also stand in what they hold.
@Suite struct `Marks of bzip2 inside of a block` {
  private static let marks = [BlockScanner.blockMark, BlockScanner.endMark].map { mark in
    (0..<6).map { UInt8(truncatingIfNeeded: mark >> UInt64(40 - 8 * $0)) }
  }

  private func read(_ packed: [UInt8], piece: Int) async throws -> [UInt8] {
    let feed = Feed(packed, piece: piece)
    let reader = BZip2Reader { feed.next() }
    var out: [UInt8] = []
    while let piece = try await reader.next() { out += piece }
    return out
  }

  @Test
  func `a bzip2 block that holds the mark of a block or of an end is read as the library does`()
    async throws
  {
    for mark in Self.marks {
      for place in [0, 3, 1000, 3994] {
        var held = HeldStream.noise(4000)
        held.replaceSubrange(place..<(place + 6), with: mark)
        let stream = try HeldStream(held).bytes
        let plain = try BZip2.decompress(stream, limit: 1 << 20)
        let other = try #require(BZip2.compress(Array("another".utf8)))
        for piece in [7, 1 << 20] {
          #expect(try await read(stream, piece: piece) == plain)
          let both = stream + other + stream
          #expect(try await read(both, piece: piece) == plain + Array("another".utf8) + plain)
        }
      }
    }
  }

  @Test func `a bzip2 block that holds more marks than chance puts there is refused`() async throws
  {
    let held = (0..<10).flatMap { HeldStream.noise(40 + $0) + Self.marks[$0 % 2] }
    let stream = try HeldStream(held).bytes
    let plain = try BZip2.decompress(stream, limit: 1 << 20)
    #expect(!plain.isEmpty)
    await #expect(throws: CompressionError.damaged) { _ = try await read(stream, piece: 100) }
  }

  @Test func `a bzip2 block with a mark in it and a wrong bit behind that is damaged`() async throws
  {
    let held = HeldStream.noise(400) + Self.marks[0] + HeldStream.noise(400)
    var stream = try HeldStream(held).bytes
    stream[stream.count - 200] ^= 4
    await #expect(throws: CompressionError.damaged) { _ = try await read(stream, piece: 100) }
  }
}

private final class Feed: @unchecked Sendable {
  private var rest: ArraySlice<UInt8>
  private let piece: Int

  init(_ bytes: [UInt8], piece: Int) { (rest, self.piece) = (bytes[...], piece) }

  func next() -> [UInt8] {
    defer { rest = rest.dropFirst(piece) }
    return Array(rest.prefix(piece))
  }
}

/// A stream of one block in whose bits any bytes can be written: all of its 256 symbols have codes of
/// eight bits, which are their numbers. 0 and 1 stand for runs, 255 for the end.
private struct HeldStream {
  let bytes: [UInt8]

  static func noise(_ count: Int) -> [UInt8] {
    var state: UInt32 = 7
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(2 + (state >> 20) % 253)
    }
  }

  init(_ held: [UInt8]) throws {
    // Each symbol tells how far back in the line the next byte of the column stands.
    var order = (0..<254).map { UInt8($0) }
    let column = held.map { symbol in
      let byte = order.remove(at: Int(symbol) - 1)
      order.insert(byte, at: 0)
      return byte
    }
    // Sorted by their bytes, the places of the column lead from one to the next.
    let next = column.indices.sorted { (column[$0], $0) < (column[$1], $1) }
    var place = next[0]
    let plain = column.indices.map { _ in
      defer { place = next[place] }
      return column[place]
    }
    // The library tells the checksum.
    let checksum = try #require(BZip2.compress(plain))[10..<14].reduce(0) { $0 << 8 | Int($1) }
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) {
      bits += (0..<count).reversed().map { value >> $0 & 1 == 1 }
    }
    put(0x425A_6831, 32)
    put(Int(BlockScanner.blockMark), 48)
    put(checksum, 32)
    put(0, 25)
    put(0xFFFF, 16)
    for _ in 0..<15 { put(0xFFFF, 16) }
    put(0xFFFC, 16)
    let groups = (held.count + 1 + 49) / 50
    put(2, 3)
    put(groups, 15)
    put(0, groups)
    for _ in 0..<2 {
      put(8, 5)
      put(0, 256)
    }
    for symbol in held + [255] { put(Int(symbol), 8) }
    put(Int(BlockScanner.endMark), 48)
    put(checksum, 32)
    while bits.count % 8 != 0 { bits.append(false) }
    bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }
}
