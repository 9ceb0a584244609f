import Testing
import XML

@testable import Gutenberg

@Suite struct `The quick reader` {
  private func both(_ text: String) throws -> (quick: Record?, general: Record?) {
    let bytes = Array(text.utf8)
    let general = try? EventReading.graph(of: bytes, .strict)
    return (PlainReading.graph(of: bytes).flatMap(Record.init), general.flatMap(Record.init))
  }

  private static let whole = Written.record(
    Written.title("A &amp; B &#8212; &#x41;\r\nC\rD ü 漢")
      + "<dcterms:creator>"
      + Written.agent(1, "Rowe, N.", "<pgterms:alias>Rö</pgterms:alias>") + "</dcterms:creator>"
      + "<dcterms:rights/>" + Written.described("dcterms:language", "en")
      + "<dcterms:subject rdf:parseType=\"Resource\"><rdf:value>Tides</rdf:value></dcterms:subject>"
      + "<dcterms:subject><rdf:Description rdf:value='Y &lt; Z'/></dcterms:subject>"
      + Written.file("ebooks/4711.epub3.images", ["application/epub+zip"]))

  @Test func `The quick reader reads all that records are made of as the parser does`() throws {
    let (quick, general) = try both(Self.whole)
    #expect(quick != nil)
    #expect(quick == general)
    #expect(quick?.titles == ["A & B — A\nC\nD ü 漢"])
    #expect(quick?.headings == ["Tides", "Y < Z"])
  }

  /// Only where all of them are declared, and as usual, is the vocabulary asked.
  @Test(
    arguments: [
      (#"xmlns:cc="http://web.resource.org/cc/""#, false),
      (#"xmlns:cc="http://purl.org/dc/terms/""#, true),
      (#"xmlns:cc="http://creativecommons.org/ns#""#, false),
    ])
  func `The quick reader takes names for what the namespaces above them say`(
    cc: String, isTitle: Bool
  ) throws {
    let rdfs = #"xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#""#
    let text = Self.whole.replacing("xmlns:marcrel", with: "\(cc) \(rdfs) xmlns:marcrel")
      .replacing(
        "<dcterms:rights/>", with: "<cc:title>Or</cc:title><rdfs:comment/><dcterms:rights/>")
    let (quick, general) = try both(text)
    #expect(quick != nil)
    #expect(quick == general)
    #expect(quick?.titles.contains("Or") == isTitle)
    let plain = try both(Self.whole).quick
    #expect(quick?.titles.filter { $0 != "Or" } == plain?.titles)
    #expect(quick?.files == plain?.files)
    #expect(quick?.headings == plain?.headings)
  }

  @Test func `The quick reader tells more names apart than it has places for`() throws {
    let fields = (100...399).map { "<pgterms:marc\($0)>\($0)</pgterms:marc\($0)>" }
    let text = Written.record(Written.title("T") + (fields + fields).joined())
    let (quick, general) = try both(text)
    #expect(quick == general)
    #expect(quick?.marc.count == 600)
    #expect(quick?.marc.allSatisfy { $0.tag == $0.text } == true)
  }

  @Test(
    arguments: [
      "<!-- a comment -->", "<![CDATA[x]]>", "<?target?>", "&nbsp;", "&#0;", "]]>", "<dcterms:x>",
      "</dcterms:x>", "<dcterms:a b=1/>", "<dcterms:a x='1' x='2'/>", "<x:y/>", "<a b/>",
      "<dcterms:a rdf:about='<'/>", "\u{1}", "\u{FFFF}", "<1/>", "&", "&#xD800;",
      "<dcterms:a xmlns:rdf='urn:other' rdf:about='z'/>",
    ])
  func `The quick reader leaves what it does not know to the parser`(_ odd: String) throws {
    let text = Written.record(Written.title("T") + odd)
    #expect(PlainReading.graph(of: Array(text.utf8)) == nil)
  }

  @Test func `the fast Gutenberg parser accepts no document that the XML parser refuses`() throws {
    let bytes = Array(Self.whole.utf8)
    for length in stride(from: 0, to: bytes.count, by: 3) {
      #expect(PlainReading.graph(of: Array(bytes[..<length])) == nil, "cut at \(length)")
    }
    let signs = Array("<>&'\"/:= \u{0}]x;".utf8) + [0xFF, 0xC3]
    var taken = 0
    for place in stride(from: 0, to: bytes.count, by: 5) {
      for sign in signs {
        var bent = bytes
        bent[place] = sign
        guard let graph = PlainReading.graph(of: bent) else { continue }
        taken += 1
        let general = try? EventReading.graph(of: bent, .strict)
        #expect(general != nil, "\(place), \(sign)")
        #expect(general.flatMap(Record.init) == Record(graph), "\(place), \(sign)")
      }
    }
    #expect(taken > 100)
  }

  @Test func `The quick reader is not kept busy by a file that refers to itself everywhere`() throws
  {
    let many = (0..<20_000).map { _ in "<dcterms:creator rdf:resource=\"2009/agents/1\"/>" }
    let empty = String(repeating: "<pgterms:agent rdf:about=\"2009/agents/1\"/>", count: 20_000)
    let text = Written.record(Written.title("T") + many.joined(), beside: empty)
    let start = ContinuousClock.now
    #expect(try Read.record(text).credits.isEmpty)
    #expect(start.duration(to: .now) < .seconds(5))
  }
}
