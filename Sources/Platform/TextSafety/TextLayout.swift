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

  /// How something stands. The word says it too: a color alone tells nothing.
  package enum Mark: String, Sendable {
    case good = "32"
    case notable = "1"
    case bad = "1;31"
  }

  package func marked(_ text: TerminalText, _ mark: Mark) -> TerminalText {
    isStyled ? "\u{1b}[\(mark.rawValue)m\(text)\u{1b}[0m" : text
  }

  package func heading(_ text: TerminalText) -> TerminalText {
    isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  /// Paragraphs keep apart; lines that begin with a blank are kept as they are.
  package func wrap(_ text: TerminalText, indent: Int = 0, hanging: Int? = nil) -> TerminalText {
    let paragraphs = text.text.split(separator: "\n\n").map { paragraph in
      guard !paragraph.hasPrefix(" ") else {
        return paragraph.split(separator: "\n").map { blanks(indent) + $0 }
          .joined(separator: "\n")
      }
      return fill(paragraph, indent: indent, hanging: hanging ?? indent)
    }
    return TerminalText(cleaned: paragraphs.joined(separator: "\n\n"))
  }

  /// Lines that are wider than the screen, broken at blanks; what follows stands below the last column
  /// of such a line. A line with a command in it stays whole, to be pasted.
  package func fitted(_ text: TerminalText) -> TerminalText {
    guard let width else { return text }
    let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      cells(line) <= width || Self.isForPasting(line) ? String(line) : Self.broken(line, width)
    }
    return TerminalText(cleaned: lines.joined(separator: "\n"))
  }

  private static func isForPasting(_ line: Substring) -> Bool {
    let words = line.drop { $0 == " " }
    return words.hasPrefix("carrel ") || words.hasPrefix("$ ") || words.hasPrefix("try: ")
      || words.contains(": carrel ")
  }

  private static func broken(_ line: Substring, _ width: Int) -> String {
    let hanging = String(repeating: " ", count: hanging(line, atMost: width / 2))
    var (text, used, isFresh, hasWord) = ("", 0, true, false)
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let next = cells(word)
      // A word that is wider than a line is not pushed from one to the next.
      if hasWord, used + 1 + next > width {
        // Blanks at the end of a line are nobody's.
        if word.isEmpty { continue }
        text += "\n" + hanging + word
        used = hanging.count + next
      } else {
        text += isFresh ? String(word) : " " + word
        used += next + (isFresh ? 0 : 1)
      }
      isFresh = false
      hasWord = hasWord || !word.isEmpty
    }
    return text
  }

  /// Where the last column begins, which stands behind two blanks at least.
  private static func hanging(_ line: Substring, atMost limit: Int) -> Int {
    var (hanging, column, blanks) = (0, 0, 2)
    for character in line {
      guard column <= limit else { break }
      if character == " " {
        blanks += 1
      } else {
        if blanks > 1 { hanging = column }
        blanks = 0
      }
      column += cells(String(character))
    }
    return hanging
  }

  /// Terms on the left, their meanings on the right.
  package func table(_ rows: [(term: String, meaning: String)], indent: Int = 2) -> TerminalText {
    let rows = rows.map { row in
      (term: row.term.oneLine, meaning: row.meaning.oneLine)
    }
    let longest = rows.map { cells($0.term) }.filter { $0 <= Self.widestTerm }.max() ?? 0
    let column = indent + longest + 2
    let isStacked = width.map { $0 < Self.narrow } ?? false
    let lines = rows.map { row in
      let term = blanks(indent) + row.term
      guard !row.meaning.isEmpty else { return term }
      if isStacked {
        return term + "\n" + fill(row.meaning[...], indent: indent + 6, hanging: indent + 6)
      }
      let meaning = fill(row.meaning[...], indent: column, hanging: column)
      if cells(row.term) > longest { return term + "\n" + meaning }
      return term.padded(to: column) + meaning.dropFirst(column)
    }
    return TerminalText(cleaned: lines.joined(separator: "\n"))
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
