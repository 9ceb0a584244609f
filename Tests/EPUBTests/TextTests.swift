import Testing

@testable import EPUB

/// The text of a page that is written in a line.
func textOf(_ body: String, css: String = "") throws -> ItemText {
  let page =
    "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'>"
    + "<head><title>t</title></head><body>\(body)</body></html>"
  let tree = try SourceTree(Array(page.utf8))
  return TextMaking.text("OPS/one.xhtml", tree, StyleRules(sheet: Array(css.utf8)))
}

@Suite struct `The text of a page` {
  private func lines(_ body: String, css: String = "") throws -> [String] {
    let text = try textOf(body, css: css)
    return text.blocks.map { text.string(of: $0) }
  }

  @Test(arguments: [
    ("<p><b>Th</b>e end</p>", ["The end"]), ("<p><em>two</em> <b>words</b></p>", ["two words"]),
    ("<p>  a \n\t b  </p>", ["a b"]), ("<p>a</p>b<p>c</p>", ["a", "b", "c"]),
    ("<div>a<p>b</p>c</div>", ["a", "b", "c"]), ("<p>a<br/>b<br/></p>", ["a\nb"]),
    ("<p>a <br/> b</p>", ["a\nb"]), ("<p>\u{A0}a\u{A0}</p>", ["\u{A0}a\u{A0}"]),
    ("<p/><p> </p><p>x</p>", ["x"]), ("<p>a<i> </i>b</p>", ["a b"]),
    ("<p>a <i> b</i></p>", ["a b"]),
    ("<pre>\n a  b\n\tc\n</pre>", [" a  b\n\tc"]),
    ("<p>soft\u{AD}hyphen</p>", ["soft\u{AD}hyphen"]),
    ("<p>a&#x9b;31m\u{85}b&#x7f;c</p>", ["a31mbc"]),
  ])
  func `The text of a page has the white space that is shown`(_ pair: (String, [String])) throws {
    #expect(try lines(pair.0) == pair.1)
  }

  @Test(arguments: [
    "<script>x</script>", "<style>x</style>", "<template>x</template>", "<p hidden='hidden'>x</p>",
    "<p style='display: none'>x</p>", "<p class='gone'>x</p>", "<p class='b gone c'>x</p>",
    "<p class='narrow'>x</p>", "<iframe>x</iframe>", "<select><option>x</option></select>",
  ])
  func `The text of a page has nothing that is not shown`(_ body: String) throws {
    let css = """
      /* .a{} */ .gone { display:none } @media (max-width: 100px) { .narrow{display:block} }
      .narrow{display:none} .wide{display:none} @media screen and (min-width:401px){.wide{display:block}}
      @media print { .wide { display: none } } div > .kept, .kept p { display: none }
      """
    #expect(try lines(body + "<p class='kept wide'>y</p>", css: css) == ["y"])
  }

  @Test func `The text of a page is shown where a sheet says that it is as what is around it`()
    throws
  {
    let css = ".as { visibility: inherit; white-space: inherit } .off { visibility: hidden }"
    #expect(try lines("<p class='as'>x</p><p class='off'>y</p>", css: css) == ["x"])
    #expect(try lines("<pre>a  b<span class='as'>c  d</span></pre>", css: css) == ["a  bc  d"])
  }

  @Test func `The text of a page has what stands in for scripts and for what cannot be shown`()
    throws
  {
    #expect(
      try lines("<noscript><p>a</p></noscript><object data='x'>b</object><video>c</video>")
        == ["a", "bc"])
  }

  @Test func `The text of a page knows what its blocks are`() throws {
    let text = try textOf(
      """
      <h2>H</h2><p>p</p><blockquote><p>q</p></blockquote><pre>c</pre><hr/>
      <figure><img src='a.png' alt='A map'/><figcaption>f</figcaption></figure>
      <dl><dt>t</dt><dd>d</dd></dl><div class='poem'><p>v</p></div>
      """)
    #expect(
      text.blocks.map(\.kind) == [
        .heading(2), .paragraph, .paragraph, .preformatted, .rule, .picture, .caption, .term,
        .definition, .verse,
      ])
    #expect(text.blocks[2].quoteDepth == 1)
    #expect(text.pictures.map(\.alternative) == ["A map"])
    #expect(text.pictures[0].source?.path == "OPS/a.png")
    #expect(text.title == "t")
  }

  @Test func `The text of a page numbers its lists`() throws {
    let text = try textOf(
      """
      <ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>
      <ol start='3'><li>e</li><li value='7'>f</li></ol><ol type='i'><li>g</li></ol>
      <ol reversed='reversed'><li>h</li><li>i</li></ol><ol type='A' start='27'><li>j</li></ol>
      """)
    #expect(
      text.blocks.map(\.marker)
        == ["•", "◦", "•", nil, "3.", "7.", "i.", "2.", "1.", "AA."])
    #expect(text.blocks.map(\.listDepth) == [1, 2, 1, 1, 1, 1, 1, 1, 1, 1])
  }

  @Test func `The text of a page passes over list numbers beyond all counting`() throws {
    let text = try textOf(
      """
      <ol start='-9223372036854775808'><li>a</li><li value='-9223372036854775808'>b</li></ol>
      <ol reversed='reversed' start='-9223372036854775808'><li>c</li><li>d</li></ol>
      """)
    #expect(text.blocks.map(\.marker) == ["1.", "2.", "2.", "1."])
  }

  @Test func `The text of a page knows which cell of a table it is in`() throws {
    let text = try textOf(
      """
      <table><caption>T</caption><tr><th>a</th><th colspan='2'>b</th></tr>
      <tr><td rowspan='2'>c</td><td>d</td><td>e</td></tr><tr><td>f</td><td><p>g</p><p>h</p></td></tr>
      </table><p>out</p>
      """)
    let places = text.blocks.map { block in
      text.cell(of: block).map {
        "\($0.row),\($0.column) \($0.columnSpan)\($0.isHeader ? " th" : "")"
      }
    }
    #expect(
      places == [
        nil, "0,0 1 th", "0,1 2 th", "1,0 1", "1,1 1", "1,2 1", "2,1 1", "2,2 1", "2,2 1", nil,
      ])
    #expect(text.blocks[0].kind == .caption)
  }

  @Test func `The text of a page marks its words`() throws {
    let text = try textOf(
      "<p>a <b>b<i>c</i></b> <a href='two.xhtml#x'>d</a><ruby>山<rp>(</rp><rt>やま</rt></ruby></p>")
    let block = try #require(text.blocks.first)
    let runs = Int(block.firstRun)..<Int(block.lastRun)
    #expect(
      runs.map { text.string(text.range(of: $0, in: block)) } == [
        "a ", "b", "c", " ", "d", "山", "やま",
      ])
    #expect(
      runs.map { text.runs[$0].style }
        == [[], .strong, [.strong, .emphasis], [], [], [], .reading])
    #expect(runs.map { text.runs[$0].link } == [nil, nil, nil, nil, 0, nil, nil])
    #expect(text.links[0].target.path == "OPS/two.xhtml")
    #expect(text.links[0].target.fragment == "x")
  }

  @Test func `The text of a page tells notes, the way to them and the way back`() throws {
    let text = try textOf(
      """
      <p>x<a epub:type='noteref' href='#n'>1</a><a href='#m'><sup>2</sup></a> y</p>
      <aside id='n' epub:type='footnote'><p>Note <a role='doc-backlink' href='#r'>back</a></p></aside>
      """)
    #expect(text.links.map(\.isNoteReference) == [true, true, false])
    #expect(text.blocks.map(\.isNote) == [false, true])
    #expect(text.runs.contains { $0.style.contains(.backLink) })
    let note = try #require(text.tree.element(id: "n"))
    #expect(text.blocks(ofElement: note) == 1..<2)
  }

  @Test func `The text of a page tells where pages of the print begin`() throws {
    let text = try textOf(
      "<p>Page<span epub:type='pagebreak' title='7'/> seven <a role='doc-pagebreak'>viii</a>on.</p>"
    )
    #expect(text.string(of: text.blocks[0]) == "Page seven on.")
    #expect(text.pageBreaks.map(\.label) == ["7", "viii"])
    #expect(text.pageBreaks.map(\.place) == [4, 11])
  }

  @Test func `The text of a page inherits languages and directions`() throws {
    let text = try textOf("<div lang='fr'><p>a</p><p xml:lang='ar' dir='rtl'>b</p></div><p>c</p>")
    #expect(text.blocks.map { text.language(of: $0) } == ["fr", "ar", nil])
    #expect(text.blocks.map(\.direction) == [.unsaid, .rightToLeft, .unsaid])
  }

  @Test func `The text of a page reads drawings and formulas by their words`() throws {
    let text = try textOf(
      """
      <p><svg xmlns='http://www.w3.org/2000/svg'><title>Red dot</title><text>In <tspan>it</tspan>\
      </text><circle/></svg></p><p><math xmlns='http://www.w3.org/1998/Math/MathML' \
      alttext='x = 1'><mi>x</mi></math></p>
      """)
    #expect(text.pictures.map(\.alternative) == ["Red dot", "x = 1"])
    #expect(text.blocks.map { text.string(of: $0) } == ["\u{FFFC}", "In it", "\u{FFFC}"])
  }

  @Test
  func `page text omits decorative pictures and names pictures without alt text by file`() throws {
    let text = try textOf("<p>a<img src='o.png' alt=''/>b<img src='x/m.png'/></p>")
    #expect(text.pictures.map(\.alternative) == ["m.png"])
    #expect(text.string(of: text.blocks[0]) == "ab\u{FFFC}")
  }

  @Test func `The text of a page knows of each place where the author wrote it, and back`() throws {
    let text = try textOf(
      "<p>  One\n   two <b> three</b><br/>four &amp; <img src='x' alt='y'/>five</p><pre> a\n</pre>")
    for block in text.blocks {
      for place in block.range where text.text[place] & 0xC0 != 0x80 {
        let source = text.source(of: place)
        let byte = text.text[place]
        if byte > 0x20, byte < 0x7F { #expect(text.tree.text[source] == byte, "at \(place)") }
        if byte > 0x20, byte < 0x7F { #expect(text.place(ofSource: source) == place) }
      }
    }
  }

  @Test func `The text of a page of a drawing alone is its words`() throws {
    let page = "<svg xmlns='http://www.w3.org/2000/svg'><title>T</title><text>Hello</text></svg>"
    let text = TextMaking.text("a.svg", try SourceTree(Array(page.utf8)))
    #expect(text.blocks.map { text.string(of: $0) } == ["\u{FFFC}", "Hello"])
  }
}
