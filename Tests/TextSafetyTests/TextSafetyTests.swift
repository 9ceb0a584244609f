import TestSupport
import Testing
import TextSafety

@Suite struct `Text that goes to a terminal` {
  private static let table: [(UInt32, HiddenCharacter)] = [
    (0x00, .control), (0x07, .control), (0x09, .control), (0x0A, .control),
    (0x0D, .control), (0x1B, .control), (0x1F, .control), (0x7F, .control), (0x80, .control),
    (0x85, .control), (0x9B, .control), (0x9F, .control), (0x2028, .lineBreak),
    (0x2029, .lineBreak), (0x202A, .direction), (0x202E, .direction), (0x2066, .direction),
    (0x2069, .direction), (0x200B, .invisible), (0x2060, .invisible), (0x206F, .invisible),
    (0xFEFF, .invisible), (0xFFF9, .invisible), (0xFFFE, .invisible), (0xFDD0, .invisible),
    (0x1_D173, .invisible), (0x1_FFFF, .invisible), (0xE_0001, .invisible),
    (0xE_007F, .invisible),
  ]

  @Test(arguments: table)
  func `A character that a terminal obeys or nobody sees is in the table`(
    _ value: UInt32, _ kind: HiddenCharacter
  ) throws {
    #expect(HiddenCharacter(try #require(Unicode.Scalar(value))) == kind)
  }

  @Test(arguments: [
    "Emma ~ & 'quotes' \"too\"", "naïve “é” – 山", "שָׁלוֹם\u{200F}", "كتاب\u{200E}\u{061C}",
    "می\u{200C}خواهم", "क्\u{200D}ष", "👩‍👩‍👧", "❤️", "葛\u{E0100}", "co\u{AD}operate",
  ])
  func `Letters and marks that writing needs reach the terminal as they are`(_ text: String) {
    #expect(TerminalText(line: text).text == text && TerminalText(lines: text).text == text)
  }

  @Test func `A value is one line in which nothing hidden is left`() {
    let value = "a\u{1b}]0;x\u{7}b\r\nc\td\u{9B}e\u{202E}f\u{2066}g\u{2028}h\u{200B}i\u{E0041}j"
    #expect(TerminalText(line: value).text == "a ]0;x b c d efg hij")
    #expect("'\(value)'\n" as TerminalText == "'a ]0;x b c d efg hij'\n")
  }

  @Test func `Hundreds of marks on one letter become no more than a script needs`() {
    let stack = "a" + String(repeating: "\u{301}", count: 500) + "b\u{301}"
    #expect(TerminalText(line: stack).text.unicodeScalars.count == 1 + 16 + 2)
  }

  @Test func `A document keeps its lines and its tabs and nothing else that is hidden`() {
    #expect(TerminalText(lines: "a\r\n\tb\u{1b}[2Jc\u{2029}d").text == "a\n\tb[2Jc\nd")
  }

  @Test func `Of what another program drew only colors and weights stay`() {
    let drawn =
      "\u{1b}[0;38;5;12mA\u{1b}]0;title\u{7}B\u{1b}[2JC\u{1b}[0m\u{1b}D\u{1b}[1;2HE\u{9B}F"
    let text = TerminalText(styled: drawn).text
    #expect(text == "\u{1b}[0;38;5;12mA]0;titleBC\u{1b}[0mDEF")
  }

  @Test func `A JSON text holds the same data with every hidden character escaped`() {
    let text = TerminalText(json: "{\"a\":\"é\u{9B}\u{202E}\u{E0041}\u{7F}\"}\n").text
    #expect(text == "{\"a\":\"é\\u009b\\u202e\\udb40\\udc41\\u007f\"}\n")
  }

  @Test(arguments: [
    ("emma", "emma"), ("city:76c1-b7", "city:76c1-b7"), ("", "''"), ("a b", "'a b'"),
    ("it's", "'it'\\''s'"), ("$(touch x)", "'$(touch x)'"), ("`x`", "'`x`'"), ("a;b", "'a;b'"),
    ("a\nb", "'a b'"), ("*", "'*'"), ("~", "'~'"), ("!1", "'!1'"), ("=ls", "'=ls'"),
    ("größe", "größe"), ("#x", "'#x'"),
    (#"a\'b"#, #"'a'\\''\''b'"#), ("a'\u{301};", "'a'\\''\u{301};'"),
  ])
  func `A word that a shell would see more in is quoted`(_ word: String, _ quoted: String) {
    #expect(ShellCommand.quoted(word) == quoted)
  }

  @Test func `A word that begins with a dash stands behind two dashes and flags before them`() {
    let plain: ShellCommand = "carrel return \("city:1")"
    #expect(plain.adding("--yes").description == "carrel return city:1 --yes")
    let hostile: ShellCommand = "carrel hold add \("--output=/etc/x") TITLE"
    #expect(
      hostile.adding("--at \(value: "-a b")").description
        == "carrel hold add --at '-a b' -- --output=/etc/x TITLE")
    let search: ShellCommand = "carrel search \(words: ["a", "-b", "c d"])"
    #expect(search.description == "carrel search a -- -b 'c d'")
    #expect(
      ("\(hostile) \("more")" as ShellCommand).description
        == "carrel hold add -- --output=/etc/x TITLE more")
  }
}
