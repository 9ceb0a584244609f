import Markup
import Testing

@Suite struct AddressTests {
  @Test(arguments: [
    ("https://example.org/", "https"), ("HTTPS://example.org/", "https"), ("mailto:a@b", "mailto"),
    (" java\tscript:a()", "javascript"), ("x-y+z.1:a", "x-y+z.1"),
  ])
  func `a scheme is read as a browser reads it`(raw: String, scheme: String) {
    #expect(Address(raw)?.scheme == scheme)
  }

  @Test(arguments: ["a/b:c", "?a:b", "#a:b", "/a:b", "a", "../x", "\\a:b"])
  func `a colon behind the head makes no scheme`(raw: String) {
    let address = Address(raw)
    #expect(address != nil)
    #expect(address?.scheme == nil)
  }

  @Test(arguments: ["", " \n", "1a:b", ":a", "java script:a", "jävascript:a", "a\u{0}b", "%6a:x"])
  func `an address with two readings is none`(raw: String) {
    #expect(Address(raw) == nil)
  }

  @Test func `white space around and line breaks inside are gone`() {
    #expect(Address(" \u{1}/a\n/b ")?.text == "/a/b")
  }

  @Test(arguments: [
    ("//a/b", "https://a/b"), ("/\\a", "https://a"), ("\\\\a", "https://a"), ("/a", "/a"),
    ("/", "/"),
    ("http://a", "http://a"),
  ])
  func `an address without a scheme that leaves the host gets one`(raw: String, whole: String) {
    #expect(Address(raw)?.absolute?.text == whole)
  }

  @Test(arguments: [
    ("data:image/png;base64,AA==", true), ("DATA:image/PNG;base64,AA==", true),
    ("data:image/svg+xml;base64,AA==", false), ("data:image/png,AA", false),
    ("data:text/html;image/png;base64,", false),
  ])
  func `only pixels are images`(raw: String, isImage: Bool) {
    #expect(Address(raw)?.isDataImage == isImage)
  }
}
