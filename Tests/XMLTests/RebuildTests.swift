import Markup
import Testing
import XML

@Suite struct RebuildTests {
  private func rebuilt(_ html: String, by list: AllowList = .blurb) throws -> String {
    let nodes = list.rebuild(try HTMLDocument(text: html).content)
    return String(decoding: HTMLWriter.fragment(nodes), as: UTF8.self)
  }

  @Test(arguments: HostileMarkup.all)
  func `nothing hostile gets through`(html: String) throws {
    for list in [AllowList.blurb, .chapter] {
      let nodes = list.rebuild(try HTMLDocument(text: html).content)
      let bytes = HTMLWriter.fragment(nodes)
      #expect(Inspection.complaints(about: bytes, under: list) == [])
    }
  }

  @Test(arguments: HostileMarkup.all)
  func `rebuilding twice is rebuilding once`(html: String) throws {
    for list in [AllowList.blurb, .chapter] {
      let once = list.rebuild(try HTMLDocument(text: html).content)
      let written = HTMLWriter.fragment(once)
      let twice = list.rebuild(try HTMLDocument(written).content)
      #expect(HTMLWriter.fragment(twice) == written)
      #expect(twice == once)
    }
  }

  @Test(arguments: [
    ("<p>a <b>b</b><br/>c</p>", "<p>a <b>b</b><br>c</p>"),
    ("<div>a</div><div>b</div>", "<p>a</p><p>b</p>"),
    ("<div><p>a</p>b</div>", "<p>a</p>b"),
    ("<h1>T</h1>x", "<p>T</p>x"),
    ("a<section>b</section>c", "a\nb\nc"),
    ("<table><tr><td>a</td><td>b</td></tr></table>", "a\nb"),
    ("a<span>b</span>c", "abc"),
    ("a<script>b</script>c", "ac"),
    ("<p> </p><p></p><ul><li></li></ul>x<b> </b>y", "x\ny"),
    (
      "<a href='https://x/'>l</a>",
      "<a href=\"https://x/\" rel=\"nofollow noopener noreferrer\">l</a>"
    ),
    ("<a href='/local'>l</a>", "l"),
    ("<img src='https://x/a.png' alt='cover'>", "cover"),
    ("<p lang=de dir=RTL>x</p>", "<p lang=\"de\" dir=\"rtl\">x</p>"),
    ("5 < 6 & 7 &gt; 2", "5 &lt; 6 &amp; 7 &gt; 2"),
    ("caf&eacute; &hellip; &#8212; &#151;", "café … — —"),
  ])
  func `a blurb keeps its text and its emphasis`(html: String, expected: String) throws {
    #expect(try rebuilt(html) == expected)
  }

  @Test(arguments: [
    "<h2 id=\"c1\" class=\"a b\">T</h2>",
    "<table><tbody><tr><td colspan=\"2\">a</td></tr></tbody></table>",
    "<figure><img src=\"a/b.jpg\" alt=\"x\"><figcaption>y</figcaption></figure>",
    "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
    "<p><a href=\"c2.xhtml#n1\">1</a></p>",
    "<p epub:type=\"bridgehead\" xml:lang=\"fr\">x</p>",
    "<svg viewBox=\"0 0 10 10\" xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0L1,1\"></path></svg>",
    "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mfrac><mn>1</mn><mi>x</mi></mfrac></math>",
    "<pre>\n\na\n  b</pre>",
  ])
  func `a chapter keeps what it is made of`(html: String) throws {
    #expect(try rebuilt(html, by: .chapter) == html)
  }

  @Test func `a chapter read as XML is rebuilt the same`() throws {
    let xhtml = """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
      <head><title>x</title></head><body><p epub:type="z" onclick="a()">a&nbsp;<br/>b</p>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <image xlink:href="c.jpg"/></svg><script>x</script></body></html>
      """
    let root = try XMLDocument(Array(xhtml.utf8), .chapter).root
    let nodes = AllowList.chapter.rebuild([.element(root)])
    let bytes = HTMLWriter.fragment(nodes)
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined()
        == "<p epub:type=\"z\">a\u{A0}<br>b</p><svg xmlns=\"http://www.w3.org/2000/svg\">"
        + "<image href=\"c.jpg\"></image></svg>")
  }

  @Test func `the reader decides where links and images lead`() throws {
    var list = AllowList.chapter
    list.link = { address in
      address.scheme == nil ? .init("/read/1/" + address.text, target: "_self") : nil
    }
    list.image = { "/image?" + $0.text }
    #expect(
      try rebuilt("<a href=b.xhtml>x</a><a href='https://x/'>y</a><img src=c.png>", by: list)
        == "<a href=\"/read/1/b.xhtml\" target=\"_self\">x</a><a>y</a><img src=\"/image?c.png\">")
  }

  @Test func `no hook can lead to a script`() throws {
    var list = AllowList.chapter
    list.link = { _ in .init("javascript:alert(1)") }
    list.image = { _ in "java\nscript:alert(1)" }
    #expect(try rebuilt("<a href=b>x</a><img src=c alt=y>", by: list) == "<a>x</a>y")
  }

  @Test func `prefixed names take their links with them`() throws {
    var list = AllowList.chapter
    list.identifiers = .prefixed("b-")
    list.classes = .dropped
    #expect(
      try rebuilt("<p id=n class=c aria-labelledby='n m'>x</p><a href=#n>y</a>", by: list)
        == "<p id=\"b-n\" aria-labelledby=\"b-n b-m\">x</p><a href=\"#b-n\">y</a>")
  }

  @Test func `depth, number and length are limited`() throws {
    var list = AllowList.chapter
    (list.maximumDepth, list.maximumNodes, list.maximumText) = (3, 10, 20)
    #expect(
      try rebuilt("<b><i><u><s>x</s></u></i></b>", by: list) == "<b><i><u>x</u></i></b>")
    #expect(try rebuilt(String(repeating: "<br>", count: 50), by: list).utf8.count == 40)
    #expect(try rebuilt(String(repeating: "é", count: 50), by: list).utf8.count == 20)
  }

  @Test func `a rebuilt chapter is XML as well`() throws {
    for html in HostileMarkup.all {
      let nodes = AllowList.chapter.rebuild(try HTMLDocument(text: html).content)
      let page = tag(
        "div", attributes: [.init("xmlns:epub", "http://www.idpf.org/2007/ops")], children: nodes)
      let root = try XMLDocument(XMLWriter.document(page)).root
      #expect(PlainText.of(root.children) == PlainText.of(nodes))
    }
  }
}
