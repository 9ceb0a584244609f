import Testing
import Text

@Suite struct `Text for a terminal` {
  @Test(arguments: [
    ("abc", 3), ("", 0), ("山路", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇳🇴", 2), ("❤\u{FE0F}", 2),
    ("a\u{AD}b", 2), ("ｆ", 2), ("שלום", 4), ("한국", 4), ("\u{200B}", 0),
  ])
  func `Text for a terminal is as wide as it is drawn`(_ pair: (String, Int)) {
    #expect(Clusters.cells(of: pair.0) == pair.1)
  }

  @Test func `Text for a terminal is cut between clusters`() {
    let bytes = Array("ae\u{301}👩‍👧b".utf8)
    #expect(Clusters.starts(in: bytes, 0..<bytes.count) == [0, 1, 4, 15])
    #expect(Clusters.starts(in: bytes, 1..<4) == [1])
    #expect(!Clusters.isBoundary(2, in: bytes, 0..<bytes.count))
    #expect(Clusters.isBoundary(4, in: bytes, 0..<bytes.count))
    #expect(!Clusters.isBoundary(8, in: bytes, 0..<bytes.count))
  }

  @Test func `Text for a terminal breaks where a line may end`() {
    func breaks(_ text: String) -> [Int] {
      let bytes = Array(text.utf8)
      return LineBreaks.all(in: bytes, 0..<bytes.count).map(\.at)
    }
    #expect(breaks("to be, or") == [3, 7])
    #expect(breaks("a\u{A0}b") == [])
    #expect(breaks("well-known") == [5])
    #expect(breaks("句読点。次") == [3, 6, 12])
  }

  @Test func `Text for a terminal says where a line must end`() {
    let bytes = Array("one\ntwo".utf8)
    let found = LineBreaks.all(in: bytes, 0..<bytes.count)
    #expect(found.map(\.at) == [3])
    #expect(found.map(\.1) == [.mandatory])
  }

  @Test func `Text for a terminal knows the ends of words`() {
    let bytes = Array("can’t stop".utf8)
    let bounds = (0...bytes.count).filter {
      WordBreaks.isBoundary($0, in: bytes, 0..<bytes.count)
    }
    #expect(bounds == [0, 7, 8, 12])
  }

  @Test func `Text for a terminal loses what a terminal would obey`() {
    #expect(Taming.tamed("a\u{1B}[31m\u{9B}b\u{202E}c\u{2066}d\u{7F}\u{2028}e") == "a[31mbcde")
    #expect(Taming.tamed("tab\tline\nnaïve “é” ‑ 山") == "tab\tline\nnaïve “é” ‑ 山")
  }

  @Test func `Text for a terminal counts as others count`() {
    let bytes = Array("a😀é".utf8)
    #expect(Scalars.utf16Length(bytes, 0..<bytes.count) == 4)
    #expect(Scalars.index(afterUTF16: 1, in: bytes, 0..<bytes.count) == 1)
    #expect(Scalars.index(afterUTF16: 2, in: bytes, 0..<bytes.count) == 1)
    #expect(Scalars.index(afterUTF16: 3, in: bytes, 0..<bytes.count) == 5)
    #expect(Scalars.index(afterUTF16: 99, in: bytes, 0..<bytes.count) == bytes.count)
  }

  @Test func `Text for a terminal is searched from a place on`() {
    let bytes = Array("ababa".utf8)
    #expect(ByteSearch.first(of: Array("aba".utf8), in: bytes, from: 1) == 2)
    #expect(ByteSearch.first(of: Array("abc".utf8), in: bytes, from: 0) == nil)
    #expect(ByteSearch.first(of: [], in: bytes, from: 0) == nil)
    #expect(ByteSearch.first(0x62, in: bytes, 2..<5) == 3)
    #expect(ByteSearch.first(0x62, in: bytes, 2..<3) == nil)
    #expect(ByteSearch.first(0x62, in: [], 0..<0) == nil)
  }
}

@Suite struct `A set of bytes` {
  @Test func `A set of bytes tells how far a text goes on with it`() {
    let letters = ByteSet { (0x61...0x7A).contains($0) }
    let bytes = Array("abc1d".utf8)
    #expect(letters.skip(bytes, from: 0, to: 5) == 3)
    #expect(letters.skip(bytes, from: 3, to: 5) == 3)
    #expect(letters.skip(bytes, from: 4, to: 5) == 5)
    #expect(letters.skip(bytes, from: 0, to: 2) == 2)
    #expect(letters.skip(bytes, from: 5, to: 5) == 5)
    #expect(letters.contains(0x61) && !letters.contains(0x31))
  }
}
