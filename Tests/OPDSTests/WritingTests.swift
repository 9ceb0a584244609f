import Circulation
import FoundationEssentials
import HTTP
import Markup
import Testing

@testable import OPDS

@Suite struct `A feed that was written` {
  private static let date = Date(timeIntervalSince1970: 1_772_359_200)

  private static func link(
    _ path: String, _ relation: Relation, _ version: FeedVersion, _ title: String? = nil,
    kind: Feed.Kind = .acquisition
  ) -> Link {
    Link(
      "https://books.example/\(path)", [relation], type: version.feed(kind), title: title)
  }

  static func book(_ version: FeedVersion) -> Publication {
    var book = Publication(id: "urn:x:1", title: "The <Glass> Ferry & \"Co\"")
    book.subtitle = "A journey"
    book.contributors = [
      .init("Ada Quill", role: "author"), .init("Bo Lee", role: "author"),
      .init("Nan Reader", role: "narrator"), .init("Jo Pass", role: "translator"),
    ]
    book.series = [.init("Rivers", position: 2.5)]
    book.languages = ["en", "de"]
    book.subjects = [.init(scheme: "http://x.example/s", code: "FIC", label: "Fiction")]
    book.summary = .init("Two lines.\nOf text.", .plain)
    book.publisher = "Elm"
    book.issued = PartialDate(year: 1901, month: 2)
    book.updated = date
    book.kind = "http://schema.org/Book"
    book.links = [
      Link("https://books.example/b/1", [.own], type: version.entry),
      Link("https://books.example/b/1/revoke", [.revoke], type: version.entry, title: "Return"),
    ]
    book.images = [
      Link("https://books.example/1.jpg", [.image], type: .jpeg),
      Link("https://books.example/1s.jpg", [.thumbnail], type: .jpeg),
    ]
    var borrow = Acquisition(
      Link("https://books.example/1/borrow", [.borrow], type: version.entry, title: "Borrow"))
    borrow.indirections = [
      .init(
        MediaType("application", "vnd.readium.lcp.license.v1.0+json"),
        [.init(.epub), .init(MediaType("application", "pdf"))])
    ]
    borrow.availability = .init(.unavailable, until: date)
    borrow.copies = .init(total: 5, available: 0)
    borrow.holds = .init(total: 12, position: nil)
    borrow.keys = LoanKeys(
      passphrase: "2f5b<&", licensor: .init(vendor: "VENDOR", clientToken: "A|1|b&c"))
    var sample = Acquisition(Link("https://books.example/1/part", [.sample], type: .epub))
    sample.prices = [.init("1.5", currency: "EUR")]
    book.acquisitions = [borrow, sample]
    return book
  }

  static func feed(_ version: FeedVersion) -> Feed {
    var feed = Feed(title: "Fiction & more")
    feed.id = "urn:x:feed"
    feed.subtitle = "All of it"
    feed.updated = date
    (feed.total, feed.perPage, feed.first) = (62, 25, 26)
    feed.links = [
      link("opds/fiction", .own, version), link("opds", .start, version, "Start"),
      link("opds/fiction?page=3", .next, version, "Next page"),
    ]
    var now = link("opds/fiction?now", .facet, version, "Now")
    now.count = 7
    feed.facets = [
      .init(
        "Availability",
        [
          .init(link("opds/fiction", .facet, version, "All"), isActive: true),
          .init(now, isActive: false),
        ])
    ]
    feed.publications = [book(version)]
    return feed
  }

  static func read(_ feed: Feed, _ version: FeedVersion) throws -> Feed {
    let document = try Document(
      feed.document(version), type: nil, from: try Address("https://books.example/opds/fiction"))
    guard case .feed(let read) = document else { throw Made.NoFeed() }
    return read
  }

  @Test(arguments: FeedVersion.allCases)
  func `A feed that was written is read back as it was`(version: FeedVersion) throws {
    let feed = Self.feed(version)
    let read = try Self.read(feed, version)
    #expect(read.faults == [])
    #expect((read.title, read.subtitle, read.id) == (feed.title, feed.subtitle, feed.id))
    #expect(read.updated == feed.updated)
    #expect((read.total, read.perPage) == (62, 25))
    #expect(read.links == feed.links)
    #expect(read.facets.map(\.title) == ["Availability"])
    #expect(read.facets[0].facets.map(\.isActive) == [true, false])
    #expect(read.facets[0].facets.map(\.link.count) == [nil, 7])
    let (book, was) = (try #require(read.publications.first), Self.book(version))
    #expect((book.id, book.title, book.subtitle) == (was.id, was.title, was.subtitle))
    #expect(book.contributors.map(\.name).sorted() == was.contributors.map(\.name).sorted())
    #expect(
      book.contributors.map { Roles.role($0.role) }.map(\.rawValue).sorted()
        == ["author", "author", "narrator", "translator"])
    #expect(book.series == was.series)
    #expect((book.languages, book.subjects) == (was.languages, was.subjects))
    #expect(book.summary == was.summary)
    #expect((book.publisher, book.issued, book.updated) == (was.publisher, was.issued, was.updated))
    #expect(book.kind == was.kind)
    #expect(book.links == was.links)
    #expect(book.images == was.images)
    #expect(book.acquisitions == was.acquisitions)
  }

  @Test(arguments: FeedVersion.allCases)
  func `A feed that was written of lanes is read back lane by lane`(version: FeedVersion) throws {
    var feed = Self.feed(version)
    (feed.publications, feed.facets) = ([], [])
    var lane = Feed.Group("Mystery", Self.link("opds/mystery", .collection, version))
    lane.publications = [Self.book(version)]
    feed.groups = [lane]
    let read = try Self.read(feed, version)
    #expect(read.groups.map(\.title) == ["Mystery"])
    #expect(read.groups.map { $0.link?.href } == ["https://books.example/opds/mystery"])
    #expect(read.groups[0].publications.map(\.id) == ["urn:x:1"])
    #expect(read.publications == [])
  }

  @Test(arguments: FeedVersion.allCases)
  func `A feed that was written of ways on is read back way by way`(version: FeedVersion) throws {
    var feed = Feed(title: "Start")
    feed.links = [Self.link("opds", .own, version, kind: .navigation)]
    var link = Self.link("opds/new", .subsection, version, "New")
    link.relations = [.subsection, .newest]
    link.count = 12
    var entry = Feed.NavigationEntry(id: "urn:x:new", title: "New (12)", links: [link])
    entry.summary = "Added last."
    feed.navigation = [entry]
    let read = try Self.read(feed, version)
    #expect(read.kind == .navigation)
    let way = try #require(read.navigation.first)
    #expect(way.title == "New (12)")
    #expect(way.target?.href == "https://books.example/opds/new")
    #expect(Set(way.links.flatMap(\.relations)) == [.subsection, .newest])
    if version == .atom { #expect(way.summary == "Added last.") }
  }

  @Test
  func `a written Atom feed has the exact spellings and order that reading apps expect`() throws {
    let text = String(decoding: Self.feed(.atom).document(.atom), as: UTF8.self)
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed "))
    #expect(text.hasSuffix("</feed>"))
    // All on the root, but for the two of what opens a loan, which few entries have.
    #expect(text.matches(of: #/xmlns/#).count == 12)
    #expect(text.contains(#"opds:facetGroup="Availability" opds:activeFacet="true""#))
    #expect(text.contains(#"thr:count="7""#))
    #expect(text.contains(#"type="application/atom+xml;profile=opds-catalog;kind=acquisition""#))
    #expect(text.contains(#"<summary type="text">Two lines."#))
    #expect(text.contains(#"<opds:copies total="5" available="0"/>"#))
    #expect(!text.contains("<!--") && !text.contains("CDATA") && !text.contains("dc:title"))
    let entry = try #require(text.firstRange(of: "<entry"))
    let inside = text[entry.lowerBound...]
    let order = ["<title>", "<id>", "<updated>", "<author>", "image", "acquisition"].map {
      inside.firstRange(of: $0)?.lowerBound
    }
    #expect(order.allSatisfy { $0 != nil })
    #expect(order.compactMap { $0 }.sorted() == order.compactMap { $0 })
  }

  @Test func `a written Atom feed splits a link with two relations into one link each`() throws {
    var feed = Feed(title: "Start")
    var link = Self.link("opds/new", .subsection, .atom, "New")
    link.relations = [.subsection, .newest]
    feed.navigation = [.init(id: "urn:x:new", title: "New", links: [link])]
    let text = String(decoding: feed.document(.atom), as: UTF8.self)
    let links = text.matches(of: #/rel="([^"]*)"/#).map { String($0.1) }
    #expect(links == ["subsection", "http://opds-spec.org/sort/new"])
    #expect(!text.contains("<author><name>Start</name></author></entry>"))
  }

  @Test func `a written OPDS 2 feed contains no empty values`() throws {
    let text = String(decoding: Self.feed(.json).document(.json), as: UTF8.self)
    for empty in ["null", "[]", "{}", ":\"\""] { #expect(!text.contains(empty), "\(empty)") }
    #expect(text.contains("\"currentPage\":2"))
    var nothing = Feed(title: "Nothing")
    nothing.links = [Self.link("opds", .own, .json), Self.link("opds", .start, .json, "Start")]
    let bare = String(decoding: nothing.document(.json), as: UTF8.self)
    // One list at least has something in it: the way back.
    #expect(bare.contains("\"navigation\":[{"))
    #expect(try Self.read(nothing, .json).publications == [])
  }

  @Test(arguments: FeedVersion.allCases)
  func `A feed that was written has whole letters, and no characters that nobody can read`(
    version: FeedVersion
  ) throws {
    var feed = Feed(title: "Cafe\u{301}\u{0}\u{8}\u{FFFF}")
    feed.links = [Self.link("opds", .own, version)]
    let bytes = feed.document(version)
    #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A })
    let title = try Self.read(feed, version).title
    #expect(Array(title.unicodeScalars).starts(with: "Caf\u{E9}".unicodeScalars))
  }

  @Test func `A feed that was written is made of entries that were written before`() {
    let feed = Self.feed(.json)
    let rendered = feed.publications.map { RenderedPublication($0, .json) }
    #expect(feed.document(.json, publications: rendered) == feed.document(.json))
    let atom = Self.feed(.atom)
    let entries = atom.publications.map { RenderedPublication($0, .atom) }
    #expect(atom.document(.atom, publications: entries) == atom.document(.atom))
  }

  @Test(arguments: FeedVersion.allCases)
  func `A feed that was written by itself is an entry`(version: FeedVersion) throws {
    let bytes = RenderedPublication(Self.book(version), version).document
    guard
      case .entry(let book) = try Document(
        bytes, type: version.entry, from: try Address("https://books.example/"))
    else {
      Issue.record("no entry")
      return
    }
    #expect(book.id == "urn:x:1")
    #expect(book.kind == "http://schema.org/Book")
    #expect(book.acquisitions == Self.book(version).acquisitions)
  }
}

@Suite struct `Other documents that were written` {
  @Test func `Other documents that were written tell how to sign in`() throws {
    var flow = AuthenticationDocument.Flow(.basic)
    (flow.loginLabel, flow.passwordLabel) = ("Card", "PIN")
    flow.password = .init(keyboard: "Number pad", maximumLength: 4, barcodeFormat: nil)
    var document = AuthenticationDocument(
      id: "https://books.example/auth", title: "Village", flows: [flow])
    document.description = "Sign in."
    document.links = [Link("https://books.example/shelf", [.shelf], type: FeedVersion.jsonFeed)]
    let read = try Document(
      document.document, type: nil, from: try Address("https://books.example/auth"))
    #expect(read == .authentication(document))
  }

  @Test func `Other documents that were written tell how to search, with nothing else to fill in`()
    throws
  {
    let template = "https://books.example/search?q={searchTerms}"
    let description = SearchDescription(
      name: "All libraries",
      templates: [
        SearchTemplate(template, type: FeedVersion.atom.feed(.acquisition)),
        SearchTemplate(template, type: MediaType("application", "atom+xml")),
      ])
    let bytes = description.document(saying: "Search all")
    let read = try Document(bytes, type: nil, from: try Address("https://books.example/"))
    #expect(read == .search(description))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#"<Url type="application/atom+xml" template="#))
    #expect(text.matches(of: #/\{/#).count == 2)
  }
}

@Suite struct `Text in composed letters` {
  @Test(arguments: [
    ("e\u{301}", "\u{E9}"), ("plain", "plain"), ("\u{E9}", "\u{E9}"),
    ("o\u{302}\u{323}", "\u{1ED9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("", ""),
  ])
  func `Text in composed letters is the same text with as few characters as can be`(
    text: String, composed: String
  ) {
    #expect(Array(text.composed.unicodeScalars) == Array(composed.unicodeScalars))
  }
}
