import HTTP
import HTTPServer
import Markup
import MockKit
import Testing
import XML

@Suite struct `A fault in an answer of XML` {
  private static let shelf = """
    <?xml version="1.0" encoding="utf-8"?><shelf xmlns="urn:shelf" xmlns:x="urn:more">\
    <status>0</status><code>0000</code><book x:copies="3"><name>One &amp; two</name><year>1901</year></book>\
    <book x:copies="4"><name>Three</name><year>old</year></book>\
    <by><name>Ada</name></by><by><name>Bruno</name></by></shelf>
    """

  private func root(_ response: Response) throws -> Element {
    try XMLDocument(response.wholeBody).root
  }

  private func texts(_ name: String, _ element: Element) -> [String] {
    element.children.flatMap { child -> [String] in
      guard case .element(let inner) = child else { return [] }
      guard inner.name.local == name else { return texts(name, inner) }
      return inner.children.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
  }

  private func copies(_ element: Element) -> [String] {
    element.children.compactMap { child in
      guard case .element(let inner) = child else { return nil }
      return inner.attributes.first {
        $0.name == QualifiedName("copies", in: "urn:more")
      }?.value
    }
  }

  private var response: Response { .text(Self.shelf, .xml) }

  @Test func `A fault in an answer of XML gives the root another name, and leaves the rest`() throws
  {
    let old = try root(response)
    let new = try root(Spoiling.reshaped(response))
    #expect(new.name != old.name && new.name.namespace == "urn:shelf")
    #expect(texts("name", new) == texts("name", old) && copies(new) == ["3", "4"])
  }

  @Test func `A fault in an answer of XML puts words where numbers are due`() throws {
    let new = try root(Spoiling.respelled(response))
    #expect(new.name.local == "shelf")
    #expect(texts("name", new) == ["One & two", "Three", "Ada", "Bruno"])
    #expect(texts("status", new) == ["a good many"] && texts("code", new) == ["a good many"])
    #expect(texts("year", new) == ["a good many", "old"])
    #expect(copies(new) == ["a good many", "a good many"])
  }

  @Test func `A fault in an answer of XML makes it longer by what means nothing`() throws {
    let padded = Spoiling.padded(response, by: 10_000)
    #expect(padded.wholeBody.count > 10_000)
    #expect(padded.wholeBody.starts(with: [0xEF, 0xBB, 0xBF]))
    #expect(try texts("name", root(padded)) == ["One & two", "Three", "Ada", "Bruno"])
  }

  @Test func `A fault in an answer of XML changes the order of records, and of nothing else`()
    throws
  {
    var random = SeededRandom(seed: 1)
    let new = try root(Spoiling.reordered(response, &random))
    #expect(texts("name", new) == ["Three", "One & two", "Ada", "Bruno"])
    #expect(copies(new) == ["4", "3"])
    #expect(texts("status", new) == ["0"])
  }

  @Test func `A fault in an answer of XML leaves alone what is no document`() {
    var random = SeededRandom(seed: 1)
    for text in ["<html><body><p>1</p></body></html>", "<a><b>", "plain 1", ""] {
      let response = Response.text(text, .xml)
      let others = [
        Spoiling.reshaped(response), Spoiling.respelled(response),
        Spoiling.padded(response, by: 50), Spoiling.reordered(response, &random),
      ]
      #expect(others.allSatisfy { $0.wholeBody == Array(text.utf8) }, "\(text)")
    }
  }
}
