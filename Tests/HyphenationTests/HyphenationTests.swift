import TestSupport
import Testing

@testable import Hyphenation

/// Our own, of a language with two words.
private let tiny = "UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\na1bc\nd1ef\né1xy\n"

private func parts(_ word: String, _ dictionary: [UInt8] = Array(tiny.utf8)) throws -> String {
  let rules = try #require(HyphenRules(dictionary))
  let bytes = Array("<\(word)>".utf8)
  var out = ""
  var from = 1
  for place in rules.places(in: bytes, 1..<(bytes.count - 1)) {
    out += String(decoding: bytes[from..<place], as: UTF8.self) + "-"
    from = place
  }
  return out + String(decoding: bytes[from..<(bytes.count - 1)], as: UTF8.self)
}

@Suite struct `A word` {
  @Test func `A word is parted where the dictionary says`() throws {
    #expect(try parts("xabcdefx") == "xa-bcd-efx")
    #expect(try parts("nothing") == "nothing")
  }

  @Test func `A word may be written in capitals`() throws {
    #expect(try parts("XABCdefx") == "XA-BCd-efx")
    #expect(try parts("OÉXYOO") == "OÉ-XYOO")
  }

  @Test func `A word has its places counted in bytes, whatever its letters take`() throws {
    #expect(try parts("ééabcoo") == "ééa-bcoo")
    #expect(try parts("oéxyabcoo") == "oé-xya-bcoo")
  }

  @Test func `A word keeps enough letters on both lines`() throws {
    #expect(try parts("abcoo") == "abcoo")
    #expect(try parts("ooabc") == "ooa-bc")
    #expect(try parts("oooabc", Array("UTF-8\nRIGHTHYPHENMIN 3\na1bc\n".utf8)) == "oooabc")
  }

  @Test func `A word is left whole where it would be spelled differently`() throws {
    let dictionary = "UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\nf1f/ff=f,1,2\na1bc\n"
    #expect(try parts("schiffahrt", Array(dictionary.utf8)) == "schiffahrt")
    #expect(try parts("oabcoffo", Array(dictionary.utf8)) == "oa-bcoffo")
  }

  @Test func `A word is left whole when it is no word or no text`() throws {
    #expect(try parts(String(repeating: "abc", count: 50)).contains("-") == false)
    let rules = try #require(HyphenRules(Array(tiny.utf8)))
    #expect(rules.places(in: [0x61, 0xFF, 0x62, 0x63, 0x64], 0..<5) == [])
    #expect(rules.places(in: [], 0..<0) == [])
  }
}

@Suite struct `A dictionary` {
  @Test func `A dictionary may be in an encoding of old days`() throws {
    let head = "ISO8859-1\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\n"
    let old = Array(head.utf8) + [0xE9, 0x31, 0x78, 0x0A]
    #expect(try parts("ooéxoo", old) == "ooé-xoo")
  }

  @Test(arguments: ["", "\n", "KLINGON-1\na1b\n", "UTF-16 and more than a name\na1b\n"])
  func `A dictionary that is none has no rules`(_ text: String) {
    #expect(HyphenRules(Array(text.utf8)) == nil)
  }

  @Test func `A dictionary is found by the language, the closest first`() {
    #expect(Hyphenation.names(of: "de-AT") == ["de_AT", "de", "de_DE"])
    #expect(Hyphenation.names(of: "EN") == ["en", "en_EN", "en_US"])
    #expect(Hyphenation.names(of: "zh-Hant-TW") == ["zh_TW", "zh", "zh_ZH"])
  }

  @Test(arguments: ["", "-", "../../etc", "e/", "en-../..", "x\u{0}y", "日本"])
  func `A dictionary is not looked for outside its folder`(_ language: String) {
    #expect(Hyphenation.names(of: language).allSatisfy { !$0.contains("/") && !$0.contains(".") })
  }

  @Test func `A dictionary is read once, beside whoever asks for it`() async throws {
    try await withTemporaryFolder { folder in
      try folder.write(Array(tiny.utf8), to: "hyph_qq.dic")
      let shelf = Hyphenation(folder: folder.path)
      #expect(shelf.rules(for: "qq-ZZ") == nil && shelf.rules(for: "rr") == nil)
      while shelf.arrived == 0 { await Task.yield() }
      let rules = try #require(shelf.rules(for: "qq-ZZ"))
      #expect(shelf.rules(for: "qq-ZZ") === rules)
      #expect(shelf.rulesNow(for: "qq-ZZ") === rules)
      #expect(shelf.rulesNow(for: "rr") == nil)
    }
  }
}
