import Testing

@testable import Gutenberg

@Suite struct `Signs looked for by eights` {
  /// Byte by byte, as the rule is said.
  private func isOdd(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x5D || $0 == 0xEF }
  }

  @Test(arguments: [UInt8](0...255))
  func `are seen wherever they stand`(byte: UInt8) {
    for place in 0..<19 {
      // Neighbours on both sides of what is looked for, so that nothing is carried over.
      for filling: UInt8 in [0x20, 0x0A, 0x7F, 0x21, 0x5C, 0x5E] {
        var bytes = [UInt8](repeating: filling, count: 19)
        bytes[place] = byte
        let signs = Signs(of: bytes.span)
        #expect(signs.isOdd == isOdd(bytes))
        #expect(signs.isASCII == (byte < 0x80))
      }
    }
  }
}
