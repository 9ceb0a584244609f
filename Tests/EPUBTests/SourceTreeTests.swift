import Testing
import XML

@testable import EPUB

@Suite struct `The document behind a page` {
  /// Everything the tree holds, in words.
  private func outline(_ tree: SourceTree) -> [String] {
    tree.nodes.indices.map { node in
      let it = tree.nodes[node]
      let text = String(decoding: tree.text[Int(it.start)..<Int(it.stop)], as: UTF8.self)
      guard it.isElement else { return "\(it.parent) “\(text)”" }
      let attributes = AttributeName.allCases.compactMap { name in
        tree.attribute(name, of: node).map { "\(name)=\($0)" }
      }
      return "\(it.parent) \(tree.name(node))(\(it.end)) \(attributes.sorted()) “\(text)”"
    }
  }

  static let sound = [
    "<a/>", "<html><body><p>One</p><p>Two</p></body></html>",
    "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE html>\n<p>x</p>\n<!-- after -->",
    "\u{FEFF}<p id='a' class = \"b\tc\n d\">x<br/>y</p >",
    "<p>a &amp; b &lt; &#233;&#x1F600;&nbsp;&eacute; end</p>",
    "<p title='a &amp; &quot;b&quot; &#10;'>x</p>",
    "<p>one<!-- two -->three<?pi four?>five<![CDATA[<six> & ]]>seven</p>",
    "<p>line\r\nend\rand</p>", "<p xml:lang='en' xmlns:epub='urn:e' epub:type='x' type='y'/>",
    "<e:p xmlns:e='urn:e'><e:q e:id='z'/></e:p>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"http://www.w3.org/x.dtd\"><p>x</p>",
    "<p>]] > ]]&gt; a]</p>", "<p>a] &amp; b\r\n] &lt;c</p>\r\n<!-- ] & -->",
    "<p>\r<i>&amp;]</i>\r\r\n&amp;&hellip;&hellip;]</p>\r", "<ruby>山<rt>やま</rt></ruby>",
    "<p\n a='1'\n b='2'>é</p>",
  ]

  @Test(arguments: sound)
  func `The document behind a page is the same however it was read`(_ page: String) throws {
    let bytes = Array(page.utf8)
    let quick = try #require(PageScan.tree(bytes))
    #expect(outline(quick) == outline(try SourceTree(thoroughly: bytes)))
    #expect(quick.fault == nil)
  }

  static let doubtful = [
    "", "text", "<p>", "<p></q>", "<p/><q/>", "<p a=1/>", "<p a='1' a='2'/>", "<p a='<'/>",
    "<p>&nope;</p>", "<p>&#0;</p>", "<p>&#xD800;</p>", "<p>a & b</p>", "<p>]]></p>", "<p a/>",
    "<p>\u{1}</p>", "<p><!-- a -- b --></p>", "<x:p/>", "<p x:a='1'/>", "<p a='1'b='2'/>",
    "<p><?xml version='1.0'?></p>", "<!DOCTYPE p [<!ENTITY e 'x'>]><p>&e;</p>", "<p>x</p>tail",
    "<p>&amp</p>", "<?xml version='1.0'~encoding='utf-8'?><p/>", "<?xml?><p/>",
    "<p><i xmlns:x='urn:x'/><x:b/></p>", "<p xmlns:x=''/>", "<p xmlns:x='u' xmlns:x='v'/>",
    "<p xmlns:x='u' xmlns:y='u' x:a='1' y:a='2'/>", "<!DOCTYPE><p/>", "<!DOCTYPE p p><p/>",
    "<p><? x?></p>", "<p>\u{FFFE}</p>", "<p><!-- \u{1} --></p>", "<!DOCTYPE p><!DOCTYPE p><p/>",
    "< p/>", "<p", "<p a='1", "<p/", "</p>", "<1/>", "<a:b:c/>", "<p>&#+5;</p>",
  ]

  @Test(arguments: doubtful)
  func `The document behind a page is left to the general reader where anything is in doubt`(
    _ page: String
  ) {
    #expect(PageScan.tree(Array(page.utf8)) == nil)
  }

  @Test func `The document behind a page is the same with more names than pages have`() throws {
    let names = (0..<80).map { "n\($0)" }
    let inside = names.map { "<\($0) a\($0)='1' id='\($0)'>x</\($0)>" }.joined()
    let bytes = Array("<p>\(inside)\(inside)</p>".utf8)
    let quick = try #require(PageScan.tree(bytes))
    #expect(outline(quick) == outline(try SourceTree(thoroughly: bytes)))
    #expect(quick.names == ["p"] + names)
  }

  @Test func `The document behind a page of bytes that are not what they claim is left to it, too`()
  {
    #expect(PageScan.tree([0x3C, 0x70, 0x3E, 0xE9, 0x3C, 0x2F, 0x70, 0x3E]) == nil)
    let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><p>x</p>"
    #expect(PageScan.tree(Array(latin.utf8)) == nil)
  }

  @Test func `The document behind a page keeps the text of a page that is broken, and says so`()
    throws
  {
    let tree = try SourceTree(Array("<html><body><p>One<p>Two & three</body></html>".utf8))
    #expect(tree.fault != nil)
    let text = String(decoding: tree.text, as: UTF8.self)
    #expect(text.contains("One") && text.contains("Two & three"))
  }

  @Test func `The document behind a page reads old encodings`() throws {
    var bytes = Array("<?xml version='1.0' encoding='windows-1252'?><p>".utf8)
    bytes += [0x93, 0xE9, 0x94] + Array("</p>".utf8)
    #expect(String(decoding: try SourceTree(bytes).text, as: UTF8.self) == "“é”")
  }

  @Test func `The document behind a page flattens what is too deep and keeps its text`() throws {
    let deep = 60_000
    let page =
      String(repeating: "<i>", count: deep) + "far down" + String(repeating: "</i>", count: deep)
    let tree = try SourceTree(Array(page.utf8))
    #expect(String(decoding: tree.text, as: UTF8.self) == "far down")
    #expect(tree.nodes.count == TreeDraft.deepest + 1)
    #expect(tree.fault != nil)
  }

  @Test func `The document behind a page holds all text between two elements as one`() throws {
    let tree = try #require(PageScan.tree(Array("<p>a<!-- x -->b<i/>c<![CDATA[d]]>e</p>".utf8)))
    let texts = tree.texts.map { node in
      let it = tree.nodes[Int(node)]
      return String(decoding: tree.text[Int(it.start)..<Int(it.stop)], as: UTF8.self)
    }
    #expect(texts == ["ab", "cde"])
  }

  @Test func `The document behind a page finds an element by its id, or an anchor by its name`()
    throws
  {
    let page = "<p><a name='x'/><b name='y'/><i id='x'/><a name='z'/></p>"
    let tree = try #require(PageScan.tree(Array(page.utf8)))
    #expect(tree.element(id: "x") == 3)
    #expect(tree.element(id: "z") == 4)
    #expect(tree.element(id: "y") == nil)
    #expect(tree.element(id: "") == nil)
  }
}
