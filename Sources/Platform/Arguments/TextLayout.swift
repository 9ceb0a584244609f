/// Lays plain text out in columns. Without a width, as for a pipe, nothing is wrapped.
package struct TextLayout: Sendable {
  package let width: Int?
  /// Whether headings may be bold.
  package let isStyled: Bool

  /// Below this, two columns beside one another are harder to read than one under the other.
  private static let narrow = 50
  private static let widestTerm = 26

  package init(width: Int?, isStyled: Bool) {
    // Long lines are hard to follow: text stops at a hundred cells on any screen.
    self.width = width.map { max(20, min($0, 100)) }
    self.isStyled = isStyled
  }

  package func heading(_ text: String) -> String {
    isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  /// Paragraphs keep apart; lines that begin with a blank are kept as they are.
  package func wrap(_ text: String, indent: Int = 0, hanging: Int? = nil) -> String {
    text.split(separator: "\n\n").map { paragraph in
      guard !paragraph.hasPrefix(" ") else {
        return paragraph.split(separator: "\n").map { blanks(indent) + $0 }
          .joined(separator: "\n")
      }
      return fill(paragraph, indent: indent, hanging: hanging ?? indent)
    }.joined(separator: "\n\n")
  }

  /// Terms on the left, their meanings on the right.
  package func table(_ rows: [(term: String, meaning: String)], indent: Int = 2) -> String {
    let longest = rows.map { cells($0.term) }.filter { $0 <= Self.widestTerm }.max() ?? 0
    let column = indent + longest + 2
    let isStacked = width.map { $0 < Self.narrow } ?? false
    return rows.map { row in
      let term = blanks(indent) + row.term
      guard !row.meaning.isEmpty else { return term }
      if isStacked {
        return term + "\n" + fill(row.meaning[...], indent: indent + 4, hanging: indent + 4)
      }
      let meaning = fill(row.meaning[...], indent: column, hanging: column)
      if cells(row.term) > longest { return term + "\n" + meaning }
      return term.padded(to: column) + meaning.dropFirst(column)
    }.joined(separator: "\n")
  }

  private func fill(_ text: Substring, indent: Int, hanging: Int) -> String {
    let words = text.split { $0 == " " || $0 == "\n" }
    guard let width else { return blanks(indent) + words.joined(separator: " ") }
    var lines: [String] = []
    var line = blanks(indent)
    var isFresh = true
    for word in words {
      if !isFresh, cells(line) + 1 + cells(word) > width {
        lines.append(line)
        line = blanks(hanging)
        isFresh = true
      }
      line += isFresh ? String(word) : " " + word
      isFresh = false
    }
    lines.append(line)
    return lines.joined(separator: "\n")
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
