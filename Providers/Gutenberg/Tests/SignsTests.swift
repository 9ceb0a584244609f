import Testing

@testable import Gutenberg

@Suite struct `Signs looked for by eights` {
  /// Byte by byte, as the rule is said.
  private func isOdd(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x5D || $0 == 0xEF }
  }

  @Test(arguments: [UInt8](0...255))
  func `Signs looked for by eights are seen wherever they stand`(byte: UInt8) {
    for place in 0..<19 {
      // Neighbours on both sides of what is looked for, so that nothing is carried over.
      for filling: UInt8 in [0x20, 0x0A, 0x7F, 0x21, 0x5C, 0x5E] {
        var bytes = [UInt8](repeating: filling, count: 19)
        bytes[place] = byte
        let signs = Signs(of: bytes.span)
        #expect(signs.isOdd == isOdd(bytes))
        #expect(signs.isASCII == (byte < 0x80))
        #expect(signs.isText == (byte < 0x80))
      }
    }
  }

  @Test func `the eight-byte scan validates UTF-8 like the standard library at every offset`() {
    // Each length, the first and last character of it, halves, what is too long or too high, and
    // what lacks its end.
    let pieces: [[UInt8]] = [
      [0xC2, 0x80], [0xDF, 0xBF], [0xC1, 0xBF], [0xC0, 0x80], [0xE0, 0xA0, 0x80],
      [0xE0, 0x9F, 0xBF],
      [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
      [0xF0, 0x90, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0x80], [0xBF, 0x41],
      [0xE2, 0x82],
      [0xF0, 0x9F, 0x98], [0xC3], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x28, 0x80],
      [0xF0, 0x9F, 0x98, 0x28],
      [0x41], [0x0A], [],
    ]
    var known: Set<Bool> = []
    for first in pieces {
      for second in pieces {
        for place in 0..<10 {
          let bytes = Array(repeating: 0x61, count: place) + first + [0x62] + second
          for bytes in [bytes, bytes + Array(repeating: 0x63, count: 9)] {
            let isText = (try? UTF8Span(validating: bytes.span)) != nil
            known.insert(isText)
            #expect(Signs(of: bytes.span).isText == isText, "\(bytes)")
            #expect(Signs(of: bytes.span).isOdd == isOdd(bytes), "\(bytes)")
          }
        }
      }
    }
    #expect(known.count == 2)
  }
}
