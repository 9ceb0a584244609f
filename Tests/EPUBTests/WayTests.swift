import TestSupport
import Testing

@testable import EPUB

@Suite struct `The ways into a book` {
  private func lines(_ navigation: Navigation) -> [String] {
    navigation.contents.map { entry in
      let target = entry.target.map { reference in
        (reference.path ?? "?") + (reference.fragment.map { "#" + $0 } ?? "")
      }
      return "\(entry.depth) \(entry.label) \(target ?? "-")"
    }
  }

  @Test func `The ways into a book are the lists of the navigation document`() throws {
    let list = """
      <h1>Contents</h1><ol><li><span>Part <b>I</b></span><ol>
      <li><a href="one.xhtml#a%20b">One <img alt="star" src="x.png"/></a></li></ol></li>
      <li><a href="two.xhtml" title="Two"><img src="x.png"/></a></li></ol>
      """
    let more = """
      <nav epub:type="page-list"><ol><li><a href="one.xhtml#p1">ix</a></li></ol></nav>
      <nav epub:type="landmarks"><ol><li><a epub:type="bodymatter" href="one.xhtml">Start</a></li>
      </ol></nav>
      <nav epub:type="loi"><ol><li><a href="two.xhtml">A picture</a></li></ol></nav>
      """
    let navigation = try TestBook().with("OPS/nav.xhtml", TestBook.nav(list, more)).opened()
      .navigation
    #expect(navigation.source == .nav)
    #expect(
      lines(navigation) == [
        "0 Part I -", "1 One star OPS/one.xhtml#a b", "0 Two OPS/two.xhtml",
      ])
    #expect(navigation.topLevel == 2)
    #expect(navigation.pages.map(\.label) == ["ix"])
    #expect(navigation.landmarks.map(\.types) == [["bodymatter"]])
    #expect(navigation.lists["loi"]?.count == 1)
  }

  private static let old = TestBook.manifest.replacing("properties=\"nav\"", with: "")

  private func ncx(_ text: String, spine: String = "<spine toc='ncx'>") -> TestBook {
    TestBook().packaged(
      version: "2.0",
      manifest: Self.old
        + "<item id='ncx' href='n/toc.ncx' media-type='application/x-dtbncx+xml'/>",
      spine: spine + "<itemref idref='one'/><itemref idref='two'/></spine>"
    ).with("OPS/n/toc.ncx", text)
  }

  private let points = """
    <navPoint playOrder="2"><navLabel><text>One</text></navLabel><content src="../one.xhtml"/>
    <navPoint playOrder="1"><navLabel><text/></navLabel><content src="../one.xhtml#x"/></navPoint>
    </navPoint>
    <navPoint><navLabel><text>Two</text></navLabel><content src="../two.xhtml"/></navPoint>
    """

  @Test func `The ways into a book are left alone where only the spine is asked for`() throws {
    let bytes = TestBook().with("OPS/nav.xhtml", "<ol").archive.bytes
    let (whole, spine) = (try Book(bytes), try Book(bytes, .spine))
    #expect(whole.faults.contains { $0.code == .navMalformed })
    #expect(spine.faults.isEmpty && spine.navigation == Navigation())
    #expect(spine.document == whole.document)
    var (one, other) = (TextReading(whole), TextReading(spine))
    for place in whole.document.spine.indices {
      #expect(try one.text(at: place).text == other.text(at: place).text)
    }
  }

  @Test func `The ways into a book are those of the NCX in older books, in its order`() throws {
    let pages = """
      <pageList><pageTarget type="normal" value="7"><content src="../two.xhtml#p7"/></pageTarget>
      </pageList>
      """
    let wanted = ["0 One OPS/one.xhtml", "1  OPS/one.xhtml#x", "0 Two OPS/two.xhtml"]
    let named = try ncx(TestBook.ncx(points, pages)).opened()
    #expect(lines(named.navigation) == wanted)
    #expect(named.navigation.source == .ncx)
    #expect(named.navigation.pages.map(\.label) == ["7"])
    #expect(named.faults == [])
    let unnamed = try ncx(TestBook.ncx(points), spine: "<spine>").opened()
    #expect(lines(unnamed.navigation) == wanted)
  }

  @Test func `The ways into a book are the guide's or the files where there is no list`() throws {
    let guide = try TestBook().packaged(
      version: "2.0", manifest: Self.old,
      after: "<guide><reference type='text' title='Begin' href='one.xhtml'/></guide>"
    ).opened()
    #expect(guide.navigation.source == .guide)
    #expect(lines(guide.navigation) == ["0 Begin OPS/one.xhtml"])
    let files = try TestBook().packaged(version: "2.0", manifest: Self.old).opened()
    #expect(files.navigation.source == .spine)
    #expect(lines(files.navigation) == ["0 one.xhtml OPS/one.xhtml", "0 two.xhtml OPS/two.xhtml"])
  }

  @Test func `The ways into a book end where there are too many`() throws {
    let list = "<ol>" + String(repeating: "<li><a href='one.xhtml'>x</a></li>", count: 50_001)
    let book = try TestBook().with("OPS/nav.xhtml", TestBook.nav(list + "</ol>")).opened()
    #expect(book.navigation.contents.count == 50_000)
    #expect(book.faults.map(\.code) == [.tocTruncated])
  }

  @Test func `The ways into a book survive lists in lists without end`() throws {
    let deep = String(repeating: "<ol><li><a href='one.xhtml'>x</a>", count: 3000)
    let book = try TestBook().with("OPS/nav.xhtml", TestBook.nav(deep)).opened()
    #expect(!book.navigation.contents.isEmpty)
    #expect(book.faults.map(\.code).contains(.navMalformed))
  }

  // MARK: - The cover

  private func cover(_ book: TestBook) throws -> Cover? { try book.opened().cover() }

  @Test func `The ways into a book begin with the cover that has the property`() throws {
    let manifest = TestBook.manifest.replacing(
      "id=\"pic\"", with: "id=\"pic\" properties=\"cover-image\"")
    #expect(
      try cover(TestBook().packaged(manifest: manifest))
        == Cover(path: "OPS/cover.png", way: .property))
  }

  @Test(arguments: ["pic", "cover.png", "page"])
  func `The ways into a book begin with the cover that is named, however wrongly`(_ name: String)
    throws
  {
    var book = TestBook().packaged(
      version: "2.0", metadata: TestBook.metadata + "<meta content='\(name)' name='Cover'/>",
      manifest: TestBook.manifest
        + "<item id='page' href='page.xhtml' media-type='application/xhtml+xml'/>")
    book["OPS/page.xhtml"] = TestBook.page("<img src='cover.png'/>")
    #expect(try cover(book) == Cover(path: "OPS/cover.png", way: .meta))
  }

  @Test func `The ways into a book begin with the picture of the page that is marked as the cover`()
    throws
  {
    let page = TestBook.page(
      "<svg xmlns='http://www.w3.org/2000/svg' "
        + "xmlns:xlink='http://www.w3.org/1999/xlink'><image xlink:href='cover.png'/></svg>")
    let plain = TestBook.manifest.replacing("id=\"pic\"", with: "id=\"p\"")
    let guide = TestBook().packaged(
      manifest: plain,
      after: "<guide><reference type='cover' title='Cover' href='two.xhtml'/></guide>"
    ).with("OPS/two.xhtml", page)
    #expect(try cover(guide) == Cover(path: "OPS/cover.png", way: .guide))
    let landmarks = """
      <nav epub:type="landmarks"><ol><li><a epub:type="cover" href="two.xhtml">C</a></li></ol></nav>
      """
    let marked = TestBook().packaged(manifest: plain).with("OPS/two.xhtml", page).with(
      "OPS/nav.xhtml", TestBook.nav("<ol><li><a href='one.xhtml'>One</a></li></ol>", landmarks))
    #expect(try cover(marked) == Cover(path: "OPS/cover.png", way: .landmarks))
  }

  @Test
  func `the cover of a book is the item named cover, or the only picture on its first page`() throws
  {
    #expect(try cover(TestBook()) == Cover(path: "OPS/cover.png", way: .name))
    let renamed = TestBook.manifest.replacing("cover.png", with: "p.png")
    var book = TestBook().packaged(manifest: renamed).with("OPS/p.png", "x")
    #expect(try cover(book) == nil)
    book["OPS/one.xhtml"] = TestBook.page("<img src='p.png'/><p>A Book</p>")
    #expect(try cover(book) == Cover(path: "OPS/p.png", way: .firstPage))
  }

  @Test func `The ways into a book go on to the next cover where one is missing`() throws {
    let manifest =
      TestBook.manifest
      + "<item id='c' href='gone.png' media-type='image/png' properties='cover-image'/>"
    #expect(
      try cover(TestBook().packaged(manifest: manifest))
        == Cover(path: "OPS/cover.png", way: .name))
  }
}
