import EPUB

// Lists for other programs: Readwise's CSV and BibTeX.
extension AnnotationExport {
  /// The longest highlight that Readwise takes.
  private static let longestHighlight = 8191

  var csv: String {
    var out = "Highlight,Title,Author,URL,Note,Location,Date\r\n"
    for book in books {
      for entry in book.entries {
        guard let quote = entry.quote ?? entry.note, !quote.isEmpty else { continue }
        let tags = entry.tags.map { ".\($0.filter { !$0.isWhitespace })" }.joined(separator: " ")
        let note = [tags, entry.note ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
        let cells = [
          String(quote.prefix(Self.longestHighlight)), book.title, book.authors, "", note,
          entry.locator.position.map(String.init) ?? "", Self.time(entry.made),
        ]
        out += cells.map(Self.cell).joined(separator: ",") + "\r\n"
      }
    }
    return out
  }

  /// RFC 4180 §2.
  private static func cell(_ text: String) -> String {
    guard text.contains(where: { "\",\n\r".contains($0) || $0 == "\r\n" }) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  // MARK: - BibTeX

  /// One entry for each book, what was written in it as its annotation.
  var bibtex: String {
    var used: Set<String> = []
    return books.map { book in
      var key = Self.key(book)
      while !used.insert(key).inserted { key += "a" }
      var fields: [(String, String)] = [("title", "{\(Self.tex(book.title))}")]
      if !book.book.authors.isEmpty {
        // A name in braces is one name, whatever stands in it.
        let names = book.book.authors.map { "{\(Self.tex($0.onOneLine))}" }
        fields.insert(("author", names.joined(separator: " and ")), at: 0)
      }
      if let identifier = book.book.identifier {
        fields.append(("howpublished", Self.tex(identifier.onOneLine)))
      }
      fields.append(("annote", book.entries.map(Self.remark).joined(separator: "\n\n")))
      let lines = fields.map { "  \($0) = {\($1)}" }.joined(separator: ",\n")
      return "@book{\(key),\n\(lines)\n}\n"
    }.joined(separator: "\n")
  }

  private static func remark(_ one: Annotation) -> String {
    let quote = one.quote.map { "``\(tex($0.onOneLine))''" }
    let note = one.note.map { tex($0.onOneLine) }
    let standing = one.standing.isEmpty ? nil : "(\(tex(one.standing)))"
    return [quote, standing, note].compactMap(\.self).joined(separator: " ")
  }

  private static func key(_ book: Notebook) -> String {
    func word(_ text: String?) -> String {
      let last = text?.split { !$0.isLetter }.first { $0.count > 2 } ?? ""
      return last.lowercased().filter { $0.isASCII }
    }
    let family = book.book.authors.first?.split(separator: " ").last.map(String.init)
    let key = word(family) + word(book.book.title)
    return key.isEmpty ? "book" : key
  }

  private static func tex(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "\\": out += "\\textbackslash{}"
      case "~": out += "\\textasciitilde{}"
      case "^": out += "\\textasciicircum{}"
      case "{", "}", "%", "&", "$", "#", "_": out += "\\\(character)"
      default: out.append(character)
      }
    }
    return out
  }
}
