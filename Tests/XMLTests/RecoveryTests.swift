import Markup
import Testing
import XML

@Suite struct RecoveryTests {
  private func written(_ text: String) throws(XMLError) -> String {
    let root = try XMLDocument(Array(text.utf8), .recovering).root
    return Self.written(root)
  }

  private static func written(_ element: Element) -> String {
    let attributes = element.attributes.map { " \($0.name.local)=[\($0.value)]" }.joined()
    let children = element.children.map {
      switch $0 {
      case .text(let text): text
      case .element(let child): written(child)
      }
    }
    return "<\(element.name.local)\(attributes)>\(children.joined())</>"
  }

  @Test(arguments: [
    ("<a>x & y &foo; &nbsp;&amp;&AMP</a>", "<a>x & y &foo; \u{A0}&&AMP</>"),
    ("<a b='?c=1&d=2&amp;e'/>", "<a b=[?c=1&d=2&e]></>"),
    ("<a>1 < 2 <3 <</a>", "<a>1 < 2 <3 <</>"),
    ("<a b='1 < 2'/>", "<a b=[1 < 2]></>"),
    ("<a>\u{B}x\u{0}y\u{1F}</a>", "<a>xy</>"),
    ("<a>&#0;&#x1F;&#xD800;&#65;&#;</a>", "<a>\u{FFFD}\u{FFFD}\u{FFFD}A&#;</>"),
    ("\n \u{FEFF}<?xml version='1.0'?><a>x</a>".replacing("\u{FEFF}", with: ""), "<a>x</>"),
    ("<f><e><t>x<br>y</t></e><e>z</e></f>", "<f><e><t>x<br>y</></></><e>z</></>"),
    ("<f><e>x</b></e><e>y</e></f>", "<f><e>x</><e>y</></>"),
    ("<f><e><t>cut", "<f><e><t>cut</></></>"),
    ("<f><e>x</e><e", "<f><e>x</><e></></>"),
    ("<f><e>x</e><e a='b", "<f><e>x</><e a=[b]></></>"),
    ("<f><!-- cut", "<f></>"),
    ("<f><![CDATA[cut", "<f>cut</>"),
    ("<f><p:x p:y='1'/></f>", "<f><p:x p:y=[1]></></>"),
    ("<f><a b='1' b='2'/>x</f>", "<f><a b=[1]></>x</>"),
    ("<f><a <b>x</b></f>", "<f><a><b>x</></></>"),
  ])
  func `a broken feed is read as it was meant`(text: String, expected: String) throws {
    #expect(try written(text) == expected)
  }

  @Test func `what was guessed is in the warnings, with its place`() throws {
    let document = try XMLDocument(Array("<a>\nb & c &foo;</a>".utf8), .recovering)
    #expect(document.warnings.map(\.line) == [2, 2])
    #expect(document.warnings.last?.reason == .undefinedEntity("foo"))
  }

  @Test func `a sound document gives no warnings`() throws {
    let document = try XMLDocument(
      Array("<?xml version='1.0'?><a b='&amp;'>&#65;<c/><!-- d --></a>".utf8), .recovering)
    #expect(document.warnings == [])
  }

  @Test func `warnings are limited`() throws {
    let text = "<a>" + String(repeating: "& ", count: 10_000) + "</a>"
    #expect(try XMLDocument(Array(text.utf8), .recovering).warnings.count == 100)
  }

  @Test(arguments: ["", "hello", "{\"json\": true}"])
  func `what is no XML at all is refused all the same`(text: String) {
    #expect(throws: XMLError.self) { try written(text) }
  }

  @Test(arguments: [1, 2, 5])
  func `recovery does not depend on how the bytes arrive`(size: Int) throws {
    let text = "<f><e t='a&b'>x & y &foo; &eacute; <br>z</e></q><e>1 < 2</e>"
    var rest = Array(text.utf8)[...]
    let reader = XMLReader(.recovering) {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
    let whole = XMLReader(Array(text.utf8), .recovering)
    #expect(try XMLReaderTests.drain(reader) == XMLReaderTests.drain(whole))
  }
}
