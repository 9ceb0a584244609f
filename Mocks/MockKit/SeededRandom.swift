/// Chance that can be had again: the same seed gives the same numbers on any machine
/// (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A stream of its own for one named thing, so that adding titles does not shift the patrons.
  package init(seed: UInt64, for name: String) {
    // FNV-1a, as Swift's own hashing changes from run to run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = seed &+ hash
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, `bound`. Slightly uneven, which no test minds.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number from 0 up to 1.
  package mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  package mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  package mutating func digits(_ count: Int) -> String {
    String((0..<count).map { _ in Character(String(below(10))) })
  }

  /// In the shape of a UUID, version 4, in lower case.
  package mutating func guid() -> String {
    var hex = (0..<32).map { _ in Self.hexDigits[below(16)] }
    hex[12] = "4"
    hex[16] = Self.hexDigits[8 + below(4)]
    for at in [8, 13, 18, 23] { hex.insert("-", at: at) }
    return String(hex)
  }

  /// Random characters of the URL-safe alphabet, as tokens are made of.
  package mutating func token(_ length: Int) -> String {
    String((0..<length).map { _ in Self.tokenAlphabet[below(64)] })
  }

  private static let hexDigits = Array("0123456789abcdef")
  private static let tokenAlphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}
