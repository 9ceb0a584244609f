import TestSupport
import Testing

@testable import EPUB

@Suite struct `A book opens all the same` {
  /// A book with one thing wrong, and the word for that.
  struct Case: CustomTestStringConvertible, Sendable {
    let codes: Set<String>
    let book: @Sendable () -> TestBook
    var testDescription: String { codes.sorted().joined(separator: " ") }

    init(_ codes: String..., book: @escaping @Sendable () -> TestBook) {
      (self.codes, self.book) = (Set(codes), book)
    }
  }

  private static func manifest(_ more: String) -> TestBook {
    TestBook().packaged(manifest: TestBook.manifest + more)
  }

  private static func spine(_ references: String, _ more: String = "") -> TestBook {
    TestBook().packaged(
      manifest: TestBook.manifest + more,
      spine: "<spine><itemref idref='one'/>\(references)</spine>")
  }

  private static func contents(_ list: String) -> TestBook {
    TestBook().with("OPS/nav.xhtml", TestBook.nav("<ol>\(list)</ol>"))
  }

  static let cases: [Case] = archives + packages + spines + ways

  private static let archives: [Case] = [
    Case("mimetype-missing") { TestBook().with("mimetype", nil) },
    Case("mimetype-value") { TestBook().with("mimetype", "application/epub+zip\n") },
    Case("mimetype-placement") {
      var book = TestBook()
      book.archive.entries.append(book.archive.entries.removeFirst())
      return book
    },
    Case("zip-duplicate-entry") {
      var book = TestBook()
      book.archive.entries.append(TestArchive.Entry("OPS/one.xhtml", "another"))
      return book
    },
    Case("zip-unsafe-path") { TestBook().with("../evil.xhtml", "x") },
    Case("zip-colliding-names") { TestBook().with("OPS/ONE.xhtml", "x") },
    Case("zip-padded") {
      var book = TestBook()
      book.archive.before = Array("before".utf8)
      return book
    },
    Case("zip-overlapping") {
      var book = TestBook()
      book.archive.entries.insert(
        TestArchive.Entry("mimetype-of-all", [UInt8](repeating: 65, count: 90_000)), at: 1)
      var shared = book.archive.entries[1]
      // As long as the large one, and nothing of its own.
      (shared.name, shared.sharesBytes) = (Array("again".utf8), true)
      book.archive.entries.append(shared)
      return book
    },
    Case("container-mended") {
      TestBook().with(
        "META-INF/container.xml",
        TestBook.container("OPS/book.opf").replacing("</rootfiles>", with: "&"))
    },
    Case("encryption-malformed") { TestBook().with("META-INF/encryption.xml", "<encryption") },
    Case("resource-encrypted") {
      TestBook().with("META-INF/encryption.xml", TestBook.encryption("urn:x", "OPS/cover.png"))
    },
  ]

  private static let packages: [Case] = [
    Case("opf-mended") {
      TestBook().packaged(metadata: TestBook.metadata + "<dc:publisher>This & that</dc:publisher>")
    },
    Case("opf-namespace") {
      TestBook().with(
        "OPS/book.opf",
        TestBook.package().replacing("xmlns=\"http://www.idpf.org/2007/opf\"", with: ""))
    },
    Case("opf-version-missing") {
      TestBook().with(
        "OPS/book.opf", TestBook.package().replacing("version=\"3.0\"", with: ""))
    },
    Case("opf-version-unknown") { TestBook().packaged(version: "1.2") },
    Case("title-missing") {
      TestBook().packaged(
        metadata: TestBook.metadata.replacing("<dc:title>A Book</dc:title>", with: ""))
    },
    Case("language-missing") {
      TestBook().packaged(metadata: TestBook.metadata.replacing(">en<", with: "> <"))
    },
    Case("unique-identifier-unresolved") {
      TestBook().packaged(metadata: TestBook.metadata.replacing("id=\"uid\"", with: ""))
    },
    Case("manifest-duplicate-id") {
      manifest("<item id='one' href='two.xhtml' media-type='application/xhtml+xml'/>")
    },
    Case("manifest-resource-missing") {
      manifest("<item id='gone' href='gone.css' media-type='text/css'/>")
    },
    Case("url-escapes-root") {
      manifest("<item id='up' href='../../OPS/one.xhtml' media-type='application/xhtml+xml'/>")
    },
    Case("name-case") {
      TestBook().packaged(manifest: TestBook.manifest.replacing("cover.png", with: "Cover.PNG"))
    },
    Case("name-normalisation") {
      var book = manifest("<item id='e' href='cafe\u{301}.css' media-type='text/css'/>")
      book["OPS/caf\u{E9}.css"] = "x"
      return book
    },
  ]

  private static let spines: [Case] = [
    Case("spine-idref-unresolved") { spine("<itemref idref='zzz'/>") },
    Case("spine-duplicate-itemref") { spine("<itemref idref='one'/>") },
    Case("spine-resource-missing", "manifest-resource-missing") {
      spine(
        "<itemref idref='gone'/>",
        "<item id='gone' href='gone.xhtml' media-type='application/xhtml+xml'/>")
    },
    Case("spine-remote") {
      spine(
        "<itemref idref='far'/>",
        "<item id='far' href='https://far.example/a' media-type='application/xhtml+xml'/>")
    },
    Case("spine-foreign-no-fallback") { spine("<itemref idref='font'/>") },
    Case("fallback-cycle", "spine-foreign-no-fallback") {
      spine(
        "<itemref idref='a'/>",
        """
        <item id='a' href='font.otf' media-type='font/otf' fallback='b'/>\
        <item id='b' href='font.otf' media-type='font/otf' fallback='a'/>
        """)
    },
  ]

  private static let ways: [Case] = [
    Case("nav-malformed") { contents("<li><a href='one.xhtml'>One & all</a></li>") },
    Case("nav-malformed", "toc-missing") { TestBook().with("OPS/nav.xhtml", "") },
    Case("toc-missing") { contents("") },
    Case("toc-target-missing") { contents("<li><a href='none.xhtml'>None</a></li>") },
    Case("toc-target-not-in-spine") { contents("<li><a href='nav.xhtml'>This</a></li>") },
    Case("toc-truncated") {
      let depth = 40
      return contents(
        String(repeating: "<li><a href='one.xhtml'>x</a><ol>", count: depth)
          + "<li><a href='one.xhtml'>x</a></li>"
          + String(repeating: "</ol></li>", count: depth))
    },
    Case("ncx-malformed") {
      var book = TestBook().packaged(
        version: "2.0",
        manifest: TestBook.manifest.replacing("properties=\"nav\"", with: "")
          + "<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>")
      book["OPS/toc.ncx"] = TestBook.ncx(
        """
        <navPoint><navLabel><text>This & that</text></navLabel><content src='one.xhtml'/>\
        </navPoint>
        """)
      return book
    },
  ]

  @Test(arguments: cases)
  func `A book opens all the same and says what is wrong`(_ one: Case) throws {
    #expect(try one.book().faults() == one.codes)
  }

  @Test func `A book opens all the same and every word for it is said in a test`() {
    let examined: Set<String> = [
      "xhtml-malformed", "entry-too-large", "entry-unreadable", "resource-missing",
      "resource-unlisted", "fragment-missing",
    ]
    let said = Self.cases.reduce(into: examined) { $0.formUnion($1.codes) }
    #expect(Set(Fault.Code.allCases.map(\.rawValue)).subtracting(said) == [])
  }

  @Test func `A book opens all the same and tells of damaged chapters when all of it is read`()
    throws
  {
    var book = TestBook().with("OPS/one.xhtml", "<html><p>never closed</html>")
    book.archive.entries[6].sum ^= 1
    book["OPS/two.xhtml"] = String(repeating: "x", count: (32 << 20) + 1)
    let codes = try book.opened().examine().map { "\($0.code.rawValue) \($0.subject.prefix(13))" }
    #expect(
      codes == [
        "xhtml-malformed OPS/one.xhtml", "entry-too-large OPS/two.xhtml",
        "entry-unreadable OPS/cover.png",
      ])
  }

  @Test func `A book opens all the same and tells of links and pictures that lead nowhere`() throws
  {
    var book = TestBook().with(
      "OPS/one.xhtml",
      TestBook.page(
        """
        <p id="here"><a href="#here">well</a><a href="two.xhtml#old">well</a>\
        <a href="#nowhere">not</a><a href="https://far.example/#x">well</a>\
        <img src="gone.png"/><img src="extra.png"/><a href="two.xhtml#epubcfi(/4)">well</a>\
        <a href="book.opf#epubcfi(/6/4)">well</a></p>
        """))
    book["OPS/two.xhtml"] = TestBook.page("<p><a name='old'>x</a></p>")
    book["OPS/extra.png"] = "x"
    let faults = try book.opened().examine().map { "\($0.code.rawValue) \($0.subject)" }
    #expect(
      faults == [
        "fragment-missing OPS/one.xhtml: OPS/one.xhtml#nowhere",
        "resource-missing OPS/one.xhtml: OPS/gone.png",
        "resource-unlisted OPS/one.xhtml: OPS/extra.png",
      ])
  }

  @Test func `A book opens all the same and a sound one has nothing wrong when all of it is read`()
    throws
  {
    #expect(try TestBook().opened().examine() == [])
  }

  @Test func `A book opens all the same and a thousand equal faults are not told a thousand times`()
    throws
  {
    let many = (0..<1000).map { "<itemref idref='none\($0)'/>" }.joined()
    #expect(try Self.spine(many).opened().faults.count == 100)
    let same = String(repeating: "<itemref idref='none'/>", count: 1000)
    #expect(try Self.spine(same).opened().faults.count == 1)
  }
}
