import TestSupport
import Testing

@testable import EPUB

@Suite struct `A package` {
  private func metadata(_ text: String, version: String = "3.0") throws -> Metadata {
    try TestBook().packaged(version: version, metadata: text).opened().document.metadata
  }

  @Test func `A package has the first title as its title, collapsed and without controls`() throws {
    let found = try metadata(
      """
      <dc:title id="t1"> The \n  Title\u{85} </dc:title><dc:title id="t2">And More</dc:title>
      <meta refines="#t2" property="title-type">subtitle</meta>
      <meta refines="#t1" property="file-as">Title, The</meta>
      """)
    #expect(found.title == "The Title")
    #expect(found.subtitle == "And More")
    #expect(found.titles[0].fileAs == "Title, The")
  }

  @Test func `A package tells roles and sort keys in both versions`() throws {
    let new = try metadata(
      """
      <dc:creator id="c">Ada A.</dc:creator><meta refines="#c" property="role">aut</meta>
      <meta refines="#c" property="role">ill</meta>
      <meta refines="#c" property="alternate-script">Ада</meta>
      <dc:contributor>Bo</dc:contributor>
      """)
    #expect(
      new.creators == [
        .init(name: "Ada A.", roles: ["aut", "ill"], fileAs: nil, alternates: ["Ада"])
      ])
    #expect(new.contributors.map(\.name) == ["Bo"])
    let old = try metadata(
      "<dc:creator opf:role='trl' opf:file-as='B, Ada'>Ada B</dc:creator>", version: "2.0")
    #expect(
      old.creators == [.init(name: "Ada B", roles: ["trl"], fileAs: "B, Ada", alternates: [])])
  }

  @Test func `A package is found in the elements of older formats`() throws {
    let found = try metadata(
      "<dc-metadata><dc:Title>Old</dc:Title><dc:Creator>Ada</dc:Creator></dc-metadata>",
      version: "1.0")
    #expect(found.title == "Old")
    #expect(found.creators.map(\.name) == ["Ada"])
  }

  @Test func `A package has the identifier it points at, with its scheme`() throws {
    let found = try metadata(
      """
      <dc:identifier id="other" opf:scheme="ISBN">9780000000002</dc:identifier>
      <dc:identifier id="uid">urn:x:1</dc:identifier>
      <dc:identifier id="i13">9780000000019</dc:identifier>
      <meta refines="#i13" property="identifier-type" scheme="onix:codelist5">15</meta>
      """)
    #expect(found.uniqueIdentifier == "urn:x:1")
    #expect(found.identifiers.map(\.scheme) == ["ISBN", nil, "ISBN-13"])
  }

  @Test func `A package tells series and sets apart, by either way to write them`() throws {
    let found = try metadata(
      """
      <meta id="s" property="belongs-to-collection">Big Set</meta>
      <meta refines="#s" property="collection-type">set</meta>
      <meta id="c" refines="#s" property="belongs-to-collection">Tales</meta>
      <meta refines="#c" property="collection-type">series</meta>
      <meta refines="#c" property="group-position">2.5</meta>
      """)
    #expect(found.collections.map(\.name) == ["Big Set", "Tales"])
    #expect(found.series?.position == "2.5")
    #expect(found.series?.parent == "s")
    let calibre = try metadata(
      """
      <meta name="calibre:series" content="Tales"/><meta content="3" name="calibre:series_index"/>
      """, version: "2.0")
    #expect(calibre.series?.name == "Tales")
    #expect(calibre.series?.position == "3")
  }

  @Test func `A package tells dates by what happened`() throws {
    let old = try metadata(
      """
      <dc:date opf:event="creation">1811</dc:date><dc:date opf:event="publication">1813</dc:date>
      <dc:date opf:event="modification">2020</dc:date>
      """, version: "2.0")
    #expect(old.published == "1813")
    #expect(old.modified == "2020")
    let new = try metadata(
      "<dc:date>1813</dc:date><meta property='dcterms:modified'>2020-01-01T00:00:00Z</meta>")
    #expect(new.modified == "2020-01-01T00:00:00Z")
  }

  @Test func `A package keeps what it says of access, of sound and of other places`() throws {
    let found = try metadata(
      """
      <meta property="schema:accessMode">textual</meta><meta property="media:duration">1:00</meta>
      <meta property="media:duration" refines="#smil">0:30</meta>
      <meta property="media:narrator">Ada</meta><meta property="media:active-class">now</meta>
      <link rel="record" href="https://far.example/r" media-type="application/xml"/>
      """)
    #expect(found.accessibility == [.init(property: "schema:accessMode", value: "textual")])
    #expect(found.media.duration == "1:00")
    #expect(found.media.durations == ["smil": "0:30"])
    #expect(found.media.narrators == ["Ada"])
    #expect(found.media.activeClass == "now")
    #expect(found.links.first?.target.place == .remote("https://far.example/r"))
  }

  @Test func `A package turns pages as it says, or as its language does`() throws {
    func progression(_ language: String, _ attribute: String) throws -> Progression {
      try TestBook().packaged(
        metadata: TestBook.metadata.replacing(">en<", with: ">\(language)<"),
        spine: "<spine \(attribute)><itemref idref='one'/></spine>"
      ).opened().document.progression
    }
    #expect(try progression("en", "") == .leftToRight)
    #expect(try progression("ar-EG", "") == .rightToLeft)
    #expect(try progression("ar", "page-progression-direction='ltr'") == .leftToRight)
    #expect(try progression("ja", "page-progression-direction='rtl'") == .rightToLeft)
    #expect(try progression("he", "page-progression-direction='default'") == .rightToLeft)
  }

  @Test func `A package is fixed as a whole, or item by item, or as older readers want it`() throws
  {
    let fixed = "<meta property='rendition:layout'>pre-paginated</meta>"
    let mixed = try TestBook().packaged(
      metadata: TestBook.metadata + fixed,
      spine: """
        <spine><itemref idref='one' properties='page-spread-left'/><itemref idref='two' \
        properties='rendition:layout-reflowable rendition:layout-pre-paginated'/></spine>
        """
    ).opened().document
    #expect(mixed.spine.map { mixed.isFixed($0) } == [true, false])
    #expect(mixed.spine[0].rendition.pageSpread == .left)
    let options = """
      <display_options><platform name="ipad"><option name="fixed-layout">false</option></platform>\
      <platform name="*"><option name="fixed-layout">true</option></platform></display_options>
      """
    let old = try TestBook().packaged(version: "2.0")
      .with("META-INF/com.apple.ibooks.display-options.xml", options).opened().document
    #expect(old.rendition.layout == .prePaginated)
  }

  @Test func `A package shows the first fallback that can be shown`() throws {
    let book = try TestBook().packaged(
      manifest: TestBook.manifest + """
        <item id='x' href='font.otf' media-type='application/x-new' fallback='y'/>\
        <item id='y' href='font.otf' media-type='font/otf' fallback='two'/>
        """,
      spine: "<spine><itemref idref='one'/><itemref idref='x'/></spine>"
    ).opened()
    #expect(book.document.spine[1].shown?.id == "two")
    #expect(book.faults == [])
  }

  @Test func `A package reads on the line, or all where nothing is`() throws {
    let one = "<spine><itemref idref='one' linear='no'/><itemref idref='two'/></spine>"
    #expect(
      try TestBook().packaged(spine: one).opened().document.readingOrder.map(\.item.id) == ["two"])
    let none = "<spine><itemref idref='one' linear='no'/></spine>"
    #expect(
      try TestBook().packaged(spine: none).opened().document.readingOrder.map(\.item.id) == ["one"])
  }

  @Test func `A package is the first of several`() throws {
    let several = TestBook.container("OPS/book.opf").replacing(
      "</rootfiles>",
      with: """
        <rootfile full-path="other.opf" media-type="application/oebps-package+xml"/>\
        <rootfile full-path="a.pdf" media-type="application/pdf"/></rootfiles>
        """)
    let book = try TestBook().with("META-INF/container.xml", several).opened()
    #expect(book.container.renditions.map(\.path) == ["OPS/book.opf", "other.opf"])
    #expect(book.document.path == "OPS/book.opf")
  }

  @Test func `A package holds a document that its spine repeats a few times only`() throws {
    let repeated = String(repeating: "<itemref idref='one'/>", count: 10_000)
    let book = try TestBook().packaged(spine: "<spine>\(repeated)<itemref idref='two'/></spine>")
      .opened()
    #expect(book.document.spine.count == 66)
    #expect(book.document.spine.last?.ordinal == 10_000)
  }

  @Test func `A package finds names that are escaped, or should be`() throws {
    var book = TestBook().packaged(
      manifest: TestBook.manifest + """
        <item id='a' href='a%20%23b.css?v=1' media-type='text/css'/>\
        <item id='b' href='50%25.css' media-type='text/css'/>\
        <item id='c' href='/root.css' media-type='text/css'/>\
        <item id='d' href='100%41.css' media-type='text/css'/>
        """)
    for name in ["OPS/a #b.css", "OPS/50%.css", "root.css", "OPS/100%41.css"] { book[name] = "x" }
    let opened = try book.opened()
    #expect(opened.faults == [])
    #expect(
      opened.document.manifest.suffix(4).map(\.path) == [
        "OPS/a #b.css", "OPS/50%.css", "root.css", "OPS/100%41.css",
      ])
  }

  @Test func `A package names what lies elsewhere and fetches nothing`() throws {
    let book = try TestBook().packaged(
      manifest: TestBook.manifest
        + "<item id='v' href='https://far.example/v.mp4' media-type='video/mp4'/>"
    ).opened()
    #expect(book.remoteResources == ["https://far.example/v.mp4"])
    #expect(book.faults == [])
  }

  @Test func `an EPUB has one position per kilobyte, or one per page with a fixed layout`() throws {
    var book = TestBook()
    book["OPS/one.xhtml"] = TestBook.page(String(repeating: "x", count: 2100))
    #expect(try book.opened().positions == 4)
    let fixed = "<meta property='rendition:layout'>pre-paginated</meta>"
    book = book.packaged(metadata: TestBook.metadata + fixed)
    #expect(try book.opened().positions == 2)
  }
}
