import Testing

@testable import EPUB
@testable import Terminal

private func rows(_ body: String, width: Int, _ change: (inout Setting) -> Void = { _ in })
  throws -> [String]
{
  let book = try Volume(body).opened()
  var reading = TextReading(book)
  var setting = Setting(width: width)
  change(&setting)
  let layout = ItemLayout(try reading.text(at: 0), setting)
  var drawing = LineRendering(layout)
  return layout.lines.indices.map { drawing.row($0).text }
}

@Suite struct `Setting a text in cells` {
  @Test func `Setting a text in cells fills lines with whole words`() throws {
    #expect(
      try rows("<p>one two three four five</p>", width: 9) == ["one two", "three", "four five"])
  }

  @Test
  func `terminal layout puts an empty line between paragraphs and none between list items`() throws
  {
    #expect(
      try rows("<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>", width: 20)
        == ["a", "", "b", "", "• c", "• d"])
  }

  @Test func `Setting a text in cells cuts a word that is wider than the line, never a character`()
    throws
  {
    #expect(try rows("<p>abcdefgh</p>", width: 3) == ["abc", "def", "gh"])
    #expect(
      try rows("<p>e\u{301}e\u{301}e\u{301}</p>", width: 2) == ["e\u{301}e\u{301}", "e\u{301}"])
  }

  @Test func `Setting a text in cells counts wide characters as two cells`() throws {
    #expect(try rows("<p>日本語日本</p>", width: 4) == ["日本", "語日", "本"])
  }

  @Test func `Setting a text in cells shows a soft hyphen only where the line ends with it`() throws
  {
    #expect(
      try rows("<p>ab\u{AD}cd\u{AD}ef gh</p>", width: 5) == ["abcd-", "ef gh"])
    #expect(try rows("<p>ab\u{AD}cd</p>", width: 5) == ["abcd"])
  }

  @Test func `Setting a text in cells keeps words together that a blank of the other kind joins`()
    throws
  {
    #expect(try rows("<p>a b\u{A0}c</p>", width: 4) == ["a", "b\u{A0}c"])
  }

  @Test func `Setting a text in cells moves quotes in and keeps the poet's lines`() throws {
    #expect(
      try rows("<blockquote><p>one two</p></blockquote>", width: 7) == ["  one", "  two"])
    #expect(try rows("<pre>a  b\n  c</pre>", width: 20) == ["a  b", "  c"])
  }

  @Test func `Setting a text in cells names pictures by what they show`() throws {
    #expect(
      try rows("<p><img src='x.png' alt='A  whale'/></p>", width: 40) == ["[picture: A whale]"])
  }

  @Test func `Setting a text in cells sets tables in columns and narrow ones cell by cell`() throws
  {
    let table = """
      <table><tr><td>a</td><td>long words here</td></tr><tr><td>bb</td><td>c</td></tr></table>
      """
    #expect(try rows(table, width: 30) == ["a   long words here", "bb  c"])
    #expect(try rows(table, width: 16) == ["a   long words", "    here", "bb  c"])
    #expect(try rows(table, width: 6).joined(separator: "|").contains("long|words|here"))
  }

  @Test func `terminal layout widens the spaces of full lines when justified`() throws {
    let text = "<p>aaa bbb cc dddd eeee</p>"
    #expect(try rows(text, width: 12) { $0.edge = .justified } == ["aaa  bbb  cc", "dddd eeee"])
  }

  @Test func `Setting a text in cells puts room between lines where it is asked for`() throws {
    #expect(try rows("<p>one two</p>", width: 3) { $0.spacing = 1 } == ["one", "", "two"])
  }

  @Test func `Setting a text in cells lets nothing through that a terminal would obey`() throws {
    let body = "<p>a\u{9B}31mb\u{202E}c\u{85}d<img src='x' alt='\u{9D}52;c;x\u{9C}'/></p>"
    let text = try rows(body, width: 60).joined()
    #expect(
      text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
          && !(0x202A...0x202E).contains($0.value)
      })
    #expect(text.contains("bc"))
  }

  @Test func `Setting a text in cells cuts a tower of marks down to what a terminal bears`() throws
  {
    let text = try rows("<p>Z\(String(repeating: "\u{301}", count: 400))x</p>", width: 10)
    #expect(text.joined().utf8.count < 80)
    #expect(text.joined().hasSuffix("x"))
  }

  @Test func `Setting a text in cells knows the place of every line and the line of every place`()
    throws
  {
    let book = try Volume(
      Volume.words("w", 9) + "<table><tr><td>a</td><td>b</td></tr></table><p><q>Yes</q> x</p>"
    ).opened()
    var reading = TextReading(book)
    let text = try reading.text(at: 0)
    for width in [1, 7, 33, 200] {
      let layout = ItemLayout(text, Setting(width: width))
      let places = layout.lines.map(\.place)
      #expect(places == places.sorted())
      for (number, line) in layout.lines.enumerated() where line.kind == .text {
        let found = layout.line(at: line.place)
        #expect(layout.lines[found].place == line.place && found >= number)
      }
    }
  }
}

@Suite struct `Pages` {
  private func paging(_ body: String, width: Int = 20, height: Int) throws -> (ItemLayout, Paging) {
    var reading = TextReading(try Volume(body).opened())
    let layout = ItemLayout(try reading.text(at: 0), Setting(width: width))
    return (layout, Paging(layout.lines, height: height))
  }

  @Test(arguments: [1, 2, 3, 5, 17, 400])
  func `Pages hold every line with words once, none more than fit`(height: Int) throws {
    let (layout, paging) = try paging(
      "<h2>Head</h2>" + Volume.words("w", 12) + "<h2>Two</h2>" + Volume.words("v", 3),
      height: height)
    var seen: [Int] = []
    for page in paging.starts.indices {
      var lines = Array(paging.lines(ofPage: page))
      while let last = lines.last, layout.lines[last].isBlank { lines.removeLast() }
      #expect(lines.count <= height)
      seen += lines.filter { !layout.lines[$0].isBlank }
    }
    #expect(seen == layout.lines.indices.filter { !layout.lines[$0].isBlank })
  }

  @Test func `Pages do not end with a heading`() throws {
    let (layout, paging) = try paging(
      "<p>a</p><p>b</p><p>c</p><h2>Head</h2><p>d</p><p>e</p>", height: 8)
    let first = paging.lines(ofPage: 0)
    #expect(!layout.lines[first].contains { $0.marks.contains(.heading) && !$0.isBlank })
  }

  @Test func `Pages do not leave one line of a paragraph alone`() throws {
    let (layout, paging) = try paging(Volume.words("w", 8), width: 20, height: 10)
    for start in paging.starts.dropFirst() {
      let marks = layout.lines[start].marks
      #expect(!marks.contains(.closes) || marks.contains(.opens))
    }
  }

  @Test func `Pages keep a table whole that fits one`() throws {
    let rows = (1...4).map { "<tr><td>r\($0)</td></tr>" }.joined()
    let (layout, paging) = try paging(
      "<p>a</p><p>b</p><p>c</p><table>\(rows)</table>", height: 8)
    let pages = Set(
      layout.lines.indices.filter { layout.lines[$0].kind == .row }.map(paging.page))
    #expect(pages == [1])
  }

  @Test func `Pages begin where they are told to`() throws {
    let (layout, plain) = try paging(Volume.words("w", 8), height: 7)
    let forced = Paging(layout.lines, height: 7, forced: 10)
    #expect(!plain.starts.contains(10))
    #expect(forced.starts.contains(10))
  }
}
