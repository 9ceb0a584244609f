import TestSupport

@testable import EPUB
@testable import Terminal

/// A small book to read.
struct Volume {
  var chapters: [String]
  var more: [String: String] = [:]
  var title = "A Book"

  init(_ chapters: String...) { self.chapters = chapters }

  static func page(_ body: String) -> String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
    <head><title>t</title></head><body>\(body)</body></html>
    """
  }

  func opened() throws -> Book {
    var manifest = ""
    var spine = ""
    var list = ""
    var entries: [TestArchive.Entry] = []
    for (number, body) in chapters.enumerated() {
      manifest +=
        "<item id='c\(number)' href='c\(number).xhtml' media-type='application/xhtml+xml'/>"
      spine += "<itemref idref='c\(number)'/>"
      list += "<li><a href='c\(number).xhtml'>Chapter \(number + 1)</a></li>"
      entries.append(.init("c\(number).xhtml", Self.page(body)))
    }
    let package = """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>\(title)</dc:title>\
      <dc:identifier id="u">urn:x:1</dc:identifier><dc:language>en</dc:language>\
      <dc:creator>Ada Writer</dc:creator></metadata><manifest>\
      <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
      \(manifest)</manifest><spine>\(spine)</spine></package>
      """
    entries.append(.init("nav.xhtml", Self.page("<nav epub:type='toc'><ol>\(list)</ol></nav>")))
    return try Book(TestArchive.book(package, entries).bytes)
  }

  func model(_ columns: Int = 40, _ rows: Int = 10) throws -> ReaderModel {
    guard
      let model = ReaderModel(
        try opened(), window: ReaderModel.Window(columns: columns, rows: rows))
    else { throw Unreadable() }
    return model
  }

  struct Unreadable: Error {}

  /// Paragraphs of numbered words, each long enough for a few lines.
  static func words(_ name: String, _ paragraphs: Int) -> String {
    (1...paragraphs).map { paragraph in
      let words = (1...20).map { "\(name)\(paragraph).\($0)" }.joined(separator: " ")
      return "<p>\(words)</p>"
    }.joined()
  }
}

extension ReaderModel {
  mutating func type(_ text: String) -> [Errand] {
    text.flatMap { press($0 == "\n" ? .enter : .character($0)) }
  }

  mutating func press(_ keys: Key...) -> [Errand] { keys.flatMap { press($0) } }

  var screen: String { view().text }
  var pageText: String { view().rows.dropLast().map(\.text).joined(separator: "\n") }
  var status: String { view().rows.last?.text ?? "" }
}
