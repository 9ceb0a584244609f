/// The checksum of bzip2: that of Ethernet with the highest bit first, sixteen bytes at a time.
struct BlockChecksum: Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  var value: UInt32 { ~register }

  /// Sixteen tables of 256, one behind the other: what a byte does that many bytes before the last.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var sum = UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
      tables[byte] = sum
    }
    for index in 256..<(16 * 256) {
      let before = tables[index - 256]
      tables[index] = before << 8 ^ tables[Int(before >> 24)]
    }
    return tables
  }()

  mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    register = unsafe Self.tables.withUnsafeBufferPointer { tables in
      var sum = register
      var index = 0
      guard let from = bytes.baseAddress, let table = tables.baseAddress else { return sum }
      while index + 16 <= bytes.count {
        let words = unsafe UnsafeRawPointer(from + index)
        let high = unsafe words.loadUnaligned(as: UInt64.self).bigEndian ^ UInt64(sum) << 32
        let low = unsafe words.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
        sum = unsafe Self.eight(high, table + 8 * 256) ^ Self.eight(low, table)
        index += 16
      }
      while index < bytes.count {
        let byte = unsafe UInt32(from[index])
        sum = unsafe sum << 8 ^ table[Int(sum >> 24 ^ byte)]
        index += 1
      }
      return sum
    }
  }

  /// What eight bytes do, the last of them by the first of these tables.
  @inline(__always)
  private static func eight(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
    let first =
      unsafe table[7 * 256 + Int(word >> 56)] ^ table[6 * 256 + Int(word >> 48 & 0xFF)]
      ^ table[5 * 256 + Int(word >> 40 & 0xFF)] ^ table[4 * 256 + Int(word >> 32 & 0xFF)]
    return unsafe first ^ table[3 * 256 + Int(word >> 24 & 0xFF)]
      ^ table[2 * 256 + Int(word >> 16 & 0xFF)] ^ table[256 + Int(word >> 8 & 0xFF)]
      ^ table[Int(word & 0xFF)]
  }
}
