import EPUB

extension AnnotationExport {
  var markdown: String { books.map(Self.markdown).joined(separator: "\n") }

  private static func markdown(_ book: Notebook) -> String {
    var out = "# \(escaped(book.title))\n\n"
    if !book.authors.isEmpty { out += "\(escaped(book.authors))\n\n" }
    var chapter: String?
    for entry in book.entries {
      if let title = entry.locator.title?.onOneLine, title != chapter {
        out += "## \(escaped(title))\n\n"
        chapter = title
      }
      if let quote = entry.quote, entry.kind != .bookmark { out += block(quote, "> ") + "\n\n" }
      if entry.kind == .bookmark {
        out += "Bookmark" + (entry.quote.map { ": \(escaped($0.onOneLine))" } ?? "") + "\n\n"
      }
      if let note = entry.note { out += block(note, "") + "\n\n" }
      if !entry.tags.isEmpty {
        out += "Tags: \(entry.tags.map { escaped($0.onOneLine) }.joined(separator: ", "))\n\n"
      }
      let standing = [entry.standing, entry.day].filter { !$0.isEmpty }
      out += "— \(standing.joined(separator: ", "))\n\n"
    }
    return out
  }

  /// Line by line, so that verse stays verse: two blanks at the end of a line keep it.
  private static func block(_ text: String, _ sign: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { sign + escaped(String($0)) }.joined(separator: "  \n")
  }

  /// What begins a heading, a list or a quotation in the text is none, and no tag is a tag.
  static func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
      if "\\`*_[]<>#".contains(character) { out.append("\\") }
      out.append(character)
    }
    guard let first = out.first else { return out }
    if "-+=~|".contains(first) { return "\\" + out }
    let digits = out.prefix { $0.isNumber }
    if !digits.isEmpty, let next = out.dropFirst(digits.count).first, ".)".contains(next) {
      return digits + "\\" + out.dropFirst(digits.count)
    }
    return out
  }
}
