import EPUB
import Machine
import Markup

// Pages: HTML that needs nothing else, and Evernote's notes.
extension AnnotationExport {
  var html: String {
    let title = books.count == 1 ? books[0].title : "Notes"
    let page = tag("html", .init("lang", "en")) {
      tag("head") {
        tag("meta", .init("charset", "utf-8"))
        tag(
          "meta", .init("name", "viewport"),
          .init("content", "width=device-width, initial-scale=1"))
        tag("title") { title }
      }
      tag("body", attributes: [], children: books.map(Self.article))
    }
    return String(decoding: HTMLWriter.document(page), as: UTF8.self) + "\n"
  }

  private static func article(_ book: Notebook) -> Node {
    var parts = [tag("h1", attributes: [], children: [.text(book.title)])]
    if !book.authors.isEmpty {
      parts.append(tag("p", attributes: [], children: [.text(book.authors)]))
    }
    return tag("article", attributes: [], children: parts + body(book))
  }

  private static func entry(_ one: Annotation) -> [Node] {
    var parts: [Node] = []
    if let quote = one.quote {
      parts.append(tag("blockquote", attributes: [], children: [paragraph(quote)]))
    }
    if let note = one.note { parts.append(paragraph(note)) }
    var foot = [one.kind == .bookmark ? "Bookmark" : "", one.standing, one.day]
    foot += one.tags.map { "#\($0.onOneLine)" }
    let line = foot.filter { !$0.isEmpty }.joined(separator: ", ")
    parts.append(
      tag(
        "p", attributes: [], children: [tag("small", attributes: [], children: [.text(line)])]))
    return parts
  }

  /// With the ends of its lines.
  private static func paragraph(_ text: String) -> Node {
    var children: [Node] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !children.isEmpty { children.append(tag("br")) }
      children.append(.text(String(line)))
    }
    return tag("p", attributes: [], children: children)
  }

  // MARK: - Evernote

  private static let documentType =
    "<!DOCTYPE en-export SYSTEM \"http://xml.evernote.com/pub/evernote-export4.dtd\">\n"
  private static let noteType =
    "<!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\">\n"
  /// The longest title that Evernote takes.
  private static let longestTitle = 255

  /// One note for each book.
  var enex: String {
    let stamp = Self.stamp(moment.millisecondsSinceEpoch)
    let notes = books.map { Self.note($0) }.joined()
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Self.documentType
      + "<en-export export-date=\"\(stamp)\" application=\"Carrel\" version=\"1\">\n" + notes
      + "</en-export>\n"
  }

  private static func note(_ book: Notebook) -> String {
    let content =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + noteType + "<en-note>"
      + xml(body(book)) + "</en-note>"
    let whole = content.split(separator: "]]>", omittingEmptySubsequences: false)
      .joined(separator: "]]]]><![CDATA[>")
    let times = book.entries.flatMap { [$0.made, $0.changed] }
    let tags = Set(book.entries.flatMap(\.tags)).sorted()
    let title = String(book.title.prefix(longestTitle))
    var out = "<note>" + xml([tag("title", attributes: [], children: [.text(title)])])
    out += "<content><![CDATA[\(whole)]]></content>"
    out += "<created>\(stamp(times.min() ?? 0))</created>"
    out += "<updated>\(stamp(times.max() ?? 0))</updated>"
    out += xml(tags.map { tag("tag", attributes: [], children: [.text($0.onOneLine)]) })
    if !book.authors.isEmpty {
      out +=
        "<note-attributes>"
        + xml([tag("author", attributes: [], children: [.text(book.authors)])])
        + "</note-attributes>"
    }
    return out + "</note>\n"
  }

  /// A strict part of XHTML: neither classes nor ids.
  private static func body(_ book: Notebook) -> [Node] {
    var parts: [Node] = []
    var chapter: String?
    for entry in book.entries {
      if let title = entry.locator.title?.onOneLine, title != chapter {
        parts.append(tag("h2", attributes: [], children: [.text(title)]))
        chapter = title
      }
      parts += self.entry(entry)
    }
    return parts
  }

  private static func xml(_ nodes: [Node]) -> String {
    String(decoding: XMLWriter.piece(nodes).bytes, as: UTF8.self)
  }

  /// `20260324T090500Z`
  private static func stamp(_ milliseconds: Int64) -> String {
    time(milliseconds).filter { $0 != "-" && $0 != ":" }
  }
}
