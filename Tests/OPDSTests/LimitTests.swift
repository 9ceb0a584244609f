import Circulation
import HTTP
import Testing

@testable import OPDS

@Suite struct `A feed that is too much` {
  @Test func `A feed that is too much has its entries counted, and what is over said`() throws {
    let entries = (0..<5003).map { Made.entry(Made.open, id: "urn:x:\($0)") }.joined()
    let feed = try Made.feed(Made.atom(entries))
    #expect(feed.publications.count == 5000)
    #expect(feed.faults == ["3 entries more than are read at once"])
    #expect(feed.isCut)
    #expect(try !Made.feed(Made.atom(Made.entry(Made.open))).isCut)
  }

  @Test func `A feed that is too much is cut, too, where links, lanes or groups are over`() throws {
    let links = (0..<600).map { #"<link rel="http://opds-spec.org/facet" href="/f/\#($0)"/>"# }
    #expect(try Made.feed(Made.atom(links.joined() + Made.entry(Made.open))).isCut)
    for (name, count, made) in [
      ("groups", 501, #"{"metadata":{"title":"G"},"publications":[]}"#),
      ("navigation", 5001, #"{"title":"L","href":"/l"}"#), ("publications", 5001, "{}"),
    ] {
      func json(_ count: Int) -> String {
        let list = Array(repeating: made, count: count).joined(separator: ",")
        return #"{"metadata":{"title":"F"},"\#(name)":[\#(list)]}"#
      }
      #expect(try Made.feed(json(count)).isCut, "\(name)")
      #expect(try !Made.feed(json(3)).isCut, "\(name)")
    }
  }

  @Test func `a feed entry is cut to two hundred authors and 64 kilobytes of summary`()
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

  @Test func `A feed that is too much nests its indirections no deeper than eight`() throws {
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

  @Test func `A feed that is too much with entities of its own is refused`() {
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
  func `A feed that is too much or too little is no document`(_ text: String) {
    #expect(throws: Document.Fault.self) { try Made.document(text, nil, .mending) }
  }
}
