import Circulation
import HTTP
import Testing

@testable import OPDS

@Suite struct `A feed that is too much` {
  @Test func `has its entries counted, and what is over said`() throws {
    let entries = (0..<5003).map { Made.entry(Made.open, id: "urn:x:\($0)") }.joined()
    let feed = try Made.feed(Made.atom(entries))
    #expect(feed.publications.count == 5000)
    #expect(feed.faults == ["3 entries more than are read at once"])
  }

  @Test func `has five hundred authors cut to two hundred, and a summary of a megabyte to a part`()
    throws
  {
    let people = (0..<500).map { "<author><name>P\($0)</name></author>" }.joined()
    let text = String(repeating: "word ", count: 200_000)
    let book = try #require(
      try Made.feed(
        Made.atom(Made.entry(Made.open + people + "<summary>\(text)</summary>"))
      ).publications.first)
    #expect(book.contributors.count == 200)
    #expect(book.summary?.text.utf8.count == 64 << 10)
  }

  @Test func `nests its indirections no deeper than eight`() throws {
    let open = String(
      repeating: #"<opds:indirectAcquisition type="application/epub+zip">"#, count: 40)
    let close = String(repeating: "</opds:indirectAcquisition>", count: 40)
    let link = """
      <link rel="http://opds-spec.org/acquisition" href="/b" type="application/epub+zip">
      \(open)\(close)</link>
      """
    let way = try Made.feed(Made.atom(Made.entry(link))).publications[0].acquisitions[0]
    #expect(way.paths[0].count == 9)
  }

  @Test func `with entities of its own is refused`() {
    let bomb = """
      <!DOCTYPE feed [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
      <feed xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></feed>
      """
    #expect(throws: Document.Fault.self) { try Made.feed(bomb, .mending) }
  }

  @Test(arguments: [
    "", "   \n", "plain text", "<", "{", "[]", "null", "{}", "<feed", "<a/>", "{\"metadata\":1}",
    "\u{FEFF}",
  ])
  func `or too little is no document`(_ text: String) {
    #expect(throws: Document.Fault.self) { try Made.document(text, nil, .mending) }
  }
}
