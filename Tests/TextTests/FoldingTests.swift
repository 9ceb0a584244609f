import Testing
import Text

@Suite struct `Folded text` {
  private func folded(_ text: String, keeping differences: Folding.Differences = []) -> String {
    var folding = Folding(keeping: differences)
    return String(decoding: folding.query(text), as: UTF8.self)
  }

  @Test(arguments: [
    ("CAFÉ", "cafe"), ("Cafe\u{301}", "cafe"), ("Straße", "strasse"), ("Łódź", "lodz"),
    ("ﬁn oﬃce", "fin office"), ("Œuvre æon", "oeuvre aeon"), ("soft\u{AD}hyphen", "softhyphen"),
    ("zero\u{200B}width\u{2060}\u{FEFF}", "zerowidth"), ("ｆｕｌｌ", "full"),
    ("İstanbul ılık", "istanbul ilik"),
    ("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", "οδυσσευσ οδυσσευσ"), ("H₂O", "h2o"), ("ﷺ", "صلى الله عليه وسلم"),
  ])
  func `Folded text compares letters without what is drawn on them`(_ pair: (String, String)) {
    #expect(folded(pair.0) == pair.1)
  }

  @Test(arguments: [
    ("‘it’s’ “so”", "'it's' \"so\""), ("a—b – c‑d", "a-b - c-d"),
    ("  a \u{A0}\t\n b  ", "a b"), ("\u{3000}a\u{2003}b", "a b"), ("…", "..."),
  ])
  func `Folded text has the marks of a keyboard and single blanks`(_ pair: (String, String)) {
    #expect(folded(pair.0) == pair.1)
  }

  @Test(arguments: [
    ("مَرْحَبـا", "مرحبا"), ("שָׁלוֹם", "שלום"), ("한국어", "한국어"), ("दुनिया", "दुनिया"),
  ])
  func `Folded text drops points of vowels where they are optional, and only there`(
    _ pair: (String, String)
  ) {
    #expect(folded(pair.0) == pair.1)
  }

  @Test func `Folded text keeps differences that are asked for`() {
    #expect(folded("Café", keeping: .letterCase) == "Cafe")
    #expect(folded("Łódź", keeping: .letterCase) == "Lodz")
    #expect(folded("CAFÉ", keeping: .marks) == "cafe\u{301}")
  }

  @Test func `Folded text tells of each letter where it comes from`() {
    let text = Array("aﬁ\u{AD}  ß.".utf8)
    var folding = Folding()
    var out: [UInt8] = []
    var origins: [Int32] = []
    folding.append(text, 0..<text.count, to: &out, origins: &origins)
    #expect(String(decoding: out, as: UTF8.self) == "afi ss.")
    #expect(origins == [0, 1, 1, 6, 8, 8, 10])
  }

  @Test func `Folded text is the same with and without its origins, for all of the first plane`() {
    var folding = Folding()
    for value in UInt32(0)..<0x10000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array("a\(scalar)b".utf8)
      var (plain, mapped) = ([UInt8](), [UInt8]())
      var origins: [Int32] = []
      folding.append(bytes, 0..<bytes.count, to: &plain)
      folding.append(bytes, 0..<bytes.count, to: &mapped, origins: &origins)
      #expect(plain == mapped && origins.count == mapped.count)
      #expect(origins == origins.sorted())
    }
  }

  @Test func `Folded text of anything but letters is nothing`() {
    #expect(folded(" \u{AD}\u{200B}\t ").isEmpty)
  }

  @Test func `Folded text survives bytes that are no text`() {
    var folding = Folding()
    var out: [UInt8] = []
    for bytes in [[0xFF], [0xE2, 0x80], [0xC3], [0xF0, 0x9F, 0x41], [0xED, 0xA0, 0x80]] as [[UInt8]]
    {
      folding.append(bytes, 0..<bytes.count, to: &out)
    }
    #expect(!out.isEmpty)
  }
}
