import Synchronization
import Testing

@testable import Compression

@Suite struct `bzip2 on several cores` {
  private func text(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 27) + 97
    }
  }

  private func read(_ packed: [UInt8], piece: Int = 10_000, limit: Int = .max) async
    -> (out: [UInt8], fault: CompressionError?)
  {
    let rest = Mutex(packed[...])
    let reader = BZip2Reader(limit: limit, ahead: 4) {
      rest.withLock { rest in
        let next = Array(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        return next
      }
    }
    var out: [UInt8] = []
    do {
      while let piece = try await reader.next() { out += piece }
      return (out, nil)
    } catch { return (out, error) }
  }

  private func packed(_ bytes: [UInt8], level: Int = 1) throws -> [UInt8] {
    try #require(BZip2.compress(bytes, level: level))
  }

  @Test(arguments: [0, 1, 99_000, 450_000])
  func `bzip2 on several cores gives back what went in, block by block and in order`(_ count: Int)
    async throws
  {
    let plain = text(count)
    let (out, fault) = await read(try packed(plain))
    #expect(fault == nil)
    #expect(out == plain)
    #expect(try BZip2.decompress(try packed(plain), limit: 1 << 20) == plain)
  }

  @Test func `bzip2 on several cores comes in pieces of any size`() async throws {
    let plain = text(120_000)
    for piece in [1, 7, 1 << 20] {
      #expect(await read(try packed(plain), piece: piece).out == plain)
    }
  }

  @Test func `bzip2 on several cores goes on with the stream that follows`() async throws {
    let (one, other) = (text(150_000), Array("another".utf8))
    let (out, fault) = await read(try packed(one) + packed([]) + packed(other, level: 9))
    #expect(fault == nil)
    #expect(out == one + other)
  }

  @Test func `bzip2 on several cores cut short gives all blocks that are whole`() async throws {
    let plain = text(450_000)
    let all = try packed(plain)
    let (out, fault) = await read(Array(all.prefix(all.count * 3 / 5)))
    #expect(fault == .truncated)
    #expect(out.count >= 190_000 && plain.starts(with: out))
    #expect(await read(Array(all.dropLast())).fault == .truncated)
    #expect(await read(Array(all.prefix(3))).fault == .truncated)
  }

  @Test func `bzip2 on several cores with a wrong byte gives what stands before it`() async throws {
    let plain = text(450_000)
    var all = try packed(plain)
    all[all.count / 2] ^= 0x10
    let (out, fault) = await read(all)
    #expect(fault == .damaged)
    #expect(!out.isEmpty && out.count < plain.count && plain.starts(with: out))
  }

  @Test func `bzip2 on several cores with blocks that are right and a sum that is not is damaged`()
    async throws
  {
    var all = try packed(text(10))
    // The last four bytes hold the sum over all blocks, and perhaps some bits of filling.
    all[all.count - 3] ^= 0xFF
    #expect(await read(all).fault == .damaged)
  }

  @Test func `bzip2 on several cores followed by something else says so at the end`() async throws {
    let plain = text(10)
    let (out, fault) = await read(try packed(plain) + [1, 2, 3, 4, 5])
    #expect(out == plain)
    #expect(fault == .trailingBytes)
    #expect(await read([1, 2, 3, 4]).fault == .damaged)
  }

  @Test func `bzip2 on several cores that is a bomb is stopped at the limit and never held`()
    async throws
  {
    let bomb = try packed([UInt8](repeating: 0, count: 40 << 20), level: 9)
    #expect(bomb.count < 1000)
    let (out, fault) = await read(bomb, limit: 3 << 20)
    #expect(fault == .tooLarge(limit: 3 << 20))
    #expect(out.count <= 3 << 20)
    #expect(await read(bomb).out.count == 40 << 20)
  }

  /// Lengths around where a run is written down.
  @Test func `bzip2 on several cores gives back runs of every length`() async throws {
    var plain: [UInt8] = []
    for length in Array(0...12) + [251, 255, 256, 258, 259, 260, 262, 263, 70_000] {
      plain += [UInt8](repeating: UInt8(length & 1), count: length) + [7]
    }
    plain += [UInt8](repeating: 9, count: 300_000)
    for level in [1, 9] {
      let (out, fault) = await read(try packed(plain, level: level))
      #expect(fault == nil)
      #expect(out == plain)
    }
  }

  /// One symbol, all bytes, and codes of every length.
  @Test func `bzip2 on several cores gives back texts of any letters`() async throws {
    let all = (0..<3).flatMap { _ in (UInt8.min...UInt8.max) }
    let steep = (0..<18).flatMap { [UInt8](repeating: UInt8($0), count: 1 << $0) }
    let mixed = steep.indices.map { steep[$0 &* 40_503 % steep.count] }
    for plain in [[1], [1, 2], [UInt8](repeating: 3, count: 3), all, mixed] {
      let (out, fault) = await read(try packed(plain, level: 3))
      #expect(fault == nil)
      #expect(out == plain)
    }
  }

  /// All turns of such a block occur many times, and its bytes lead round in short rings.
  @Test func `bzip2 on several cores gives back texts that repeat themselves from end to end`()
    async throws
  {
    let longer = text(3001)
    for (part, times) in [([1, 2], 20_000), ([1, 2, 3], 33_333), (longer, 300), (longer, 1)] {
      let plain = (0..<times).flatMap { _ in part }
      let (out, fault) = await read(try packed(plain, level: 9))
      #expect(fault == nil)
      #expect(out == plain)
    }
  }

  @Test func `bzip2 data with any wrong bit gives the original or an error, never other data`()
    async throws
  {
    let plain = text(3000)
    let all = try packed(plain)
    for bit in stride(from: 32, to: all.count * 8, by: 37) {
      var wrong = all
      wrong[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      let (out, fault) = await read(wrong)
      // Filling behind the last sum means nothing.
      #expect(fault != nil || out == plain)
      #expect(plain.starts(with: out))
    }
  }

  /// A stream of nothing has 14 bytes, so a small file holds hundreds of thousands of them.
  @Test func `the time for empty bzip2 streams grows with their number and not with its square`()
    async throws
  {
    let empty = try packed([])
    func least(_ count: Int, _ work: ([UInt8]) async throws -> Void) async throws -> Duration {
      let bytes = [UInt8]((0..<count).map { _ in empty }.joined())
      var least = Duration.seconds(3600)
      for _ in 0..<2 {
        let start = ContinuousClock.now
        try await work(bytes)
        least = min(least, ContinuousClock.now - start)
      }
      return least
    }
    let works: [([UInt8]) async throws -> Void] = [
      { bytes in
        let (out, fault) = await self.read(bytes, piece: 1 << 20)
        #expect(out.isEmpty && fault == nil)
      },
      { bytes in
        let out = try BZip2.decompress(bytes, limit: 1)
        #expect(out.isEmpty)
      },
    ]
    for work in works {
      let (few, many) = (try await least(8000, work), try await least(64_000, work))
      #expect(many < few * 24, "\(few) for 8,000 and \(many) for 64,000")
    }
  }

  @Test func `bzip2 on several cores has a version`() {
    #expect(bzip2Version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
  }
}
