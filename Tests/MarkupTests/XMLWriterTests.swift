import Markup
import Testing

@Suite struct XMLWriterTests {
  private func xml(_ nodes: Node...) -> String {
    String(decoding: XMLWriter.piece(nodes).bytes, as: UTF8.self)
  }

  @Test func `a document starts with its declaration`() {
    let bytes = XMLWriter.document(tag("feed", .init("xmlns", "http://www.w3.org/2005/Atom")))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"/>"
    )
  }

  @Test func `an element without content closes itself`() {
    #expect(xml(tag("opds:copies", .init("total", 3))) == "<opds:copies total=\"3\"/>")
  }

  @Test func `markup in text is text`() {
    #expect(xml(.text("a < b && c ]]> \"d\"")) == "a &lt; b &amp;&amp; c ]]&gt; \"d\"")
  }

  @Test func `white space in a value survives the reader's normalization`() {
    #expect(
      xml(tag("a", .init("b", "1\t2\n3\r4 \"5\" <6>")))
        == "<a b=\"1&#9;2&#10;3&#13;4 &quot;5&quot; &lt;6&gt;\"/>")
  }

  @Test func `a carriage return in text survives the reader's line ends`() {
    #expect(xml(.text("a\r\nb")) == "a&#13;\nb")
  }

  @Test(arguments: [
    "\u{0}", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1F}", "\u{FFFE}", "\u{FFFF}",
  ])
  func `what XML forbids is left out`(character: String) {
    #expect(xml(.text("a\(character)b")) == "ab")
    #expect(xml(tag("a", .init("b", character))) == "<a b=\"\"/>")
  }

  @Test(arguments: ["\u{7F}", "\u{85}", "\u{FFFD}", "\u{FFEF}", "ﺝ", "𝕏", "e\u{301}", "\u{EFFF}"])
  func `what XML allows is kept byte for byte`(character: String) {
    #expect(Array(xml(.text(character)).utf8) == Array(character.utf8))
  }

  @Test func `absent attributes are not written`() {
    let until: String? = nil
    #expect(xml(tag("a", .init("until", until), .init("since", "now"))) == "<a since=\"now\"/>")
  }

  @Test func `a boolean attribute is spelled out`() {
    #expect(
      xml(tag("option", .init("selected", true), .init("disabled", false)))
        == "<option selected=\"selected\"/>")
  }

  @Test func `a kept piece joins another document unchanged`() {
    let entry = XMLWriter.piece([tag("entry") { "a & b" }])
    var writer = XMLWriter(.omitted)
    writer.begin("feed", .init("v", 1))
    writer.write(entry)
    writer.write(entry)
    #expect(
      String(decoding: writer.finish(), as: UTF8.self)
        == "<feed v=\"1\"><entry>a &amp; b</entry><entry>a &amp; b</entry></feed>")
  }

  @Test func `finishing closes what is open, innermost first`() {
    var writer = XMLWriter(.omitted)
    writer.begin("a")
    writer.begin("b")
    #expect(String(decoding: writer.finish(), as: UTF8.self) == "<a><b></b></a>")
  }
}
