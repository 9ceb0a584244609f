import Hyphenation
import TestSupport
import Testing

@testable import EPUB
@testable import Terminal

/// A dictionary of our own: `na` and `ti` may begin a line, in a language that is not there.
private let rules = "UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\n1na\n1ti\n"

private func rows(
  _ body: String, width: Int, language: String? = "qq", edge: Setting.Edge = .justified
) throws -> [String] {
  let folder = try TemporaryFolder()
  return try withExtendedLifetime(folder) {
    try folder.write(Array(rules.utf8), to: "hyph_qq.dic")
    let dictionaries = Hyphenation(folder: folder.path)
    _ = dictionaries.rulesNow(for: "qq")
    var reading = TextReading(try Volume(body).opened())
    let layout = ItemLayout(
      try reading.text(at: 0), Setting(width: width, edge: edge),
      Hyphens(dictionaries, language: language))
    var drawing = LineRendering(layout)
    return layout.lines.indices.map { drawing.row($0).text }
  }
}

@Suite struct `Parting a word` {
  @Test func `Parting a word fills the line that it does not fit`() throws {
    #expect(
      try rows("<p>aaaaaa international b</p>", width: 14) == ["aaaaaa  inter-", "national b"])
    #expect(try rows("<p>aaaaa (international), b</p>", width: 14).first == "aaaaa  (inter-")
  }

  @Test func `Parting a word goes on over as many lines as it takes`() throws {
    #expect(try rows("<p>international</p>", width: 6) == ["inter-", "natio-", "nal"])
  }

  @Test func `Parting a word is done in the language of the paragraph, if that has a dictionary`()
    throws
  {
    let text = "<p xml:lang='rr'>aaaaaa international b</p>"
    #expect(try rows(text, width: 14) == ["aaaaaa", "international", "b"])
    #expect(
      try rows("<p xml:lang='qq'>aaaaaa international b</p>", width: 14, language: nil).first
        == "aaaaaa  inter-")
    #expect(try rows("<p>aaaaaa international b</p>", width: 14, language: nil).first == "aaaaaa")
  }

  @Test func `Parting a word is not worth it for a few cells of a ragged edge`() throws {
    let text = "<p>\(String(repeating: "a", count: 32)) international</p>"
    #expect(try rows(text, width: 40, edge: .ragged).last == "national")
    let fuller = "<p>\(String(repeating: "a", count: 34)) international</p>"
    #expect(try rows(fuller, width: 40, edge: .ragged).last == "international")
  }

  @Test func `Parting a word keeps to the author's soft hyphens where there are any`() throws {
    let text = "<p>aaaaaa internation\u{AD}al b</p>"
    #expect(try rows(text, width: 14) == ["aaaaaa", "international", "b"])
    #expect(
      try rows("<p>aaa internation\u{AD}al b</p>", width: 16).first == "aaa internation-")
  }

  @Test(arguments: [
    "<p>aaaaaa <code>international</code> b</p>", "<h2>aaaaaa international b</h2>",
    "<p>aaaaaa x.international.example b</p>", "<p>aaaaaa it’snational b</p>",
  ])
  func `Parting a word is left alone where it is no plain word`(_ body: String) throws {
    #expect(try !rows(body, width: 14).joined(separator: "|").contains("-"))
  }

  @Test func `Parting a word makes no ladder of hyphens`() throws {
    let text = "<p>" + Array(repeating: "international", count: 9).joined(separator: " ") + "</p>"
    let lines = try rows(text, width: 20)
    let ladder = lines.map { $0.hasSuffix("-") }
    #expect(ladder.contains(true))
    for start in ladder.indices.dropLast(3) {
      #expect(ladder[start..<(start + 4)].contains(false))
    }
  }

  @Test func `Parting a word loses no letter and adds none`() throws {
    let text = "international nationality\u{301} notional “nationwide”, ration"
    for width in 1...40 {
      let lines = try rows("<p>\(text)</p>", width: width, edge: .ragged)
      let joined = lines.joined().filter { $0 != "-" && $0 != " " }
      #expect(joined == text.filter { $0 != " " })
    }
  }
}
