/// One of the Huffman codes of a block: symbols of few bits are looked up at once, the others found
/// by their length.
struct BlockCode {
  static let quickBits = 10
  static let longest = 20

  /// For the next ten bits a symbol and, in the lowest five, its length; 0 where it is longer.
  private(set) var quick = [UInt16](repeating: 0, count: 1 << quickBits)
  /// For each length the first code behind those of it, moved to the left of twenty bits.
  private(set) var ends = [UInt32](repeating: 0, count: longest + 1)
  /// What leads from a code of a length to its place among the symbols.
  private(set) var offsets = [Int32](repeating: 0, count: longest + 1)
  private(set) var symbols: [UInt16] = []

  /// Nil where the lengths ask for more codes than there are.
  init?(lengths: [UInt8]) {
    var code: UInt32 = 0
    for length in 1...Self.longest {
      offsets[length] = Int32(symbols.count) - Int32(code)
      for (symbol, its) in lengths.enumerated() where its == UInt8(length) {
        guard code < 1 << UInt32(length) else { return nil }
        symbols.append(UInt16(symbol))
        if length <= Self.quickBits {
          let free = Self.quickBits - length
          let entry = UInt16(symbol) << 5 | UInt16(length)
          for low in 0..<(1 << free) { quick[Int(code) << free | low] = entry }
        }
        code += 1
      }
      ends[length] = code << UInt32(Self.longest - length)
      code <<= 1
    }
  }

  /// A symbol whose code is longer than those looked up, and its length; nil where there is none.
  func long(_ bits: UInt32) -> (symbol: Int, length: Int)? {
    for length in (Self.quickBits + 1)...Self.longest where bits < ends[length] {
      let place = Int(bits >> UInt32(Self.longest - length)) + Int(offsets[length])
      guard symbols.indices.contains(place) else { return nil }
      return (Int(symbols[place]), length)
    }
    return nil
  }
}
