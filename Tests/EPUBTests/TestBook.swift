import TestSupport
import Testing

@testable import EPUB

/// A small sound book, to be made unsound one thing at a time.
struct TestBook {
  var archive: TestArchive

  private typealias Entry = TestArchive.Entry

  /// EPUB 3 with two chapters, a picture and a font.
  init() {
    archive = TestArchive([
      Entry("mimetype", "application/epub+zip"),
      Entry("META-INF/container.xml", Self.container("OPS/book.opf")),
      Entry("OPS/book.opf", Self.package()),
      Entry("OPS/nav.xhtml", Self.nav("<ol><li><a href='one.xhtml'>One</a></li></ol>")),
      Entry("OPS/one.xhtml", Self.page("<p>First words.</p>")),
      Entry("OPS/two.xhtml", Self.page("<p>Second words.</p>")),
      Entry("OPS/cover.png", "a picture"),
      Entry("OPS/font.otf", "OTTO and more"),
    ])
  }

  static func container(_ path: String, _ type: String = "application/oebps-package+xml") -> String
  {
    """
    <?xml version="1.0"?><container version="1.0" \
    xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>\
    <rootfile full-path="\(path)" media-type="\(type)"/></rootfiles></container>
    """
  }

  static let metadata = """
    <dc:identifier id="uid">urn:uuid:0f0e0d0c-0b0a-0908-0706-050403020100</dc:identifier>\
    <dc:title>A Book</dc:title><dc:language>en</dc:language>
    """

  static let manifest = """
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
    <item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>\
    <item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>\
    <item id="pic" href="cover.png" media-type="image/png"/>\
    <item id="font" href="font.otf" media-type="font/otf"/>
    """

  static let spine = "<spine><itemref idref='one'/><itemref idref='two'/></spine>"

  static func package(
    version: String = "3.0", metadata: String = TestBook.metadata,
    manifest: String = TestBook.manifest,
    spine: String = TestBook.spine, after: String = ""
  ) -> String {
    """
    <package xmlns="http://www.idpf.org/2007/opf" version="\(version)" unique-identifier="uid">\
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:opf="http://www.idpf.org/2007/opf">\(metadata)</metadata>\
    <manifest>\(manifest)</manifest>\(spine)\(after)</package>
    """
  }

  static func page(_ body: String) -> String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>\
    <body>\(body)</body></html>
    """
  }

  static func nav(_ list: String, _ more: String = "") -> String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
    <head><title>t</title></head><body><nav epub:type="toc">\(list)</nav>\(more)</body></html>
    """
  }

  static func ncx(_ points: String, _ more: String = "") -> String {
    """
    <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">\
    <navMap>\(points)</navMap>\(more)</ncx>
    """
  }

  subscript(_ name: String) -> String? {
    get { archive[name].map { String(decoding: $0.packed, as: UTF8.self) } }
    set { archive[name] = newValue.map { Entry(name, $0) } }
  }

  func with(_ name: String, _ text: String?) -> TestBook {
    var book = self
    book[name] = text
    return book
  }

  /// With another package.
  func packaged(
    version: String = "3.0", metadata: String = TestBook.metadata,
    manifest: String = TestBook.manifest,
    spine: String = TestBook.spine, after: String = ""
  ) -> TestBook {
    with(
      "OPS/book.opf",
      Self.package(
        version: version, metadata: metadata, manifest: manifest, spine: spine, after: after))
  }

  func opened() throws -> Book { try Book(archive.bytes) }

  var refusal: Refusal? {
    do throws(Refusal) {
      _ = try Book(archive.bytes)
      return nil
    } catch { return error }
  }

  /// What is wrong with it, in words.
  func faults() throws -> Set<String> { Set(try opened().faults.map(\.code.rawValue)) }

  static func encryption(_ algorithm: String, _ path: String, key: String = "") -> String {
    """
    <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" \
    xmlns:enc="http://www.w3.org/2001/04/xmlenc#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\
    <enc:EncryptedData><enc:EncryptionMethod Algorithm="\(algorithm)"/>\
    <ds:KeyInfo>\(key)</ds:KeyInfo>\
    <enc:CipherData><enc:CipherReference URI="\(path)"/></enc:CipherData></enc:EncryptedData>\
    </encryption>
    """
  }
}
