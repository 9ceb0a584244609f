import TestSupport

/// A book of EPUB 3 made for one test.
struct PaperBook {
  var title = "A Paper Book"
  var language = "en"
  /// What stands in the body of each chapter.
  var chapters: [String]
  /// In the head of each.
  var head = ""
  /// Of the package: `page-progression-direction`, `rendition:layout` and so on.
  var spine = ""
  var metadata = ""
  /// Further entries, with their types.
  var parts: [(name: String, type: String, bytes: [UInt8])] = []
  /// On the root of each chapter.
  var root = ""
  /// By number of the chapter: what the manifest says of it besides.
  var properties: [Int: String] = [:]

  init(_ chapters: [String]) { self.chapters = chapters }

  /// So many chapters of so many paragraphs, no two of which are alike.
  init(chapters count: Int, paragraphs: Int) {
    self.init(
      (1...count).map { chapter in
        "<h1>Chapter \(chapter)</h1>"
          + (1...paragraphs).map { number in
            """
            <p id="p\(number)">This is paragraph \(number) of chapter \(chapter). It goes on for a while, \
            with words enough to fill a few lines of a page on a phone, and says nothing at all that \
            anybody would want to keep in mind for longer than it takes to turn the page.</p>
            """
          }.joined()
      })
  }

  mutating func add(_ name: String, _ type: String, _ text: String) {
    parts.append((name, type, Array(text.utf8)))
  }

  private typealias Entry = TestArchive.Entry

  var bytes: [UInt8] {
    var entries = [
      Entry("mimetype", "application/epub+zip"),
      Entry(
        "META-INF/container.xml",
        """
        <?xml version="1.0"?><container version="1.0" \
        xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>\
        <rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>\
        </container>
        """),
    ]
    var manifest = """
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
      """
    var order = ""
    for number in chapters.indices {
      manifest +=
        "<item id='c\(number)' href='c\(number).xhtml' media-type='application/xhtml+xml' \(properties[number] ?? "")/>"
      order += "<itemref idref='c\(number)'/>"
    }
    for (number, part) in parts.enumerated() {
      manifest += "<item id='r\(number)' href='\(part.name)' media-type='\(part.type)'/>"
      entries.append(Entry("OPS/\(part.name)", part.bytes))
    }
    entries.append(
      Entry(
        "OPS/book.opf",
        """
        <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="uid">\
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\
        <dc:identifier id="uid">urn:paper:\(title)</dc:identifier><dc:title>\(title)</dc:title>\
        <dc:language>\(language)</dc:language><dc:creator>Ada Quill</dc:creator>\(metadata)</metadata>\
        <manifest>\(manifest)</manifest><spine \(spine)>\(order)</spine></package>
        """))
    let list = chapters.indices.map {
      "<li><a href='c\($0).xhtml'>Chapter \($0 + 1)</a></li>"
    }.joined()
    entries.append(
      Entry(
        "OPS/nav.xhtml",
        """
        <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
        <head><title>t</title></head><body><nav epub:type="toc"><ol>\(list)</ol></nav></body></html>
        """))
    for (number, body) in chapters.enumerated() {
      entries.append(
        Entry(
          "OPS/c\(number).xhtml",
          """
          <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \(root)>\
          <head><title>Chapter \(number + 1)</title>\(head)</head><body>\(body)</body></html>
          """))
    }
    return TestArchive(entries).bytes
  }
}
