import Markup
import Testing

@Suite struct HTMLWriterTests {
  private func html(_ nodes: Node...) -> String {
    String(decoding: HTMLWriter.fragment(nodes), as: UTF8.self)
  }

  @Test func `a document starts with its document type`() {
    let bytes = HTMLWriter.document(tag("html", .init("lang", "en")))
    #expect(
      String(decoding: bytes, as: UTF8.self) == "<!doctype html>\n<html lang=\"en\"></html>")
  }

  @Test func `void elements have neither content nor an end`() {
    #expect(html(tag("br") { "lost" }) == "<br>")
    #expect(html(tag("IMG", .init("src", "/a.png"))) == "<IMG src=\"/a.png\">")
  }

  @Test func `an empty element that is not void keeps its end tag`() {
    #expect(html(tag("textarea")) == "<textarea></textarea>")
    #expect(html(tag("div")) == "<div></div>")
  }

  @Test func `a boolean attribute has no value`() {
    #expect(
      html(tag("input", .init("required", true), .init("disabled", false))) == "<input required>")
  }

  @Test(arguments: ["script", "style", "SCRIPT", "xmp", "iframe", "noembed", "noframes"])
  func `text inside raw elements is never written`(spelled: String) {
    let elements: [String: Node] = [
      "script": tag("script") { "alert(1)" }, "style": tag("style") { "@import 'x'" },
      "SCRIPT": tag("SCRIPT") { "alert(1)" }, "xmp": tag("xmp") { "</xmp><script>" },
      "iframe": tag("iframe") { "</iframe>" }, "noembed": tag("noembed") { "x" },
      "noframes": tag("noframes") { "x" },
    ]
    #expect(elements[spelled].map { html($0) } == "<\(spelled)></\(spelled)>")
  }

  @Test func `a script from a file keeps its address`() {
    #expect(
      html(tag("script", .init("src", "/app.js"), .init("defer", true)))
        == "<script src=\"/app.js\" defer></script>")
  }

  @Test func `a data block cannot be ended from inside`() {
    #expect(
      html(.data(DataBlock(#"{"a":"</script><!--&"}"#, id: "state")))
        == #"<script type="application/json" id="state">"#
        + #"{"a":"\u003c/script\u003e\u003c!--\u0026"}</script>"#)
  }

  @Test func `a value cannot end its element even where it is read raw`() {
    #expect(
      html(tag("noscript") { tag("p", .init("title", "</noscript><img src=x onerror=a()>")) })
        == "<noscript><p title=\"&lt;/noscript&gt;&lt;img src=x onerror=a()&gt;\"></p></noscript>")
  }

  @Test func `handlers and inner documents are not written`() {
    #expect(
      html(
        tag(
          "a", .init("onclick", "a()"), .init("ONLOAD", true), .init("onpointerrawupdate", "a()"),
          .init("srcdoc", "<p>"), .init("title", "t")))
        == "<a title=\"t\"></a>")
  }

  @Test(arguments: [
    "javascript:a()", " JavaScript:a()", "java\nscript:a()", "java\tscript\r:a()",
    "\u{1}javascript:a()", "vbscript:a()", "data:text/html,<script>", "data:image/svg+xml,<svg>",
    "javascript\u{0}:a()", "java\u{2}script:a()",
  ])
  func `an address that runs script is not written`(address: String) {
    #expect(html(tag("a", .init("href", address))) == "<a></a>")
    #expect(html(tag("form", .init("action", address))) == "<form></form>")
    #expect(html(tag("button", .init("formaction", address))) == "<button></button>")
    #expect(html(tag("use", .init("xlink:href", address))) == "<use></use>")
  }

  @Test(arguments: [
    "/a?b=1&c=2", "https://example.org/javascript:", "#x", "mailto:a@example.org",
    "data:image/png;base64,iVBORw0KGgo=", "urn:isbn:0",
  ])
  func `other addresses are`(address: String) {
    let escaped = address.split(separator: "&").joined(separator: "&amp;")
    #expect(html(tag("a", .init("href", address))) == "<a href=\"\(escaped)\"></a>")
  }

  @Test func `a line break at the beginning of preformatted text is kept`() {
    #expect(html(tag("pre") { "\na" }) == "<pre>\n\na</pre>")
    #expect(html(tag("textarea") { "\na" }) == "<textarea>\n\na</textarea>")
    #expect(html(tag("pre") { "a" }) == "<pre>a</pre>")
  }

  @Test func `text that may be ended by a tag is escaped`() {
    #expect(
      html(tag("title") { "</title><script>" }) == "<title>&lt;/title&gt;&lt;script&gt;</title>")
  }
}
