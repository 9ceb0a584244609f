import Testing
import TextSafety

@testable import Arguments

@Suite struct `Spans of time` {
  @Test(arguments: [
    ("90s", 90_000), ("15m", 900_000), ("3d", 259_200_000), ("2w", 1_209_600_000), ("0", 0),
    ("1h30m", 5_400_000), ("250ms", 250), ("1s500ms", 1500), ("0s", 0),
  ])
  func `Spans of time are read as people write them`(_ text: String, _ milliseconds: Int) {
    #expect(WrittenDuration(text)?.duration == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "5", "s", "-5s", "5 s", "5x", "5S", "1m1h", "1s1s", "1.5h", "99999999999999999999s",
    "200y", "9999w9999w", "5s ", "٣s", "36601d",
  ])
  func `Spans of time are refused when their meaning is unclear`(_ text: String) {
    #expect(WrittenDuration(text) == nil)
  }

  @Test(arguments: ["90s", "15m", "3d", "2w", "0", "250ms", "1h30m", "1s500ms", "20s"])
  func `Spans of time are written so that they read back the same`(_ text: String) throws {
    let written = try #require(WrittenDuration(text))
    #expect(WrittenDuration(written.description)?.duration == written.duration)
  }
}

@Suite struct `Amounts of bytes` {
  @Test(arguments: [
    ("0", 0), ("4096", 4096), ("64KiB", 65536), ("64kib", 65536), ("10MB", 10_000_000),
    ("1 GiB", 1 << 30), ("5B", 5),
  ])
  func `Amounts of bytes are read with their unit`(_ text: String, _ bytes: Int) {
    #expect(WrittenSize(text)?.bytes == bytes)
  }

  @Test(arguments: ["", "KB", "-1", "1.5MB", "1TBB", "9999999999999GiB", "1 K B"])
  func `Amounts of bytes are refused otherwise`(_ text: String) {
    #expect(WrittenSize(text) == nil)
  }

  @Test func `Amounts of bytes are written in the largest unit that fits`() {
    #expect(WrittenSize(65536).description == "64KiB")
    #expect(WrittenSize(1000).description == "1000")
    #expect(WrittenSize(0).description == "0")
  }
}

@Suite struct `Slips of the keyboard` {
  @Test(arguments: [
    ("serach", "search", 1), ("sarch", "search", 1), ("seearch", "search", 1),
    ("search", "search", 0), ("", "abc", 3), ("ca", "abc", 3), ("kitten", "sitting", 3),
  ])
  func `Slips of the keyboard are counted`(_ one: String, _ other: String, _ count: Int) {
    #expect(slips(Array(one), Array(other)) == count)
    #expect(slips(Array(other), Array(one)) == count)
  }

  @Test func `a suggestion for a mistyped word names only the nearest known words`() {
    #expect(nearest(to: "shwo", among: ["show", "stow", "edit"]) == ["show"])
    #expect(nearest(to: "xy", among: ["ab", "show"]) == [])
    #expect(nearest(to: String(repeating: "a", count: 100_000), among: ["a"]) == [])
  }
}

@Suite struct `Width in cells` {
  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("é", 1), ("😀", 2), ("", 0), ("ﾊ", 1), ("한글", 4),
    ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("👍🏽", 2), ("❤️", 2), ("שָׁלוֹם", 4), ("กำ", 2),
  ])
  func `Width in cells follows the terminal`(_ text: String, _ width: Int) {
    #expect(cells(text) == width)
  }

  @Test func `Width in cells columns align whatever the letters`() {
    let layout = TextLayout(width: 80, isStyled: false)
    let lines = layout.table([("日本", "one"), ("abc", "two")]).text.split(separator: "\n")
    #expect(cells(lines[0].prefix { $0 != "o" }) == cells(lines[1].prefix { $0 != "t" }))
  }

  @Test func `Width in cells says where a text that is too wide is cut`() {
    #expect(cut("abc", to: 3) == "abc" && cut("abcd", to: 3) == "ab…")
    #expect(cut("日本語", to: 5) == "日本…" && cut("日本語", to: 4) == "日…")
  }
}

@Suite struct `Text for a screen` {
  private func fitted(_ text: String, _ width: Int?) -> String {
    TextLayout(width: width, isStyled: false).fitted(TerminalText(lines: text)).text
  }

  @Test func `Text for a screen breaks at blanks, below the last column of a line`() {
    #expect(
      fitted("ok  disk: There is room for a few more books.\nshort\n", 26)
        == "ok  disk: There is room\n    for a few more books.\nshort\n")
    #expect(
      fitted("Waiting for a book, place two of three.", 22)
        == "Waiting for a book,\nplace two of three.")
  }

  @Test func `wrapping leaves commands to paste whole, and wraps nothing without a terminal`() {
    let lines = "try: carrel hold add city:1234567890123\nUndo with: carrel return city:123456"
    #expect(fitted(lines, 20) == lines)
    let long = String(repeating: "word ", count: 40)
    #expect(fitted(long, nil) == long)
  }

  @Test func `Text for a screen keeps a word that is wider than the screen`() {
    #expect(
      fitted("at lantern-bay:works/URI/urn:uuid now", 20)
        == "at\nlantern-bay:works/URI/urn:uuid\nnow")
    #expect(
      fitted("    lantern-bay:works/URI/urn:uuid now", 20)
        == "    lantern-bay:works/URI/urn:uuid\n    now")
  }
}
