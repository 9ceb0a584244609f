import Circulation
import HTTP
import Testing

@testable import Gutenberg

@Suite struct `Files` {
  private let epub = ["application/epub+zip"]

  @Test func `the three kinds of EPUB are told apart by their addresses, best first`() throws {
    let edition = try Read.edition(
      Written.file("ebooks/4711.txt.utf-8", ["text/plain; charset=us-ascii"])
        + Written.file("ebooks/4711.epub.noimages", epub)
        + Written.file("ebooks/4711.html.images", ["text/html"])
        + Written.file("ebooks/4711.kf8.images", ["application/x-mobipocket-ebook"])
        + Written.file("ebooks/4711.epub.images", epub)
        + Written.file("ebooks/4711.epub3.images", epub))
    #expect(
      edition.formats.map(\.id) == [
        "epub3.images", "epub.images", "epub.noimages", "kf8.images", "html.images", "txt.utf-8",
      ])
    #expect(edition.formats.prefix(3).allSatisfy { $0.isReadableHere })
  }

  @Test func `a zip is never read, whichever of its types comes first`() throws {
    for types in [
      ["application/octet-stream", "application/zip"], ["application/zip", "text/html"],
    ] {
      let edition = try Read.edition(Written.file("files/4711/4711-h", types))
      #expect(edition.formats.isEmpty)
    }
  }

  @Test func `what the site made stands for what was given`() throws {
    let given = Written.file("files/4711/4711-0.txt", ["text/plain"])
    let alone = try Read.edition(given)
    #expect(alone.formats.map(\.id) == ["files/4711/4711-0.txt"])
    let both = try Read.edition(given + Written.file("ebooks/4711.txt.utf-8", ["text/plain"]))
    #expect(both.formats.map(\.id) == ["txt.utf-8"])
  }

  @Test func `a recording is known by its files' names, and its parts are one`() throws {
    let parts = (1...30).map {
      Written.file("files/4711/mp3/4711-\($0).mp3", ["application/octet-stream"])
    }.joined()
    let whole = Written.file("files/4711/4711.m4b", ["application/octet-stream"])
    let edition = try Read.edition(Written.described("dcterms:type", "Sound") + parts + whole)
    #expect(edition.medium == .audiobook)
    #expect(edition.formats.map(\.id) == ["files/4711/4711.m4b", "mp3"])
    #expect(edition.formats.allSatisfy { $0.content == .audiobook })
  }

  @Test func `Files covers and a site without encryption`() throws {
    let edition = try Read.edition(
      Written.file("cache/epub/4711/pg4711.cover.medium.jpg", ["image/jpeg"])
        + Written.file("cache/epub/4711/pg4711.cover.small.jpg", ["image/jpeg"])
        .replacing("https:", with: "http:"))
    let base = "https://www.gutenberg.org/cache/epub/4711/pg4711.cover"
    #expect(edition.covers == Covers(large: base + ".medium.jpg", small: base + ".small.jpg"))
    #expect(edition.formats.isEmpty)
  }

  @Test(
    arguments: [
      ("epub3.images", "cache/epub/12345/pg12345-images-3.epub"),
      ("epub.images", "cache/epub/12345/pg12345-images.epub"),
      ("epub.noimages", "cache/epub/12345/pg12345.epub"),
      ("kf8.images", "cache/epub/12345/pg12345-images-kf8.mobi"),
      ("html.images", "cache/epub/12345/pg12345-images.html"),
      ("txt.utf-8", "cache/epub/12345/pg12345.txt"),
      ("files/12345/12345-h/12345-h.htm", "1/2/3/4/12345/12345-h/12345-h.htm"),
    ])
  func `a mirror has them under names of its own`(_ id: String, path: String) throws {
    let settings = try Settings.production()
    let address = settings.address(of: id, in: 12345)
    #expect(address.description == "https://gutenberg.pglaf.org/" + path)
  }

  @Test func `a book of one digit has a folder of its own`() {
    #expect(Settings.folders(of: 7) == ["0"])
    #expect(Settings.folders(of: 12) == ["1"])
  }

  @Test(
    arguments: [
      ("cache/epub/11/pg11.rdf", 11), ("cache/epub/11/pg12.rdf", nil),
      ("cache/epub/DELETE-55495/pg55495.rdf", nil), ("test/pg11.rdf", nil),
      ("cache/epub/0/pg0.rdf", nil), ("cache/epub/999999/pg999999.rdf", nil),
      ("cache/epub/11/pg11.rdf.bak", nil), ("cache/epub/٣/pg٣.rdf", nil), ("cache/epub", nil),
    ] as [(String, Int?)])
  func `only members that are named like books are books`(_ name: String, number: Int?) {
    #expect(MemberName.number(name) == number)
  }
}
