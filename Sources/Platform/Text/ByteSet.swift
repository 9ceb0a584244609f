/// Some of the 256 bytes, and how far a text goes on with nothing else: the innermost loop of all
/// reading.
package struct ByteSet: Sendable {
  private let table: [Bool]

  package init(where holds: (UInt8) -> Bool) { table = (0..<256).map { holds(UInt8($0)) } }

  package func contains(_ byte: UInt8) -> Bool { table[Int(byte)] }

  /// The first place from `start` on whose byte is not in the set, or `end`.
  package func skip(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
    guard start >= 0, start < end, end <= bytes.count else { return end }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe table.withUnsafeBufferPointer { table in
        var place = start
        while place < end, unsafe table[Int(bytes[place])] { place += 1 }
        return place
      }
    }
  }
}
