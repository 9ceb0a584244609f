import Circulation
import FoundationEssentials
import HTTP
import Testing

@testable import OPDS

@Suite struct `An Atom feed` {
  private func one(_ inside: String, root: String = "") throws -> Publication {
    try #require(try Made.feed(Made.atom(Made.entry(inside), root: root)).publications.first)
  }

  @Test func `An Atom feed of entries that lead on is navigation, whatever its type says`() throws {
    let feed = try Made.feed(
      Made.atom(
        """
        <entry><id>urn:x:new</id><title>New</title><content type="text">Added last.</content>
        <link rel="subsection" href="new" type="application/atom+xml; profile=opds-catalog"/></entry>
        """))
    #expect(feed.kind == .navigation)
    #expect(feed.navigation.first?.title == "New")
    #expect(feed.navigation.first?.summary == "Added last.")
    #expect(feed.navigation.first?.target?.href == "https://books.example/opds/new")
  }

  @Test func `An Atom feed of books is acquisition`() throws {
    let feed = try Made.feed(Made.atom(Made.entry(Made.open)))
    #expect(feed.kind == .acquisition)
    #expect(feed.title == "Village Books")
    #expect(feed.updated == Date(timeIntervalSince1970: 1_772_359_200))
  }

  @Test func `An Atom feed has relative links taken from where it came from`() throws {
    #expect(try one(Made.open).acquisitions[0].link.href == "https://books.example/b/1.epub")
  }

  @Test func `An Atom feed has relative links taken from its own base where it names one`() throws {
    let link = Made.open.replacing("/b/1.epub", with: "1.epub")
    let book = try one(link, root: #"xml:base="https://files.example/store/""#)
    #expect(book.acquisitions[0].link.href == "https://files.example/store/1.epub")
  }

  @Test(arguments: [
    "https://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "http://www.w3.org/2005/Atom/",
  ])
  func `An Atom feed is known by namespaces that are written wrongly`(_ namespace: String) throws {
    let text = Made.atom(Made.entry(Made.open))
      .replacing("http://www.w3.org/2005/Atom", with: namespace)
    #expect(try Made.feed(text).publications.count == 1)
  }

  @Test func `an Atom feed without a namespace is read as a feed`() throws {
    let text = Made.atom(Made.entry(Made.open))
      .replacing(#"xmlns="http://www.w3.org/2005/Atom""#, with: "")
    #expect(try Made.feed(text).publications.count == 1)
  }

  @Test func `An Atom feed may begin with blank lines, and end in somebody's thanks`() throws {
    let text = "\n\n" + Made.atom(Made.entry(Made.open)) + "<br />Thank you & bye"
    #expect(try Made.feed(text).publications.count == 1)
  }

  @Test func `An Atom feed that is cut off is torn, even for whoever mends`() throws {
    let text = String(Made.atom(Made.entry(Made.open)).dropLast(30))
    #expect(throws: Document.Fault.self) { try Made.feed(text, .mending) }
  }

  @Test func `An Atom feed with a bare ampersand is read, as nothing hangs on it`() throws {
    let text = Made.atom(Made.entry(Made.open)).replacing("Glass Ferry", with: "Glass & Ferry")
    #expect(try Made.feed(text).publications.map(\.title) == ["The Glass & Ferry"])
  }

  @Test
  func `an Atom feed with an unclosed tag is mended for a harvest and refused for a shelf`() throws
  {
    let text = Made.atom(Made.entry(Made.open)).replacing("Glass Ferry", with: "Glass <br>Ferry")
    #expect(throws: Document.Fault.self) { try Made.feed(text) }
    #expect(try Made.feed(text, .mending).publications.count == 1)
  }

  @Test(arguments: [
    #"<link href="/a.epub" type="application/x-epub+zip"/>"#,
    #"<link rel="enclosure" href="/a.epub" type="application/epub"/>"#,
    #"<link rel="http://opds-spec.org/acquisition/open-access/" href="/a.epub" type="application/epub+zip"/>"#,
    #"<link rel="https://opds-spec.org/acquisition" href="/a.epub?x=1.pdf" type="application/octet-stream"/>"#,
    #"<link rel="alternate http://opds-spec.org/acquisition" href="/a.EPUB"/>"#,
  ])
  func `An Atom feed calls a book a book, in whatever words its file is linked`(_ link: String)
    throws
  {
    let book = try #require(try Made.feed(Made.atom(Made.entry(link))).publications.first)
    let formats = Formats.all(of: book.acquisitions)
    #expect(formats.map(\.content) == [.epub])
    #expect(formats.first?.isReadableHere == true)
  }

  @Test func `An Atom feed takes no page and no borrowing for a file by its address`() throws {
    for link in [
      #"<link rel="alternate" href="/a.epub"/>"#, #"<link rel="self" href="/a.epub"/>"#,
      #"<link href="/a.epub" type="text/html"/>"#,
    ] {
      #expect(try Made.feed(Made.atom(Made.entry(link))).publications.isEmpty)
    }
    let borrow = #"<link rel="http://opds-spec.org/acquisition/borrow" href="/a.epub"/>"#
    let book = try Made.feed(Made.atom(Made.entry(borrow))).publications[0]
    #expect(Formats.all(of: book.acquisitions).isEmpty)
  }

  @Test func `An Atom feed gives a book without an id the address that brings it`() throws {
    let text = Made.atom(Made.entry(Made.open, id: nil))
    #expect(try Made.feed(text).publications.first?.id == "https://books.example/b/1.epub")
  }

  @Test func `An Atom feed leaves out what is neither book nor place, and says so`() throws {
    let feed = try Made.feed(Made.atom("<entry><id>urn:x:odd</id></entry>" + Made.entry(Made.open)))
    #expect(feed.publications.count == 1)
    #expect(feed.faults.count == 1)
    #expect(feed.faults.first?.contains("urn:x:odd") == true)
  }

  @Test func `An Atom feed tells roles, series, subjects and dates`() throws {
    let book = try one(
      Made.open + """
        <contributor xmlns:opf="http://www.idpf.org/2007/opf" opf:role="nrt"><name>B. Voice</name>
        </contributor>
        <schema:series name="Ferries"><position>2.5</position></schema:series>
        <category scheme="http://schema.org/audience" term="Adult" label="Adult"/>
        <category scheme="urn:bisac" term="FIC000000" label="Fiction"/>
        <dc:language>eng</dc:language><dc:publisher>Mole</dc:publisher><dc:issued>1913-04</dc:issued>
        <published>2025-12-31T23:00:00+01:00</published><dc:identifier>urn:isbn:9780306406157</dc:identifier>
        """)
    let edition = try #require(book.edition(named: ItemID("x")))
    #expect(edition.contributors.map(\.role) == [.author, .narrator])
    #expect(edition.series == Series(name: "Ferries", position: 2.5))
    #expect(edition.subjects == ["Fiction"])
    #expect(edition.audience == .adult)
    #expect(edition.languages == ["en"])
    #expect(edition.publisher == "Mole")
    #expect(edition.published == PartialDate(year: 1913, month: 4))
    #expect(edition.added == "2025-12-31")
    #expect(edition.isbns.map(\.digits) == ["9780306406157"])
  }

  @Test(arguments: [
    ("urn:librarysimplified.org/terms/id/3M%20ID/b1", "3m b1"),
    ("https://l.example/w?u=urn%3Alibrarysimplified.org%2Fterms%2Fid%2F3M%2520ID%2Fb1", "3m b1"),
    ("urn:isbn:0-306-40615-2", "isbn 9780306406157"), ("9780306406157", "isbn 9780306406157"),
    ("urn:isbn:9780306406158", ""), ("urn:uuid:0306406152", ""), ("doi:10.1000/1", "doi 10.1000/1"),
  ])
  func `An Atom feed tells other people's numbers by their scheme`(_ name: String, told: String)
    throws
  {
    let book = try one(Made.open + "<dc:identifier>\(name)</dc:identifier>")
    let edition = try #require(book.edition(named: ItemID("x")))
    let found =
      edition.isbns.map { "isbn \($0)" }
      + edition.identifiers.map { "\($0.scheme) \($0.value)" }
    #expect(found.joined(separator: ",") == told)
  }

  @Test func `An Atom feed names several people in one element`() throws {
    let book = try one(Made.open + "<author><name>Eins| Zwei &amp; Drei</name></author>")
    #expect(book.contributors.map(\.name) == ["Ada Quill", "Eins, Zwei", "Drei"])
  }

  @Test func `An Atom feed has old names for pictures, and those that begin alike are told apart`()
    throws
  {
    let book = try one(
      Made.open + """
        <link rel="http://opds-spec.org/thumbnail" href="/s.png" type="image/png"/>
        <link rel="x-stanza-cover-image" href="/l.png" type="image/png"/>
        """)
    let covers = book.edition(named: ItemID("x"))?.covers
    #expect(covers?.small == "https://books.example/s.png")
    #expect(covers?.large == "https://books.example/l.png")
  }

  @Test func `An Atom feed groups facets, and says which is active`() throws {
    let feed = try Made.feed(
      Made.atom(
        """
        <link rel="http://opds-spec.org/facet" href="?o=t" title="Title" opds:facetGroup="Sort"
          opds:activeFacet="true" xmlns:thr="http://purl.org/syndication/thread/1.0" thr:count="12"/>
        <link rel="http://opds-spec.org/facet" href="?o=a" title="Author" opds:facetGroup="Sort"/>
        <link rel="http://opds-spec.org/facet" href="?l=de" title="Deutsch" opds:facetGroup="Lang"/>
        """))
    #expect(feed.facets.map(\.title) == ["Sort", "Lang"])
    #expect(feed.facets[0].facets.map(\.isActive) == [true, false])
    #expect(feed.facets[0].facets[0].link.count == 12)
    #expect(feed.links.isEmpty)
  }

  @Test func `An Atom feed groups books by the address of their lane`() throws {
    func lane(_ id: String, _ href: String, _ title: String) -> String {
      Made.entry(
        Made.open + #"<link rel="collection" href="\#(href)" title="\#(title)"/>"#, id: id)
    }
    let feed = try Made.feed(
      Made.atom(lane("1", "/f", "Fiction") + lane("2", "/h", "History") + lane("1", "/f", "Other")))
    #expect(feed.groups.map(\.title) == ["Fiction", "History"])
    #expect(feed.groups.map(\.publications.count) == [2, 1])
    #expect(feed.everyPublication.map(\.id) == ["1", "2"])
  }

  @Test func `An Atom feed takes no more of a name than fits`() throws {
    let text = Made.atom(Made.entry(Made.open))
      .replacing("The Glass Ferry", with: String(repeating: "x", count: 100_000))
    #expect(try Made.feed(text).publications[0].title.count == 1000)
  }

  @Test func `An Atom feed that is a web page is none`() {
    for page in [
      "<!DOCTYPE html><html><body>Sign in</body></html>",
      "<!-- x --><!DOCTYPE html>\n<HTML lang=en><head><link rel=a><title>Sign in</title><br>",
    ] {
      #expect(throws: Document.Fault.foreign) { try Made.document(page) }
    }
  }

  @Test(arguments: [
    (#"<title type="html">Sons &amp;amp; &lt;i&gt;Lovers&lt;/i&gt;</title>"#, "Sons & Lovers"),
    ("<title>Sons &amp; <![CDATA[Lovers]]></title>", "Sons & Lovers"),
    ("<title>Sons\n      and\tLovers </title>", "Sons and Lovers"),
    (
      #"<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Sons <i>and</i> Lovers</div></title>"#,
      "Sons and Lovers"
    ),
    (#"<title type="text">1 &lt; 2</title>"#, "1 < 2"),
  ])
  func `An Atom feed has titles of every sort in one plain line`(_ title: String, _ plain: String)
    throws
  {
    let text = Made.atom(Made.entry(Made.open))
      .replacing("<title>The Glass Ferry</title>", with: title)
    #expect(try Made.feed(text).publications.first?.title == plain)
  }

  @Test func `An Atom feed is judged by what it is and not by its type`() throws {
    let document = try Made.document(Made.atom(Made.entry(Made.open)), "application/json")
    #expect(document.feed != nil)
  }
}

@Suite struct `The summary of an entry` {
  private func summary(_ element: String) throws -> Publication.Summary? {
    try Made.feed(Made.atom(Made.entry(Made.open + element))).publications[0].summary
  }

  @Test func `The summary of an entry that says it is plain is plain, whatever signs are in it`()
    throws
  {
    let told = try summary("<summary>a &lt; b &amp; c</summary>")
    #expect(told == .init("a < b & c", .plain))
    #expect(told?.markup == "a &lt; b &amp; c")
  }

  @Test func `The summary of an entry that says it is HTML is markup`() throws {
    #expect(
      try summary(#"<summary type="html">&lt;p&gt;One&lt;/p&gt;</summary>"#)
        == .init("<p>One</p>", .markup))
  }

  @Test func `The summary of an entry that was escaped twice is undone once`() throws {
    #expect(
      try summary(#"<summary type="html">&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt;</summary>"#)
        == .init("<p>One</p>", .markup))
  }

  @Test func `an XHTML summary of an Atom entry keeps its markup without attributes`() throws {
    let told = try summary(
      #"""
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml" onclick="x()"><b>A</b> &amp; B
      </div></content>
      """#)
    #expect(told?.markup == "<div><b>A</b> &amp; B\n</div>")
  }
}
