import Markup
import Testing

@Suite struct ElementTests {
  private static let atom = "http://www.w3.org/2005/Atom"

  private func element(_ local: String, _ namespace: String? = nil, _ children: Content...)
    -> Element
  {
    Element(QualifiedName(local, in: namespace), children: children)
  }

  private var feed: Element {
    element(
      "feed", Self.atom, .text("\n"),
      .element(element("title", nil, .text("none"))),
      .element(element("title", Self.atom, .text("a"), .element(element("b")), .text("c"))),
      .element(element("entry", Self.atom, .element(element("title", Self.atom, .text("e"))))))
  }

  @Test func `a child is found by name, or by name and namespace`() {
    #expect(feed.child(named: "title")?.text == "none")
    #expect(feed.child(named: "title", in: nil)?.text == "none")
    #expect(feed.child(named: "title", in: Self.atom)?.text == "ac")
    #expect(feed.child(named: "title", in: "urn:other") == nil)
  }

  @Test func `children are one level, descendants all`() {
    #expect(feed.children(named: "title").count == 2)
    #expect(feed.descendants(named: "title").map(\.text) == ["none", "ac", "e"])
    #expect(feed.descendants(named: "title", in: Self.atom).map(\.text) == ["ac", "e"])
  }

  @Test func `text is all of it, as written`() {
    #expect(feed.text == "\nnoneace")
  }

  @Test func `an attribute with a prefix is another one`() {
    let lang = Element.Attribute(QualifiedName("lang", in: Namespaces.xml), "en")
    let link = Element(
      QualifiedName("a"), attributes: [lang, .init(QualifiedName("lang"), "de")])
    #expect(link["lang"] == "de")
    #expect(link.attribute(named: "lang", in: Namespaces.xml) == "en")
  }
}
