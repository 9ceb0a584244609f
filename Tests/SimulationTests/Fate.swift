/// Chance that is the same for the same seed and the same words, whoever asks first: so that what
/// befalls one library does not depend on which of several was asked before.
struct Fate: Sendable {
  let seed: UInt64

  /// From nought up to, but not including, `count`.
  func draw(_ words: String, _ count: Int) -> Int {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xCBF2_9CE4_8422_2325
    for byte in words.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    state &+= 0x9E37_79B9_7F4A_7C15
    state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((state ^ (state >> 31)) % UInt64(count))
  }

  func pick<Element>(_ words: String, _ list: [Element]) -> Element {
    list[draw(words, list.count)]
  }
}
