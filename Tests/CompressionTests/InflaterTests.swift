import Compression
import Testing

@Suite struct InflaterTests {
  static let text = GzipTests.text

  @Test func `input may come byte by byte`() throws {
    let zipped = try #require(Gzip.compress(Self.text))
    var inflater = try Inflater(.gzip, limit: 1 << 20)
    var out: [UInt8] = []
    for byte in zipped { out += try inflater.inflate([byte]) }
    try inflater.finish()
    #expect(out == Self.text)
  }

  @Test func `reaching the limit is allowed, passing it is not`() throws {
    let zipped = try #require(Gzip.compress(Self.text))
    #expect(try Inflater.inflate(zipped, as: .gzip, limit: Self.text.count) == Self.text)
    #expect(throws: CompressionError.tooLarge(limit: Self.text.count - 1)) {
      try Inflater.inflate(zipped, as: .gzip, limit: Self.text.count - 1)
    }
  }

  @Test func `a bomb stops at the limit`() throws {
    let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 50 << 20)))
    #expect(bomb.count < 100_000)
    #expect(throws: CompressionError.tooLarge(limit: 1000)) {
      try Inflater.inflate(bomb, as: .gzipOrZlib, limit: 1000)
    }
  }

  @Test func `no limit at all is a limit too`() throws {
    let zipped = try #require(Gzip.compress(Self.text))
    #expect(try Inflater.inflate(zipped, as: .gzip, limit: .max) == Self.text)
  }

  @Test func `a stream cut short is an error`() throws {
    let zipped = try #require(Gzip.compress(Self.text))
    #expect(throws: CompressionError.truncated) {
      try Inflater.inflate(zipped.dropLast(1) + [], as: .gzip, limit: 1 << 20)
    }
    #expect(throws: CompressionError.truncated) {
      try Inflater.inflate([], as: .gzip, limit: 1 << 20)
    }
  }

  @Test func `a wrong checksum is an error`() throws {
    var zipped = try #require(Gzip.compress(Self.text))
    zipped[zipped.count - 5] ^= 1
    #expect(throws: CompressionError.damaged) {
      try Inflater.inflate(zipped, as: .gzip, limit: 1 << 20)
    }
  }

  @Test func `what is to come to a size comes to that or to nothing`() throws {
    let zipped = Array(try #require(Gzip.compress(Self.text)).dropFirst(10).dropLast(8))
    let size = Self.text.count
    #expect(Inflater.inflate(zipped, to: size) == Self.text)
    #expect(Inflater.inflate(zipped, to: size - 1) == nil)
    #expect(Inflater.inflate(zipped, to: size + 1) == nil)
    #expect(Inflater.inflate(zipped, to: 0) == nil)
    #expect(Inflater.inflate(zipped, to: -1) == nil)
    #expect(Inflater.inflate(zipped.dropLast(1) + [], to: size) == nil)
    #expect(Inflater.inflate(zipped + [0], to: size) == nil)
    #expect(Inflater.inflate([], to: size) == nil)
    #expect(Inflater.inflate([3, 0], to: 0) == [])
  }

  @Test func `what is no gzip is an error`() {
    #expect(throws: CompressionError.damaged) {
      try Inflater.inflate(Array("plain text".utf8), as: .gzip, limit: 1 << 20)
    }
  }

  @Test func `gzip members follow one another`() throws {
    let one = try #require(Gzip.compress(Array("one ".utf8)))
    let two = try #require(Gzip.compress(Array("two".utf8)))
    #expect(
      try Inflater.inflate(one + two, as: .gzip, limit: 100) == Array("one two".utf8))
  }

  @Test func `every flip of a bit ends in an error or in other bytes, never in a crash`() throws {
    let zipped = try #require(Gzip.compress(Array(Self.text.prefix(200))))
    for index in zipped.indices {
      for bit in 0..<8 {
        var flipped = zipped
        flipped[index] ^= 1 << UInt8(bit)
        _ = try? Inflater.inflate(flipped, as: .gzip, limit: 1000)
      }
    }
  }

  @Test func `raw and zlib streams are read`() throws {
    // "hello", as zlib and as raw deflate.
    let zlib: [UInt8] = [
      0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06, 0x2C, 0x02, 0x15,
    ]
    let hello = Array("hello".utf8)
    #expect(try Inflater.inflate(zlib, as: .zlib, limit: 5) == hello)
    #expect(try Inflater.inflate(zlib, as: .gzipOrZlib, limit: 5) == hello)
    #expect(try Inflater.inflate(Array(zlib[2..<9]), as: .raw, limit: 5) == hello)
  }

  @Test func `bytes behind a zlib stream are an error`() {
    let zlib: [UInt8] = [
      0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06, 0x2C, 0x02, 0x15, 0x00,
    ]
    #expect(throws: CompressionError.trailingBytes) {
      try Inflater.inflate(zlib, as: .zlib, limit: 100)
    }
  }

  @Test func `the checksum is the known one, in one piece or several`() {
    #expect(CRC32(Array("123456789".utf8)).value == 0xCBF4_3926)
    var pieces = CRC32()
    pieces.update(Array("1234".utf8))
    pieces.update(Array("56789".utf8))
    #expect(pieces == CRC32(Array("123456789".utf8)))
    #expect(CRC32().value == 0)
  }
}
