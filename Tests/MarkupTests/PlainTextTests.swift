import Markup
import Testing

@Suite struct PlainTextTests {
  @Test func `paragraphs stand apart, white space is one blank`() {
    let nodes = [
      tag("p") { "a \n\t b" },
      tag("p") {
        tag("b") { " c" }
        "d"
      },
    ]
    #expect(PlainText.of(nodes) == "a b\n\ncd")
  }

  @Test func `a line break is one`() {
    #expect(
      PlainText.of([
        tag("p") {
          "a "
          tag("br")
          " b"
        }
      ]) == "a\nb")
  }

  @Test func `list items are lines with a mark`() {
    let list = tag("ul") {
      tag("li") { "a" }
      tag("li") { tag("p") { "b" } }
    }
    #expect(PlainText.of([.text("x"), list, .text("y")]) == "x\n\n• a\n• b\n\ny")
  }

  @Test func `cells of a row share a line`() {
    let table = tag("table") {
      tag("tr") {
        tag("td") { "a" }
        tag("td") { "b" }
      }
      tag("tr") { tag("td") { "c" } }
    }
    #expect(PlainText.of([table]) == "a b\nc")
  }

  @Test func `preformatted text keeps its form`() {
    #expect(PlainText.of([tag("pre") { " a\n  b" }]) == " a\n  b")
  }

  @Test func `what is not for reading is not read, an image by its text`() {
    let content: [Content] = [
      .element(Element(QualifiedName("script"), children: [.text("alert()")])),
      .element(
        Element(
          QualifiedName("img"), attributes: [.init(QualifiedName("alt"), "a cover")])),
    ]
    #expect(PlainText.of(content) == "a cover")
  }
}
