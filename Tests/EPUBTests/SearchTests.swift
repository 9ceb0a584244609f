import Testing

@testable import EPUB

@Suite struct `A search in a book` {
  private func matches(
    _ words: String, _ chapters: String..., options: ContentSearch.Options = []
  ) throws -> [String] {
    try ContentSearch(words, in: bookOf(chapters), options).map(\.match)
  }

  @Test(arguments: [
    ("unbelievable", "<p><b>un</b><i>believ</i>able</p>", "unbelievable"),
    ("cafe", "<p>a Cafe\u{301}.</p>", "Cafe\u{301}"),
    ("softhyphen", "<p>soft\u{AD}hyphen</p>", "soft\u{AD}hyphen"),
    ("office", "<p>oﬃce</p>", "oﬃce"), ("a b", "<p>a<br/>b</p>", "a b"),
    ("it's \"so\" - yes", "<p>It’s “so” — yes</p>", "It’s “so” — yes"),
    ("山路を", "<p><ruby>山路<rp>(</rp><rt>やまみち</rt></ruby>を</p>", "山路を"),
    ("strasse", "<p>Straße</p>", "Straße"),
    ("page seven", "<p>Page<i epub:type='pagebreak' title='7'/> seven</p>", "Page seven"),
    ("x y", "<pre>x \n  y</pre>", "x    y"),
  ])
  func `A search in a book finds what a reader sees`(_ trial: (String, String, String)) throws {
    #expect(try matches(trial.0, trial.1) == [trial.2])
  }

  @Test func `A search in a book finds nothing across paragraphs, cells and documents`() throws {
    #expect(try matches("a b", "<p>a</p><p>b</p>", "<p>a</p>", "<p>b</p>").isEmpty)
    #expect(try matches("a b", "<table><tr><td>a</td><td>b</td></tr></table>").isEmpty)
  }

  @Test(arguments: ["", "   ", "\u{AD}", "\u{200B} \u{2060}"])
  func `A search in a book finds nothing where nothing is asked for`(_ words: String) throws {
    #expect(try matches(words, "<p>a \u{AD} b</p>").isEmpty)
  }

  @Test(arguments: ["", "é", "\u{AD}", "e\u{301}", "\u{7}"])
  func `A search in a book finds the same places whatever letters stand beside them`(
    _ strange: String
  ) throws {
    let words = "One two. <b>TWO</b>  `two` fortwo\ntwo"
    let book = try bookOf(["<p>\(words)</p><p>x</p><p>\(words) \(strange)</p>"])
    let hits = try Array(ContentSearch("two", in: book))
    var reading = TextReading(book)
    let text = try reading.text(at: 0)
    #expect(hits.map { text.string($0.range).lowercased() } == Array(repeating: "two", count: 10))
    let shift = text.blocks[2].range.lowerBound - text.blocks[0].range.lowerBound
    #expect(
      hits.suffix(5).map(\.range.lowerBound) == hits.prefix(5).map { $0.range.lowerBound + shift })
  }

  @Test func `A search in a book may be kept to a part of the book`() throws {
    let book = try bookOf(["<p>a</p>", "<p>a a</p>", "<p>a</p>"])
    func found(_ items: Range<Int>) throws -> [Int] {
      try ContentSearch("a", TextReading(book), PositionList(book), items: items).map(\.spine)
    }
    #expect(try found(1..<3) == [1, 1, 2] && found(0..<1) == [0] && found(3..<9).isEmpty)
    #expect(try found(0..<1) + found(1..<3) == Array(ContentSearch("a", in: book)).map(\.spine))
  }

  @Test func `A search in a book counts what does not overlap`() throws {
    #expect(try matches("aa", "<p>aaa aaaa</p>").count == 3)
  }

  @Test func `A search in a book does not cut a letter in two`() throws {
    #expect(try matches("f", "<p>ﬁ</p>").isEmpty)
    #expect(try matches("s", "<p>ß</p>").isEmpty)
    #expect(try matches("👩", "<p>👩‍👩‍👧 👩</p>") == ["👩"])
  }

  @Test func `A search in a book tells differences on demand`() throws {
    let page = "<p>Ahab ahab ahabs Áhab</p>"
    #expect(try matches("ahab", page).count == 4)
    #expect(try matches("ahab", page, options: .matchesCase) == ["ahab", "ahab"])
    #expect(try matches("ahab", page, options: .wholeWords) == ["Ahab", "ahab", "Áhab"])
    #expect(try matches("ahab", page, options: .matchesMarks).count == 3)
  }

  @Test func `A search in a book refuses more than anybody types`() throws {
    let book = try bookOf(["<p>a</p>"])
    #expect(throws: ContentSearch.Fault.tooLong(limit: 1000)) {
      try ContentSearch(String(repeating: "a", count: 1001), in: book)
    }
  }

  @Test func `A search in a book reads no further than is asked`() throws {
    var search = try ContentSearch("a", in: bookOf(["<p>a</p>", "<p>b", "<p>a</p>"]))
    let first = search.next()
    let hit = try #require(first)
    #expect(hit.spine == 0 && search.unread.isEmpty)
    #expect(search.text?.path == "OPS/c0.xhtml")
    let rest = [search.next(), search.next(), search.next()]
    #expect(rest.map { $0?.spine } == [2, nil, nil])
  }

  @Test func `A search in a book shows what stands around, cut where words end`() throws {
    let before = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    let hits = try Array(
      ContentSearch("needle", in: bookOf(["<p>\(before) needle \(before)</p><p>x</p>"])))
    #expect(
      hits[0].before
        == "four five six seven eight nine ten eleven twelve thirteen fourteen ".suffix(60).drop {
          $0 != " "
        }.dropFirst())
    #expect(hits[0].after == " one two three four five six seven eight nine ten eleven")
    #expect(hits[0].progression > 0.4 && hits[0].progression < 0.6)
  }

  @Test func `A search in a book counts the rest without showing it`() throws {
    var search = try ContentSearch("a", in: bookOf(["<p>a b a</p>", "<p>a</p>"]))
    let first = search.next()
    let rest = search.countRest()
    #expect(first?.match == "a" && rest == 2)
  }

  @Test func `A search in a book includes what is out of line`() throws {
    let book = try bookOf(["<p>a</p>", "<p>a</p>", "<p>a</p>"], linear: [true, false, true])
    #expect(try ContentSearch("a", in: book).map(\.spine) == [0, 1, 2])
  }
}
