import Testing

@testable import Matching

@Suite struct `Plain words` {
  /// A letter beyond ASCII at the end sends the same text the long way.
  @Test(arguments: [
    "The Wheel of Time", "l'Etranger", "L`Assommoir & d'autres + 2", "It's 1984 -- again!", "",
    "d'", "a''b", "&&", "\u{7F}x\u{0}y", "AT&T's Q.E.D.", String(repeating: "ab c", count: 149),
  ])
  func `Plain words are those of the long way`(_ text: String) {
    #expect(Words.of(text) + ["e"] == Words.of(text + " é"))
    #expect(Words.of(text[...]) == Words.of(text))
  }
}

@Suite struct `Words that are compared` {
  @Test(arguments: [
    ("realise", "realize"), ("realised", "realized"), ("realising", "realizing"),
    ("organisation", "organization"), ("colour", "color"),
  ])
  func `British spellings are compared as American ones`(_ word: String, _ common: String) {
    #expect(Spelling.common(word) == common)
  }

  @Test(arguments: ["wise", "rise", "raise", "noise", "arise", "vision"])
  func `words that only end as British spellings do stay as they are when they are short`(
    _ word: String
  ) {
    #expect(Spelling.common(word) == word)
  }

  @Test(arguments: [
    ("2", true), ("1984", true), ("2nd", true), ("4th", true), ("level", false), ("month", false),
    ("th", false), ("", false),
  ])
  func `a word is a number when it is all digits or an ordinal in digits`(
    _ word: String, _ isNumber: Bool
  ) {
    #expect(Numerals.isNumber(word) == isNumber)
  }

  @Test(arguments: [
    ("上", 1), ("下巻", 3), ("第2巻", 2), ("卷一", 1), ("3권", 3), ("十巻", 10), ("第十二巻", 12),
    ("二十巻", 20), ("卷二十三", 23), ("九十九冊", 99),
  ])
  func `volumes are counted as Chinese, Japanese and Korean titles count them`(
    _ word: String, _ volume: Int
  ) {
    #expect(Numerals.volume(word) == volume)
  }

  @Test(arguments: ["巻", "十", "十十十巻", "一二巻", "人巻", "volume", "2"])
  func `words that count no volume in Chinese or Japanese are not read as one`(_ word: String) {
    #expect(Numerals.volume(word) == nil)
  }
}
