import Markup
import Testing
import XML

@Suite struct HTMLDocumentTests {
  private func outline(_ html: String) throws -> String {
    func outline(_ content: [Content]) -> String {
      content.map {
        switch $0 {
        case .text(let text): text
        case .element(let element):
          "(\(element.name.local)"
            + element.attributes.map { " \($0.name.local)=\($0.value)" }.joined()
            + (element.children.isEmpty ? "" : " " + outline(element.children)) + ")"
        }
      }.joined()
    }
    return outline(try HTMLDocument(text: html).content)
  }

  @Test(arguments: [
    ("<p>a<p>b", "(p a)(p b)"),
    ("<p>a<div>b</div>c", "(p a)(div b)c"),
    ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "(ul (li a)(li b(ul (li c)))(li d))"),
    ("<dl><dt>a<dd>b<dt>c</dl>", "(dl (dt a)(dd b)(dt c))"),
    ("<table><tr><td>a<td>b<tr><td>c</table>d", "(table (tr (td a)(td b))(tr (td c)))d"),
    (
      "<table><thead><tr><th>a<tbody><tr><td>b</table>",
      "(table (thead (tr (th a)))(tbody (tr (td b))))"
    ),
    ("<table><td>a<table><td>b</table>c</table>", "(table (td a(table (td b))c))"),
    ("<td><div></td>x", "(td (div))x"),
    ("<b>a<i>b</b>c</i>d", "(b a(i b))cd"),
    ("<a href=1>x<a href=2>y", "(a href=1 x)(a href=2 y)"),
    ("<br/>a</br><hr>b<img src=c>", "(br)a(br)(hr)b(img src=c)"),
    ("<select><option>a<option>b</select>", "(select (option a)(option b))"),
    ("<ruby>a<rt>b<rt>c</ruby>", "(ruby a(rt b)(rt c))"),
    ("<h1>a<h2>b</h3>c", "(h1 a)(h2 b)c"),
    ("</p></div>a", "a"),
    (
      "<html><head><title>t</title><body class=x><p>a</html>b",
      "(html (head (title t))(body class=x (p ab)))"
    ),
    ("<head><meta charset=utf-8><p>a", "(head (meta charset=utf-8))(p a)"),
    ("<script>a<b></script>c", "(script a<b>)c"),
    ("<STYLE>a</styles></STYLE >c", "(style a</styles>)c"),
    ("<textarea>a<b>&amp;</textarea>c", "(textarea a<b>&)c"),
    ("<pre>\n\na</pre>", "(pre \na)"),
    ("<svg viewBox='0'><path d=a /><g>b</svg>c", "(svg viewbox=0 (path d=a)(g b))c"),
    ("<svg><p>a", "(svg)(p a)"),
    ("<svg><title><b>a</b></title></svg>", "(svg (title (b a)))"),
    ("<math><mi>a<b>c</b></mi></math>", "(math (mi a(b c)))"),
    ("<svg><![CDATA[a<b>]]></svg>", "(svg a<b>)"),
    ("<![CDATA[a]]>b", "b"),
    ("a<!-- x -->b<!doctype html>c<?x?>d</ >e", "abcde"),
    ("<!-->a<!--->b<!-- --!>c", "abc"),
  ])
  func `tag soup becomes the tree a browser would make`(html: String, expected: String) throws {
    #expect(try outline(html) == expected)
  }

  @Test(arguments: [
    ("<a b=c d='e' f=\"g\" h>x</a>", "(a b=c d=e f=g h= x)"),
    ("<a B=1 b=2>x", "(a b=1 x)"),
    ("<a b = c/>x", "(a b=c/ x)"),
    ("<a b='&amp;&lt;&copy=1&copy;'>x", "(a b=&<&copy=1© x)"),
    ("<a/b/c=d>x", "(a b= c=d x)"),
    ("<a b='c", ""),
    ("x<", "x<"), ("x< y", "x< y"), ("x<1", "x<1"), ("</", "</"),
  ])
  func `attributes are read in every form`(html: String, expected: String) throws {
    #expect(try outline(html) == expected)
  }

  @Test(arguments: [
    ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&eacute;&Eacute;&alpha;&hearts;", "éÉα♥"),
    ("&ampx &notit; &copy2", "&x ¬it; ©2"), ("&unknown; & &; &#; &#x;", "&unknown; & &; &#; &#x;"),
    ("&#65;&#x41;&#X41&#65", "AAAA"),
    ("&#0;&#xD800;&#1114112;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("&#150;&#x93;", "–“"), ("&colon;&Tab;|", ":\t|"),
  ])
  func `references are characters`(html: String, expected: String) throws {
    #expect(try outline(html) == expected)
  }

  @Test func `what is too deep is flattened, not lost`() throws {
    let html = String(repeating: "<b>", count: 50_000) + "x"
    let root = try HTMLDocument(text: html).root
    #expect(root.text == "x")
    #expect(root.descendants(named: "b").count == 256)
  }

  @Test(arguments: [
    String(repeating: "<b>", count: 40_000) + String(repeating: "</i>", count: 40_000),
    String(repeating: "<p>", count: 40_000) + String(repeating: "</p>", count: 40_000),
    String(repeating: "<div><table>", count: 20_000) + String(repeating: "</div>", count: 40_000),
    String(repeating: "<a b='", count: 40_000), String(repeating: "<!--", count: 60_000),
    String(repeating: "<script>", count: 30_000), String(repeating: "</", count: 100_000),
    "<a" + String(repeating: " a", count: 100_000) + ">", String(repeating: "&#", count: 100_000),
    String(repeating: "&copyx", count: 50_000), String(repeating: "<svg>", count: 40_000),
    String(repeating: "<svg><p>", count: 30_000), String(repeating: "<li>", count: 40_000),
    "<title>" + String(repeating: "</titl", count: 40_000),
    "<svg>" + String(repeating: "<![CDATA[", count: 30_000),
  ])
  func `no input makes it slow`(html: String) throws {
    // Linear work: these would take minutes otherwise, and the watchdog of the run would bite.
    let nodes = AllowList.chapter.rebuild(try HTMLDocument(text: html).content)
    #expect(HTMLWriter.fragment(nodes).count < 4_000_000)
  }

  @Test func `bytes and nodes are limited`() {
    let limits = XMLLimits(bytes: 100, nodes: 5)
    #expect(throws: XMLError.self) {
      try HTMLDocument(text: String(repeating: "x", count: 101), limits: limits)
    }
    #expect(throws: XMLError.self) { try HTMLDocument(text: "<p><p><p><p><p><p>", limits: limits) }
  }

  @Test func `elements know their line`() throws {
    let root = try HTMLDocument(text: "<p>\n\n<b>x</b>").root
    #expect(root.descendants(named: "b").first?.line == 3)
  }
}
