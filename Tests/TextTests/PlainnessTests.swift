import Testing
import Text

@Suite struct `Names that people type` {
  @Test(arguments: [
    ("2300-00 a", "2300-00 a"), ("２３００", "2300"), ("٢٣۰۰", "2300"), ("𝟚𝟛", "23"), ("②³", "23"),
    ("2\u{200B}3\u{FEFF}\u{AD}\u{FE0F}0\u{E0100}\u{34F}0", "2300"), ("\t2\u{A0}3\u{3000}", " 2 3 "),
    ("mu\u{308}ller", "müller"), ("Straße", "Straße"), ("ﬁn", "fin"), ("ｔｏｗｎ／１", "town/1"),
    ("Ада", "Ада"), ("שָׁלוֹם", "שָׁלוֹם"), ("한국", "한국"),
    ("さくら", "さくら"), ("ｻｸﾗ", "サクラ"), ("ｶﾞ", "ガ"), ("佐々木", "佐々木"), ("สมชาย", "สมชาย"), ("कमल", "कमल"),
  ])
  func `a name is read as it is typed, but for invisible characters and other forms of digits`(
    typed: String, plain: String
  ) {
    #expect(Plainness.plain(typed) == plain)
  }

  @Test(arguments: [
    "a\0", "\u{1}", "\u{7F}", "\u{9F}", "🅰", "ꝺ", "\u{363}", "½", "·", "〆", "㇏", "𐌀",
  ])
  func `what no name has, or what may be other letters in unknown ways, is no name`(_ typed: String)
  {
    #expect(Plainness.plain(typed) == nil && Plainness.loose(typed) == nil)
  }

  @Test(arguments: [
    ["23", "２-3", "2 ③", "❷3", "2\u{301}3", "二三"],
    ["MÜLLER", "muller", "Mueller", "mül.ler", "mu\u{308}ller"],
    ["straße", "STRASSE", "strase", "ſtrase"], ["æs", "aes", "ǣs", "as", "ås"],
    ["łøđ", "lod", "lœd", "ŁÖÐ"], ["שלום", "שלומ"], ["Ґанок", "ганок"], ["ΌΣ", "ος", "οσ"],
    ["مرحبا", "مَرْحَبـا"], ["علي", "على", "علی", "ﻋﻠﻲ"],
    ["さくら", "サクラ", "ｻｸﾗ", "ざぐら", "さくらー", "さくらあ"],
    ["カード", "かあど", "ｶｰﾄﾞ", "ヵート"], ["こころ", "こゝろ", "ゴコロ"], ["佐々木", "佐佐木"],
    ["เกม", "กเม", "กาม", "ก็ม"], ["क़लम", "\u{958}लम", "कलम", "कलाम"],
    ["ქართული", "ᲥᲐᲠᲗᲣᲚᲘ"], ["ሰላም", "កម្ពុជា", "မြန်မာ", ""], ["adaሰ", "ada"],
  ])
  func `all that a library may take for one name is loosely one`(_ names: [String]) {
    #expect(Set(names.map { Plainness.loose($0) }).count == 1)
  }

  @Test func `other numbers stay other numbers`() {
    let numbers =
      ["2300", "230", "2301", "a2300", "b2300", "müller", "miller"]
      + ["さくら", "すくら", "さくろ", "あおい", "佐々木", "กข", "ขก", "कमल", "कलम", "علي"]
    #expect(Set(numbers.map { Plainness.loose($0) }).count == numbers.count)
  }
}
