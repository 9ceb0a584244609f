import Compression
import EPUB
import JSON

extension Parser {
  static let books = [
    Parser("epub") { bytes in
      if let book = try? Book(bytes) { readAll(book) }
    },
    Parser("package") { bytes in
      checkBook(container: bytes)
      checkBook(package: bytes)
      checkBook(nav: bytes)
      checkBook(encryption: bytes)
    },
    Parser("page") { bytes in
      checkPage(bytes)
      _ = try? PageElement(bytes)
      _ = try? PageElement(bytes, isHTML: true)
    },
    Parser("place") { bytes in checkPlace(String(decoding: bytes, as: UTF8.self)) },
  ]
}

/// A book of a few entries, one of them the fuzzer's.
private func checkBook(
  container: [UInt8]? = nil, package: [UInt8]? = nil, nav: [UInt8]? = nil,
  encryption: [UInt8]? = nil
) {
  var entries = [
    ("META-INF/container.xml", container ?? Array(Sample.container.utf8)),
    ("p.opf", package ?? Array(Sample.package.utf8)),
    ("nav.xhtml", nav ?? Array(Sample.page.utf8)), ("toc.ncx", nav ?? Array(Sample.page.utf8)),
    ("a.xhtml", Array(Sample.page.utf8)),
  ]
  if let encryption { entries.append(("META-INF/encryption.xml", encryption)) }
  if let book = try? Book(StoredArchive(entries).bytes) { readAll(book) }
}

private func readAll(_ book: Book) {
  _ = book.examine()
  let places = BookPlaces(book)
  precondition(places.positions.count == book.positions, "positions are counted twice")
  var reading = TextReading(book)
  for spine in book.document.spine.indices.prefix(4) {
    guard let text = try? reading.text(at: spine) else { continue }
    check(text)
    let locator = places.locator(0..<0, in: text, spine: spine)
    precondition(Locator(locator.json) == locator, "a locator does not survive its JSON")
    _ = places.place(of: locator, &reading)
  }
}

/// What can be read can be written, and is the same again.
private func checkPlace(_ text: String) {
  guard let cfi = try? CFI("epubcfi(\(text))") else { return }
  guard let again = try? CFI("\(cfi)") else { preconditionFailure("its own words are refused") }
  precondition(again == cfi, "a place is another one after writing")
  precondition(!(cfi < cfi), "a place is before itself")
  if let tree = try? SourceTree(Array(Sample.page.utf8)), let inside = cfi.insideDocument {
    _ = tree.found(inside.start)
    _ = tree.found(inside.end)
  }
}

/// A chapter, an overlay and a style sheet are all the same to this.
private func checkPage(_ bytes: [UInt8]) {
  if let quick = SourceTree(quickly: bytes), quick.fault == nil {
    guard let slow = try? SourceTree(thoroughly: bytes) else {
      preconditionFailure("the quick way takes what the other refuses")
    }
    precondition(slow.text == quick.text, "two ways, two texts")
    precondition(slow.nodes.map(\.end) == quick.nodes.map(\.end), "two ways, two trees")
    for node in slow.nodes.indices where slow.nodes[node].isElement {
      for name in AttributeName.allCases {
        precondition(
          slow.attribute(name, of: node) == quick.attribute(name, of: node), "two ways, two values")
      }
    }
  }
  guard let tree = try? SourceTree(bytes) else { return }
  check(ItemText(tree, at: "a.xhtml", sheet: bytes))
  _ = Overlay(tree, at: "a.smil")
}

private func check(_ text: ItemText) {
  var end = 0
  for block in text.blocks {
    precondition(block.range.lowerBound >= end, "blocks lie over one another")
    end = block.range.upperBound
    precondition(text.runs(of: block).allSatisfy { block.range.contains(Int($0.start)) })
  }
  precondition(end <= text.text.count, "a block is longer than the text")
  let plain = text.plain()
  precondition(
    !plain.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F },
    "a control came through")
  for block in text.blocks.prefix(16) where !block.range.isEmpty {
    let source = text.source(of: block.range.lowerBound)
    let path = text.tree.path(to: source)
    precondition(text.tree.found(path)?.offset == source, "a place does not come back")
  }
}

private enum Sample {
  static let container = """
    <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>\
    <rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
    """
  static let package = """
    <package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>\
    <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
    <item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>\
    <item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>\
    <spine toc="x"><itemref idref="a"/></spine></package>
    """
  static let page = """
    <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>\
    <p id="p">One <b>two</b> three.</p><ul><li>four</li></ul></body></html>
    """
}

/// An archive whose entries are not packed, as small as the format allows.
private struct StoredArchive {
  let bytes: [UInt8]

  init(_ entries: [(name: String, content: [UInt8])]) {
    var out: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in entries {
      let head =
        Self.words(20, 0, 0, 0, 0) + Self.long(CRC32(content).value)
        + Self.long(UInt32(content.count))
        + Self.long(UInt32(content.count)) + Self.words(UInt16(name.utf8.count), 0)
      directory += Self.long(0x0201_4B50) + Self.words(20) + head + Self.words(0, 0, 0)
      directory += Self.long(0) + Self.long(UInt32(out.count)) + Array(name.utf8)
      out += Self.long(0x0403_4B50) + head + Array(name.utf8) + content
    }
    let count = UInt16(entries.count)
    let end =
      Self.long(0x0605_4B50) + Self.words(0, 0, count, count) + Self.long(UInt32(directory.count))
      + Self.long(UInt32(out.count)) + Self.words(0)
    bytes = out + directory + end
  }

  private static func words(_ words: UInt16...) -> [UInt8] {
    words.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func long(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(value >> (8 * UInt32($0)) & 0xFF) }
  }
}
