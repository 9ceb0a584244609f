import Markup
import Testing
import XML

@Suite struct XMLLimitsTests {
  private func refusal(_ text: String, _ options: XMLOptions = .strict) -> XMLError.Reason? {
    do {
      var reader = XMLReader(Array(text.utf8), options)
      while try reader.next() != nil {}
      return nil
    } catch {
      return error.reason
    }
  }

  static let bombs = [
    // A billion laughs.
    "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]><l>&b;</l>",
    // Quadratic blow-up.
    "<!DOCTYPE l [<!ENTITY a '\(String(repeating: "x", count: 50_000))'>]><l>"
      + String(repeating: "&a;", count: 50_000) + "</l>",
    "<!DOCTYPE l [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><l>&a;</l>",
    "<!DOCTYPE l [<!ENTITY a SYSTEM \"http://127.0.0.1:1/\">]><l>&a;</l>",
    "<!DOCTYPE l [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><l/>",
    "<!DOCTYPE l [<!ENTITY % p '<!ENTITY a \"b\">'> %p;]><l>&a;</l>",
    "<!DOCTYPE l [%p;]><l/>", "<!DOCTYPE l [ <!-- ' --> <!ENTITY a 'b'>]><l>&a;</l>",
    "<!DOCTYPE l [<!ELEMENT l (#PCDATA)><?p ]> ?><!ENTITY a 'b'>]><l>&a;</l>",
    "<!DOCTYPE l [<!ATTLIST l a CDATA ']>'><!ENTITY a 'b'>]><l>&a;</l>",
    "<!DOCTYPE l SYSTEM ']>[' [<!ENTITY a 'b'>]><l>&a;</l>",
    "<!DOCTYPE l [<!NOTATION n SYSTEM 'x'><!ENTITY u SYSTEM 'u' NDATA n>]><l/>",
  ]

  @Test(arguments: bombs, [XMLOptions.strict, .chapter, .recovering])
  func `a document that declares entities is refused`(bomb: String, options: XMLOptions) {
    #expect(refusal(bomb, options) == .entityDeclared)
  }

  @Test func `entities are refused in every encoding`() {
    let units = "<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a 'b'>]><l>&a;</l>".utf16
    let bytes: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(throws: XMLError.self) { try XMLDocument(bytes) }
  }

  @Test(arguments: [XMLOptions.strict, .recovering])
  func `depth is limited, for reading and for trees`(options: XMLOptions) {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(refusal(nested(256), options) == nil)
    #expect(refusal(nested(257), options) == .tooDeep(limit: 256))
    #expect(refusal(nested(10_000), options) == .tooDeep(limit: 256))
    #expect(refusal(String(repeating: "<a>", count: 1_000_000), options) == .tooDeep(limit: 256))
    #expect(throws: XMLError.self) { try XMLDocument(Array(nested(10_000).utf8), options) }
  }

  @Test func `every limit has a ceiling`() {
    let limits = XMLLimits(
      bytes: .max, depth: .max, attributes: .max, tag: .max, name: .max, text: .max, nodes: .max)
    #expect(limits.depth == 512)
    #expect(limits.bytes == 16 << 30)
    #expect(limits.text == 8 << 20)
    #expect(limits.nodes == 2_000_000)
    let least = XMLLimits(depth: 0, attributes: -1)
    #expect(least.depth == 1)
    #expect(least.attributes == 1)
  }

  @Test func `the deepest tree there can be is built and released`() throws {
    var options = XMLOptions.strict
    options.limits = XMLLimits(depth: 512)
    let text = String(repeating: "<a>", count: 512) + String(repeating: "</a>", count: 512)
    let root = try XMLDocument(Array(text.utf8), options).root
    #expect(root.descendants(named: "a").count == 511)
  }

  @Test func `attributes, tags, names and texts are limited`() {
    let many = (0..<300).map { " a\($0)=''" }.joined()
    #expect(refusal("<a\(many)/>") == .tooLarge(.attributes, limit: 256))
    let long = String(repeating: "x", count: 2 << 20)
    #expect(refusal("<a b='\(long)'/>") == .tooLarge(.tag, limit: 1 << 20))
    #expect(refusal("<a \(long)/>") == .tooLarge(.tag, limit: 1 << 20))
    #expect(refusal("<\(long)/>") != nil)
    let name = String(repeating: "n", count: 1001)
    #expect(refusal("<\(name)/>") == .tooLarge(.name, limit: 1000))
    #expect(refusal("<a \(name)=''/>") == .tooLarge(.name, limit: 1000))
    let text = String(repeating: "y", count: 5 << 20)
    #expect(refusal("<a>\(text)</a>") == .tooLarge(.text, limit: 4 << 20))
    #expect(refusal("<a><![CDATA[\(text)]]></a>") == .tooLarge(.text, limit: 4 << 20))
    #expect(refusal("<a><!--\(text)--></a>") == .tooLarge(.text, limit: 4 << 20))
    #expect(refusal("<a><?p \(text)?></a>") == .tooLarge(.text, limit: 4 << 20))
    #expect(
      refusal("<!DOCTYPE a [<!--\(text)-->]><a/>") == .tooLarge(.doctype, limit: 64 << 10))
  }

  @Test func `namespaces in force are limited`() {
    let declarations = (0..<200).map { " xmlns:p\($0)='u'" }.joined()
    #expect(refusal("<a\(declarations)><b/></a>") == nil)
    #expect(
      refusal("<a\(declarations)><a\(declarations)/></a>") == .tooLarge(.namespaces, limit: 256))
    let beside = "<a>" + String(repeating: "<b\(declarations)/>", count: 9) + "</a>"
    #expect(refusal(beside) == nil)
  }

  @Test func `bytes and nodes are limited`() {
    var options = XMLOptions.strict
    options.limits = XMLLimits(bytes: 100, nodes: 3)
    #expect(
      refusal("<a>" + String(repeating: "x", count: 100), options) == .tooLarge(.bytes, limit: 100))
    let error = #expect(throws: XMLError.self) {
      try XMLDocument(Array("<a><b/><c/><d/></a>".utf8), options)
    }
    #expect(error?.reason == .tooLarge(.nodes, limit: 3))
  }

  @Test func `a limit given in recovering mode holds too`() {
    let many = (0..<300).map { " a\($0)=''" }.joined()
    #expect(refusal("<a\(many)/>", .recovering) == .tooLarge(.attributes, limit: 256))
  }

  @Test func `names that never repeat cannot fill the memory`() {
    var (number, isDone) = (0, false)
    let reader = XMLReader(.init()) {
      guard !isDone else { return [] }
      let names = (0..<200).map { "<n\($0 + number)-\(String(repeating: "x", count: 900))/>" }
      number += 200
      isDone = number > 40_000
      return Array((number == 200 ? "<r>" : "").utf8) + Array(names.joined().utf8)
    }
    do {
      _ = try XMLReaderTests.drain(reader)
      Issue.record("36 MB of names were kept")
    } catch {
      #expect(error.reason == .tooLarge(.vocabulary, limit: 10_000_000))
    }
  }
}
