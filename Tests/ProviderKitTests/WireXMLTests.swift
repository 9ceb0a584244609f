import Testing
import XML

@testable import ProviderKit

@Suite struct `An answer in XML` {
  private func read(_ text: String) throws -> WireXML { try WireXML(parsing: Array(text.utf8)) }

  @Test func `An answer in XML is read whatever its namespaces and prefixes`() throws {
    let root = try read("<a:Shelf xmlns:a='urn:one'><b xmlns='urn:two'>7</b></a:Shelf>")
    #expect(root.name == "Shelf" && root.whole("b") == 7)
  }

  @Test func `An answer in XML is read whatever the case of its names`() throws {
    #expect(try read("<r><DueDateInUtc>x</DueDateInUtc></r>").words("DueDateInUTC") == "x")
  }

  @Test(arguments: ["<r/>", "<r><v/></r>", "<r><v>  \n</v></r>", "<r><v nil='true'>x</v></r>"])
  func `An answer in XML says nothing where a text is missing, empty or blank`(text: String) throws
  {
    #expect(try read(text).words("v") == nil)
  }

  @Test func `An answer in XML has its texts trimmed, and its numbers and truth values read`()
    throws
  {
    let root = try read("<r><n> 1,204 </n><t>TRUE</t><f>no</f><x>maybe</x><d>0.5</d></r>")
    #expect(root.whole("n") == 1204 && root["d"]?.decimal == 0.5)
    #expect(root.flag("t") == true && root.flag("f") == false && root.flag("x") == nil)
  }

  @Test func `An answer in XML gives its lists, near and far`() throws {
    let root = try read("<r><l><i>1</i><i>2</i></l><deep><l><i>3</i></l></deep></r>")
    #expect(root.list("i", in: "l").compactMap(\.whole) == [1, 2])
    #expect(root.everywhere("i").compactMap(\.whole) == [1, 2, 3])
  }

  @Test
  func `an XML answer may start with a blank line, use HTML entities and hold a bad byte`() throws {
    let body = Array("\n<?xml version='1.0'?><r><v>a&nbsp;".utf8) + [0xFF] + Array("</v></r>".utf8)
    #expect(try WireXML(parsing: body).words("v")?.hasPrefix("a\u{A0}") == true)
  }

  @Test(arguments: ["", "   ", "busy", "<r><v>1</v>", "<r><v>1</r>", "<r><v>1</v></r", "{}"])
  func `An answer in XML is refused when it is cut off, torn or none at all`(text: String) {
    #expect(throws: XMLError.self) { try read(text) }
  }

  @Test func `An answer in XML is refused when it declares entities or nests without end`() {
    #expect(throws: XMLError.self) { try read("<!DOCTYPE r [<!ENTITY a 'b'>]><r>&a;</r>") }
    #expect(throws: XMLError.self) {
      try read(String(repeating: "<r>", count: 100) + String(repeating: "</r>", count: 100))
    }
  }
}

@Suite struct `A document in an address` {
  @Test func `A document in an address comes out as it went in`() {
    let bytes = Array("<a>\u{0}ü</a>".utf8)
    let address = InlineDocument.address(of: bytes, "text/xml")
    #expect(address.hasPrefix("data:text/xml;base64,"))
    #expect(InlineDocument.bytes(of: address) == bytes)
    #expect(InlineDocument.address(of: [], "a/b") == "data:a/b;base64,")
  }

  @Test(arguments: [
    "", "data:", "data:,x", "data:a/b;base64,***", "https://a.example/;base64,eA==",
  ])
  func `A document in an address is in no other address`(address: String) {
    #expect(InlineDocument.bytes(of: address) == nil)
  }
}

@Suite struct `A language's tag` {
  @Test(arguments: [
    ("en", "en"), ("eng", "en"), ("EN-us", "en"), ("fre", "fr"), ("fra", "fr"), ("ger", "de"),
    ("chi", "zh"), ("zul", "zu"), ("haw", "haw"), ("grc", "grc"), ("", nil), ("und", nil),
    ("mul", nil), ("e", nil), ("English", nil), ("12", nil), ("|||", nil),
  ])
  func `A language's tag has two letters where there are two`(text: String, tag: String?) {
    #expect(LanguageTag.primary(of: text) == tag)
  }
}
