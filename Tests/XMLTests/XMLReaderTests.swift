import Markup
import Testing
import XML

@Suite struct XMLReaderTests {
  private func events(_ text: String, _ options: XMLOptions = .strict) throws(XMLError)
    -> [XMLEvent]
  {
    try Self.drain(XMLReader(Array(text.utf8), options))
  }

  static func drain(_ reader: consuming XMLReader) throws(XMLError) -> [XMLEvent] {
    var events: [XMLEvent] = []
    while let event = try reader.next() { events.append(event) }
    return events
  }

  @Test func `names come with their namespaces, prefixes are forgotten`() throws {
    let found = try events(
      "<a xmlns='urn:a' xmlns:p='urn:p' p:x='1' y='2'><p:b xmlns=''><c/></p:b></a>")
    let names = found.compactMap { if case .start(let start) = $0 { start.name } else { nil } }
    #expect(names == [.init("a", in: "urn:a"), .init("b", in: "urn:p"), .init("c")])
    guard case .start(let first) = found[0] else { return #expect(Bool(false)) }
    #expect(first["y"] == "2")
    #expect(first.attribute(named: "x", in: "urn:p") == "1")
    #expect(first.attributes.count == 2)
  }

  @Test func `an empty element begins and ends`() throws {
    let found = try events("<a><b/></a>")
    #expect(found.count == 4)
    #expect(found[2] == .end(.init("b")))
  }

  @Test func `text is whole, whatever it is made of`() throws {
    let found = try events("<a>1 &lt; 2 &#38; <![CDATA[<3>]]]]><![CDATA[>]]>\r\n&#x41;</a>")
    #expect(found[1] == .text("1 < 2 & <3>]]>\nA"))
    #expect(found.count == 3)
  }

  @Test(arguments: ["?a=1&amp;b=2", "&lt;&gt;&quot;&apos;&#65;", "a&#9;b&#10;c&#13;d"])
  func `references in values are resolved`(value: String) throws {
    let expected = [
      "?a=1&amp;b=2": "?a=1&b=2", "&lt;&gt;&quot;&apos;&#65;": "<>\"'A",
      "a&#9;b&#10;c&#13;d": "a\tb\nc\rd",
    ]
    guard case .start(let start) = try events("<a b=\"\(value)\"/>")[0] else { return }
    #expect(start["b"] == expected[value])
  }

  @Test func `comments and instructions are reported to those who ask`() throws {
    let text = "<?xml version='1.0'?><a>x<!-- c --><?p d?>y</a>"
    #expect(try events(text).count == 3)
    #expect(try events(text)[1] == .text("xy"))
    var options = XMLOptions.strict
    options.reports = [.comments, .instructions]
    let found = try events(text, options)
    #expect(found.contains(.comment(" c ")))
    #expect(found.contains(.instruction(target: "p", content: "d")))
  }

  @Test func `positions are those of the start tags`() throws {
    let found = try events("<?xml version='1.0'?>\n<ä>\n  <b\n c='d'/><e/></ä>")
    let places = found.compactMap { if case .start(let start) = $0 { start.position } else { nil } }
    #expect(places.map(\.line) == [2, 3, 4])
    #expect(places.map(\.column) == [1, 3, 9])
    #expect(places.map(\.offset) == [22, 29, 40])
  }

  @Test(arguments: [1, 2, 3, 7, 64])
  func `how the bytes arrive makes no difference`(size: Int) throws {
    let text =
      "<?xml version='1.0'?><!DOCTYPE a PUBLIC '-//x' 'y' [ <!ELEMENT a ANY> <!-- ]> --> ]>"
      + "<a b='&amp;ü\"' c=\">\"><!-- <x> - > --><![CDATA[]] ]> <y> ]]>&#228;é<d/>&lt;</a>"
    let whole = try events(text)
    var rest = Array(text.utf8)[...]
    let pulled = XMLReader(.strict) {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
    #expect(try Self.drain(pulled) == whole)
  }

  @Test func `bytes can be fed as they come`() throws {
    var reader = XMLReader(fed: .strict)
    #expect(try reader.next() == nil)
    reader.feed(Array("<a>x</".utf8))
    #expect(try reader.next() == .start(try #require(try start("<a/>"))))
    #expect(try reader.next() == nil)
    reader.feed(Array("a>".utf8))
    #expect(try reader.next() == .text("x"))
    #expect(try reader.next() == .end(.init("a")))
    reader.finish()
    #expect(try reader.next() == nil)
  }

  private func start(_ text: String) throws -> XMLStart? {
    if case .start(let start) = try events(text)[0] { start } else { nil }
  }

  @Test func `a document type without entities is accepted and never loaded`() throws {
    let found = try events(
      """
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
      <html xmlns="http://www.w3.org/1999/xhtml"/>
      """)
    #expect(found.count == 2)
  }

  @Test func `defaults declared in a document type are ignored`() throws {
    let found = try events("<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>")
    guard case .start(let start) = found[0] else { return #expect(Bool(false)) }
    #expect(start.attributes.isEmpty)
  }

  @Test func `entities of XHTML are known where they are asked for`() throws {
    let text = "<!DOCTYPE html SYSTEM 'x'><a b='&eacute;'>&nbsp;&hellip;&lt;&Zcaron;</a>"
    let found = try events(text, .chapter)
    #expect(found[1] == .text("\u{A0}…<Ž"))
    guard case .start(let start) = found[0] else { return #expect(Bool(false)) }
    #expect(start["b"] == "é")
    #expect(throws: XMLError.self) { try events(text) }
  }

  @Test
  func `what nobody declared is text where that is asked for, and elements are not guessed at`()
    throws
  {
    var options = XMLOptions.strict
    options.entities = .web
    let found = try events("<a b='/x?y=1&z=2&amp;w'>R&D &eacute; &nosuch; &</a>", options)
    #expect(found[1] == .text("R&D é &nosuch; &"))
    guard case .start(let start) = found[0] else { return #expect(Bool(false)) }
    #expect(start["b"] == "/x?y=1&z=2&w")
    for torn in [
      "<a>&eacute;</b>", "<a>&", "<a>&#0;</a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    ] {
      #expect(throws: XMLError.self, "\(torn)") { try events(torn, options) }
    }
  }

  @Test(arguments: [
    ("<a>", XMLError.Reason.truncated), ("<a", .truncated), ("<a b='", .truncated),
    ("<a><!--", .truncated), ("<a><![CDATA[x", .truncated), ("<a>x &am", .truncated),
    ("", .empty), (" \n", .empty), ("<!-- x -->", .empty), ("<a></b>", .malformed),
    ("<a b=c/>", .malformed), ("<a b='1' b='2'/>", .malformed), ("<a/><b/>", .malformed),
    ("<a>&x;</a>", .undefinedEntity("x")), ("<a b='&x;'/>", .undefinedEntity("x")),
    ("<!DOCTYPE a SYSTEM 'b'><a b='&x;'/>", .undefinedEntity("x")),
    ("<!DOCTYPE a SYSTEM 'b'><a>&x;</a>", .undefinedEntity("x")),
    ("<a>\u{1}</a>", .malformed), ("<a>\u{0}</a>", .malformed), ("<a>&#0;</a>", .malformed),
    ("<a b='\u{B}'/>", .malformed), ("<x:a/>", .malformed), ("<a x:b='1'/>", .malformed),
    ("<a>&</a>", .malformed), ("<a b='<'/>", .malformed), ("<1/>", .malformed),
    (" <?xml version='1.0'?><a/>", .malformed), ("<a>]]></a>", .malformed),
    ("<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", .malformed), ("x<a/>", .empty),
    ("<!-- a -- b --><a/>", .malformed), ("<a/><!DOCTYPE a>", .malformed),
    ("<a><!DOCTYPE a></a>", .malformed), ("<!DOCTYPE a><!DOCTYPE a><a/>", .malformed),
    ("<!DOCTYPE a <a/>", .malformed), ("<!DOCTYPE a [ x ]><a/>", .malformed),
    ("<!DOCTYPE a", .truncated), ("<!DOCTYPE a [", .truncated),
  ])
  func `what is wrong has a reason`(text: String, reason: XMLError.Reason) {
    let error = #expect(throws: XMLError.self) { try events(text) }
    #expect(error?.reason == reason)
  }

  @Test func `an error says where, in words that quote nothing`() {
    let error = #expect(throws: XMLError.self) { try events("<a>\n<secret></a>") }
    #expect(error?.line == 2)
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("line 2") == true)
  }

  @Test func `an error stays an error`() throws {
    var reader = XMLReader(Array("<a><b></a>".utf8))
    var faults: [XMLError] = []
    while faults.count < 3 {
      do { _ = try reader.next() } catch { faults.append(error) }
    }
    #expect(Set(faults).count == 1)
  }

  @Test func `a failing source is an error of the document`() {
    struct Broken: Error {}
    let error = #expect(throws: XMLError.self) {
      try Self.drain(XMLReader { throw Broken() })
    }
    #expect(error?.reason == .unreadable("Broken()"))
  }

  @Test func `a tree has everything in its place`() throws {
    let root = try XMLDocument(Array("<a>\n<b c='d'>e</b>f<g/></a>".utf8)).root
    #expect(root.elements.map(\.name.local) == ["b", "g"])
    #expect(root.child(named: "b")?["c"] == "d")
    #expect(root.child(named: "b")?.line == 2)
    #expect(root.text == "\nef")
  }

  @Test func `what is written reads back the same`() throws {
    let awkward = "\t\n\r<>&\"' ]]> é 漢 𝕏 \u{85}\u{2028}\u{7F}\u{FFFD}"
    let bytes = XMLWriter.document(
      tag("p:a", .init("xmlns:p", "urn:p"), .init("b", awkward), .init("p:c", awkward)) {
        awkward
        tag("d") { awkward }
      })
    let root = try XMLDocument(bytes).root
    #expect(root.name == .init("a", in: "urn:p"))
    #expect(root["b"] == awkward)
    #expect(root.attribute(named: "c", in: "urn:p") == awkward)
    #expect(root.children.first == .text(awkward))
    #expect(root.child(named: "d")?.text == awkward)
  }
}
