import Compression
import Testing

@Suite struct GzipTests {
  static let text = Array(String(repeating: "a shelf for every card; ", count: 500).utf8)

  @Test(arguments: [Gzip.Level.fastest, .usual, .smallest])
  func `what was compressed comes back`(level: Gzip.Level) throws {
    let zipped = try #require(Gzip.compress(Self.text, level: level))
    #expect(zipped.count < Self.text.count / 10)
    #expect(zipped.prefix(2) == [0x1F, 0x8B])
    #expect(try Inflater.inflate(zipped, as: .gzip, limit: Self.text.count) == Self.text)
  }

  @Test func `equal input gives equal bytes`() {
    #expect(Gzip.compress(Self.text) == Gzip.compress(Self.text))
  }

  @Test func `nothing is a valid body too`() throws {
    let zipped = try #require(Gzip.compress([]))
    #expect(try Inflater.inflate(zipped, as: .gzip, limit: 0) == [])
  }

  @Test func `random bytes grow only a little`() throws {
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255) }
    let zipped = try #require(Gzip.compress(noise))
    #expect(try Inflater.inflate(zipped, as: .gzip, limit: noise.count) == noise)
  }
}
