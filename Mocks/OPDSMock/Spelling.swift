import HTTP
import HTTPServer
import Markup
import MockKit

/// How addresses and documents are spelled where something is odd about them.
extension Visit {
  /// Whole, unless this server leaves out what the reader is to fill in.
  func spelled(_ href: String) -> String {
    if quirks.contains(.xmlBase), language == .atom {
      let base = home + "/"
      if href.hasPrefix(base) { return href == base ? "./" : String(href.dropFirst(base.count)) }
    }
    guard quirks.contains(.rootRelative), href.hasPrefix("http"), !href.contains("//localhost"),
      let slashes = href.firstRange(of: "://"),
      let slash = href[slashes.upperBound...].firstIndex(of: "/")
    else { return href }
    return String(href[slash...])
  }

  func spoilt(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if quirks.contains(.entities), language == .atom {
      let text = String(decoding: bytes, as: UTF8.self)
      bytes = Array(text.replacing(" of ", with: "&nbsp;of&nbsp;").utf8)
    }
    // Nothing may come before an XML declaration, and yet it does.
    if quirks.contains(.leadingLines) { bytes = Array("\n\n".utf8) + bytes }
    if quirks.contains(.trailingText) { bytes += Array("\n<!-- 0.2 s --><br />Thank you".utf8) }
    return bytes
  }

  /// How to search, for programs that fill in one word.
  var description: Response {
    let template = at("search?q={searchTerms}")
    let root = Node.element(
      "OpenSearchDescription", [.init("xmlns", "http://a9.com/-/spec/opensearch/1.1/")],
      [
        .element("ShortName", [], [.text(library.name)]),
        .element("Description", [], [.text("Search \(library.name)")]),
        .element("Tags", [], [.text(library.id)]),
        tag(
          "Url",
          attributes: [
            .init("type", "application/atom+xml;profile=opds-catalog"), .init("template", template),
          ]),
      ])
    return written(XMLWriter.document(root), "application/opensearchdescription+xml")
  }
}
