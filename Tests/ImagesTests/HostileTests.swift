import Machine
import Pictures
import Testing

@testable import Images

/// Bytes from strangers: whatever they are, there is a picture or a fault, and soon.
@Suite struct `Spoilt pictures` {
  private static let whole: [(name: String, bytes: [UInt8])] = {
    guard let picture = try? Sample.picture(), let jpeg = try? picture.jpeg(),
      let png = try? picture.png()
    else { return [] }
    return [
      ("jpeg", jpeg), ("png", png), ("gif", Sample.gif(screen: (8, 8), frame: (8, 8))),
      ("webp", Sample.webp),
    ]
  }()

  private func develop(_ bytes: [UInt8]) -> Bool {
    do throws(ImageFault) {
      let picture = try Picture(decoding: bytes, ImageLimits(pixels: 1_000_000))
      let small = try picture.scaled(toFit: 20, 20).onWhite()
      return try !small.jpeg().isEmpty
    } catch {
      return false
    }
  }

  @Test func `Spoilt pictures are whole to begin with`() {
    #expect(Self.whole.count == 4)
    for (name, bytes) in Self.whole { #expect(develop(bytes), "\(name)") }
  }

  @Test func `Spoilt pictures cut anywhere are a picture or a fault`() {
    var torn = 0
    for (_, bytes) in Self.whole {
      let step = max(1, bytes.count / 150)
      for count in stride(from: 0, to: bytes.count, by: step) {
        torn += develop(Array(bytes.prefix(count))) ? 0 : 1
      }
    }
    #expect(torn > 100)
  }

  @Test func `Spoilt pictures with bits turned are a picture or a fault`() {
    let chance = Chance.seeded(7)
    var survived = 0
    for (_, bytes) in Self.whole {
      for _ in 0..<250 {
        var spoilt = bytes
        for _ in 0...chance.number(in: 0..<6) {
          spoilt[chance.number(in: 0..<bytes.count)] ^= UInt8(1 << chance.number(in: 0..<8))
        }
        survived += develop(spoilt) ? 1 : 0
      }
    }
    #expect(survived > 0)
  }

  @Test func `Spoilt pictures put together from others are a picture or a fault`() {
    let chance = Chance.seeded(11)
    var tried = 0
    for (_, one) in Self.whole {
      for (_, other) in Self.whole {
        for _ in 0..<20 {
          let head = one.prefix(chance.number(in: 8..<one.count))
          let tail = other.suffix(chance.number(in: 1..<other.count))
          _ = develop(Array(head + tail))
          tried += 1
        }
      }
    }
    #expect(tried == 320)
  }

  @Test func `Spoilt pictures that are only a beginning of each kind are faults`() {
    let beginnings: [[UInt8]] = Self.whole.map { Array($0.bytes.prefix(8)) }
    for bytes in beginnings {
      #expect(!develop(bytes))
      #expect(!develop(bytes + [UInt8](repeating: 0xFF, count: 4000)))
      #expect(!develop(bytes + [UInt8](repeating: 0, count: 4000)))
    }
  }
}
