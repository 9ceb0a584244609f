import Circulation
import FoundationEssentials
import HTTP
import Testing

@testable import OPDS

@Suite struct `A feed of OPDS 2` {
  private func book(_ metadata: String, links: String? = nil, rest: String = "") throws
    -> Publication
  {
    let way =
      links
      ?? #"{"rel": "http://opds-spec.org/acquisition/open-access", "href": "/b.epub", "type": "application/epub+zip"}"#
    let text = """
      {"metadata": {"title": "Village"}, "links": [{"rel": "self", "href": "/opds2", "type": "application/opds+json"}],
       "publications": [{"metadata": {\(metadata)}, "links": [\(way)] \(rest)}]}
      """
    return try #require(try Made.feed(text).publications.first)
  }

  @Test(arguments: [
    #""author": "Ada Quill""#, #""author": ["Ada Quill"]"#, #""author": {"name": "Ada Quill"}"#,
    #""author": [{"name": {"en": "Ada Quill", "fr": "Ada Plume"}}]"#,
    #""author": {"fr": "Ada Quill"}"#,
  ])
  func `A feed of OPDS 2 takes a person in every form`(_ author: String) throws {
    let book = try book(#""title": "T", "identifier": "urn:x:1", \#(author)"#)
    #expect(book.contributors.map(\.name) == ["Ada Quill"])
  }

  @Test(arguments: [
    #""The Glass Ferry""#, #"{"de": "Die Fähre", "en": "The Glass Ferry"}"#,
    #"{"und": "The Glass Ferry", "en": "No"}"#,
    #"["The Glass Ferry", "Other"]"#, #"[{"en": "The Glass Ferry"}]"#,
  ])
  func `A feed of OPDS 2 takes a title in one language or several`(_ title: String) throws {
    #expect(try book(#""title": \#(title), "identifier": "urn:x:1""#).title == "The Glass Ferry")
  }

  @Test func `A feed of OPDS 2 takes short relations, one or several`() throws {
    let book = try book(
      #""title": "T", "identifier": "urn:x:1""#,
      links: #"{"rel": ["borrow", "x"], "href": "/borrow"}, {"rel": "download", "href": "/b.epub"}"#
    )
    #expect(book.acquisitions.map { $0.has(.borrow) } == [true, false])
    #expect(book.acquisitions.map { $0.has(.openAccess) } == [false, true])
  }

  @Test func `A feed of OPDS 2 calls the state of a link state, and copies whole numbers`() throws {
    let book = try book(
      #""title": "T", "identifier": "urn:x:1""#,
      links: #"""
        {"rel": "http://opds-spec.org/acquisition/borrow", "href": "/borrow",
         "type": "application/opds-publication+json", "properties": {
          "availability": {"state": "reserved", "since": "2026-01-01T00:00:00Z"},
          "copies": {"total": 2, "available": 0}, "holds": {"total": 4, "position": 2},
          "actions": {"cancellable": true},
          "indirectAcquisition": {"type": "application/epub+zip", "child": null}}}
        """#)
    let way = book.acquisitions[0]
    #expect(way.availability?.state == .reserved)
    #expect(way.copies == .init(total: 2, available: 0))
    #expect(way.holds == .init(total: 4, position: 2))
    #expect(way.isCancellable)
    #expect(
      way.paths.last?.map(\.essence) == [
        "application/opds-publication+json", "application/epub+zip",
      ])
  }

  @Test func `A feed of OPDS 2 tells pictures apart by their width where no relation does`() throws
  {
    let book = try book(
      #""title": "T", "identifier": "urn:x:1""#,
      rest:
        #", "images": [{"href": "/m.jpg", "width": 200}, {"href": "/l.jpg", "width": 800}, {"href": "/s.jpg", "width": 90}]"#
    )
    let covers = book.edition(named: ItemID("x"))?.covers
    #expect(covers?.large == "https://books.example/l.jpg")
    #expect(covers?.small == "https://books.example/s.jpg")
  }

  @Test func `A feed of OPDS 2 keeps good publications beside bad ones, and names these`() throws {
    let feed = try Made.feed(
      """
      {"metadata": {"title": "Village"}, "publications": [
        {"metadata": {"identifier": "urn:x:bad"}, "links": []}, 17,
        {"metadata": {"title": "Good", "identifier": "urn:x:2"}, "links": []}]}
      """)
    #expect(feed.publications.map(\.title) == ["Good"])
    #expect(feed.faults.count == 2)
    #expect(feed.faults[0].contains("urn:x:bad"))
  }

  @Test func `A feed of OPDS 2 has groups with their own address, navigation, and facets`() throws {
    let feed = try Made.feed(
      """
      {"metadata": {"title": "Village", "numberOfItems": 7}, "links": null,
       "navigation": [{"href": "/new", "title": "New", "type": "application/opds+json"}],
       "groups": [{"metadata": {"title": "Fiction"}, "links": [{"rel": "self", "href": "/f"}],
         "publications": [{"metadata": {"title": "A", "identifier": "urn:a"}, "links": []}]}],
       "facets": [{"metadata": {"title": "Sort"}, "links": [
         {"href": "?t", "title": "Title", "rel": "self"},
         {"href": "?a", "title": "Author", "properties": {"numberOfItems": 3}}]}]}
      """)
    #expect(feed.total == 7)
    #expect(feed.navigation.map(\.title) == ["New"])
    #expect(feed.groups.first?.link?.href == "https://books.example/f")
    #expect(feed.everyPublication.map(\.title) == ["A"])
    #expect(feed.facets[0].facets.map(\.isActive) == [true, false])
    #expect(feed.facets[0].facets[1].link.count == 3)
    #expect(feed.kind == .acquisition)
  }

  @Test
  func `an OPDS 2 document with no entries is an empty feed by its type, not a publication`() throws
  {
    let text = #"{"metadata": {"title": "Nothing"}, "links": []}"#
    #expect(try Made.document(text, "application/opds+json").feed?.publications == [])
  }

  @Test func `A feed of OPDS 2 whose parts are of the wrong shape is torn`() {
    #expect(throws: Document.Fault.self) {
      try Made.document(#"{"metadata": {"title": "X"}, "publications": {"a": 1}}"#)
    }
    #expect(throws: Document.Fault.self) { try Made.document(#"{"metadata": [1], "links": []}"#) }
  }
}

@Suite struct `An authentication document` {
  private func document(_ text: String) throws -> AuthenticationDocument {
    guard case .authentication(let found) = try Made.document(text) else { throw Made.NoFeed() }
    return found
  }

  @Test func `An authentication document tells its ways, and what their fields are called`() throws
  {
    let found = try document(
      """
      {"id": "https://books.example/auth", "title": "Village", "authentication": [
        {"type": "http://opds-spec.org/auth/basic", "labels": {"login": "Barcode", "password": "PIN"},
         "inputs": {"login": {"barcode_format": "Codabar"},
           "password": {"keyboard": "Number pad", "maximum_length": 4}}},
        {"type": "http://opds-spec.org/auth/oauth/password",
         "links": [{"rel": "authenticate", "href": "/token"}]},
        {"type": "urn:x:own"}],
       "links": [{"rel": "http://opds-spec.org/shelf", "href": "/loans"}]}
      """)
    #expect(found.flows.map(\.type) == [.basic, .oauthPassword, .other("urn:x:own")])
    #expect(found.flows[0].loginLabel == "Barcode")
    #expect(found.flows[0].password?.maximumLength == 4)
    #expect(found.flows[0].login?.barcodeFormat == "Codabar")
    #expect(found.flows[1].links.first(.authenticate)?.href == "https://books.example/token")
    #expect(found.links.first(.shelf)?.href == "https://books.example/loans")
  }

  @Test func `An authentication document may have its links as an object`() throws {
    let found = try document(
      """
      {"id": "x", "title": "Old", "authentication": [],
       "links": {"start": {"href": "/start"}, "terms-of-service": {"href": "/terms"}}}
      """)
    #expect(found.links.first(.start)?.href == "https://books.example/start")
  }
}

@Suite struct `A search` {
  @Test func `A search is described with templates, of which a feed's is taken`() throws {
    guard
      case .search(let found) = try Made.document(
        """
        <?xml version="1.0"?>
        <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>V</ShortName>
        <Url type="text/html" template="https://books.example/?q={searchTerms}"/>
        <Url type="application/atom+xml;profile=opds-catalog" template="search?q={searchTerms}&amp;p={startPage?}"/>
        </OpenSearchDescription>
        """)
    else { throw Made.NoFeed() }
    #expect(
      found.best?.address(for: "glass & ferry")?.text
        == "https://books.example/opds/search?q=glass%20%26%20ferry&p=1")
  }

  @Test(arguments: [
    ("https://b.example/s{?query,title}", "https://b.example/s?query=x%20y"),
    ("https://b.example/s?lang=en{&q}", "https://b.example/s?lang=en&q=x%20y"),
    ("https://b.example/s/%7BsearchTerms%7D", "https://b.example/s/x%20y"),
    ("https://b.example/s?q={searchTerms?}&a={atom:author?}", "https://b.example/s?q=x%20y&a="),
  ])
  func `A search is filled in, whichever way it is written`(_ template: String, _ address: String) {
    #expect(SearchTemplate(template, type: nil).address(for: "x y")?.text == address)
  }

  @Test(arguments: ["https://b.example/s", "https://b.example/{", "https://b.example/s?a={author}"])
  func `an OPDS search template without a place for words gives no address`(_ template: String) {
    #expect(SearchTemplate(template, type: nil).address(for: "x") == nil)
  }
}
