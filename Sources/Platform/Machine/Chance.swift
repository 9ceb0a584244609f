import Synchronization

/// Where random numbers come from, as a value: tokens and jitter draw from the kernel, a simulation
/// draws from a seed and can be repeated from it.
package struct Chance: Sendable {
  private let draw: @Sendable () -> UInt64

  package init(draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

  /// The kernel's generator (getrandom); fit for keys and tokens.
  package static let system = Chance {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }

  /// The same numbers for the same seed, on every machine. Never for secrets.
  package static func seeded(_ seed: UInt64) -> Chance {
    let source = Seeded(seed)
    return Chance { source.next() }
  }

  package func next() -> UInt64 { draw() }

  package func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let word = draw()
      for shift in stride(from: UInt64(0), to: 64, by: 8) where bytes.count < count {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  package func number(in range: Range<Int>) -> Int {
    var generator = Generator(draw: draw)
    return Int.random(in: range, using: &generator)
  }

  /// From zero up to, but not, one.
  package func fraction() -> Double { Double(draw() >> 11) * 0x1p-53 }

  /// For the standard library's own functions: `shuffled(using:)`, `randomElement(using:)`.
  package var generator: Generator { Generator(draw: draw) }

  package struct Generator: RandomNumberGenerator {
    fileprivate let draw: @Sendable () -> UInt64
    package func next() -> UInt64 { draw() }
  }

  /// SplitMix64: one word of state, every seed is good, and the numbers are the published ones.
  private final class Seeded: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) { state = Mutex(seed) }

    func next() -> UInt64 {
      var mixed = state.withLock { state in
        state &+= 0x9E37_79B9_7F4A_7C15
        return state
      }
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
