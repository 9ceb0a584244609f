import Testing
import Text

@Suite struct `Plain bytes` {
  private static let samples = [
    "plain words all the way to the end", "two  blanks", "ends with a blank ", "tab\tin it",
    "line\nends\nin it and then more than eight", "\u{7F}", "naïve “curly” and — dashes", "山と川",
    "exactly8", "sevenis", "a blank at 8 a", "eight at the very end é", "\u{1}", "",
    "CAPITALS And `ticks` Of ALL [kinds] @ {odd} ~places~ ^ _Z_ zZ",
  ]

  private func place(_ bytes: [UInt8], _ start: Int, _ end: Int, _ holds: (UInt8) -> Bool) -> Int {
    (start..<end).first { !holds(bytes[$0]) } ?? end
  }

  @Test(arguments: samples)
  func `Plain bytes end where the first other byte stands, wherever one begins`(_ text: String) {
    let bytes = Array(text.utf8)
    for start in 0..<bytes.count {
      for end in start..<bytes.count {
        let printable = place(bytes, start, end) { (0x20..<0x7F).contains($0) }
        #expect(PlainBytes.printable(bytes, from: start, to: end) == printable)
        let ascii = place(bytes, start, end) { $0 < 0x80 }
        #expect(PlainBytes.ascii(bytes, from: start, to: end) == ascii)
        let comma = bytes[start..<end].firstIndex(of: 0x65)
        #expect(ByteSearch.first(0x65, in: bytes, start..<end) == comma)
      }
    }
  }

  /// Two blanks in a row, and what is no letter, are left to those who know what to do with them.
  @Test(arguments: samples)
  func `Plain bytes are words as far as single blanks part them`(_ text: String) {
    let bytes = Array(text.utf8)
    for start in bytes.indices where bytes[start] > 0x20 {
      let found = PlainBytes.words(bytes, from: start, to: bytes.count)
      let words = bytes[start..<found]
      #expect(words.allSatisfy { (0x20..<0x7F).contains($0) })
      #expect(!zip(words, words.dropFirst()).contains { $0 == 0x20 && $1 == 0x20 })
      #expect(found == start || bytes[found - 1] != 0x20)
    }
  }

  @Test func `Plain bytes are words nearly to the end of what is only words`() {
    let bytes = Array(String(repeating: "sea and ship ", count: 40).utf8)
    #expect(PlainBytes.words(bytes, from: 0, to: bytes.count) > bytes.count - 9)
  }

  @Test func `Plain bytes are XML where every character is one of XML`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value)
      let isAllowed = !isControl && value != 0xFFFE && value != 0xFFFF
      guard PlainBytes.isXML(Array(String(scalar).utf8)) != isAllowed else { continue }
      Issue.record("\(value)")
    }
  }

  /// All that can begin with two bytes, with what may follow them.
  @Test func `Plain bytes are not XML where they are not UTF-8`() {
    let ends: [[UInt8]] = [
      [], [0x7F], [0x80], [0xBD], [0xC0], [0x80, 0x80], [0xBD, 0xBD], [0x80, 0x7F],
      [0x80, 0x80, 0x80],
    ]
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0x20)...0xFF {
        for end in ends {
          let bytes = Array("before ".utf8) + [first, second] + end
          let isText = String(validating: bytes, as: UTF8.self) != nil
          if PlainBytes.isXML(bytes) != isText { Issue.record("\(bytes)") }
        }
      }
    }
  }

  @Test(arguments: samples)
  func `Plain bytes fold as letters fold one by one`(_ text: String) {
    let bytes = Array((text + text.uppercased()).utf8)
    for differences in [[], .letterCase] as [Folding.Differences] {
      var folding = Folding(keeping: differences)
      for start in bytes.indices where bytes[start] & 0xC0 != 0x80 {
        var (whole, single): ([UInt8], [UInt8]) = (Array("x ".utf8), Array("x ".utf8))
        var origins: [Int32] = [0, 0]
        folding.append(bytes, start..<bytes.count, to: &whole)
        folding.append(bytes, start..<bytes.count, to: &single, origins: &origins)
        #expect(whole == single)
      }
    }
  }
}
