import Text

/// How a piece of a row looks. What that is in colors is the theme's business.
package struct Look: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let bold = Look(rawValue: 1)
  package static let italic = Look(rawValue: 2)
  package static let underline = Look(rawValue: 4)
  package static let strike = Look(rawValue: 8)
  package static let dim = Look(rawValue: 16)
  package static let link = Look(rawValue: 32)
  /// Marked by the reader.
  package static let marked = Look(rawValue: 64)
  /// Found by the search.
  package static let found = Look(rawValue: 128)
  /// What the next key is about.
  package static let chosen = Look(rawValue: 256)
  /// The line below the page.
  package static let status = Look(rawValue: 512)
}

package struct Span: Sendable, Hashable {
  package var text: String
  package var look: Look

  package init(_ text: String, _ look: Look = []) { (self.text, self.look) = (text, look) }
}

/// One row of the screen. It never takes more cells than the window has.
package struct Row: Sendable, Hashable {
  package var spans: [Span]

  package init(_ spans: [Span] = []) { self.spans = spans }
  package init(_ text: String, _ look: Look = []) { spans = text.isEmpty ? [] : [Span(text, look)] }

  package var text: String { spans.map(\.text).joined() }
  package var cells: Int { spans.reduce(0) { $0 + Clusters.cells(of: $1.text) } }

  /// Moved to the right by so many cells.
  func indented(by count: Int) -> Row {
    count > 0 ? Row([Span(String(repeating: " ", count: count))] + spans) : self
  }

  /// What of it fits a window.
  func clipped(to width: Int) -> Row {
    var left = width
    var out: [Span] = []
    for span in spans {
      let part = span.text.clipped(to: left)
      if !part.isEmpty { out.append(Span(part, span.look)) }
      left -= Clusters.cells(of: part)
      if part.count < span.text.count { break }
    }
    return Row(out)
  }
}

/// What is on the screen, row by row from the top.
package struct Screenful: Sendable, Hashable {
  package var rows: [Row]
  /// Where something is typed.
  package var cursor: Cursor?

  package struct Cursor: Sendable, Hashable {
    package let row: Int
    package let column: Int
  }

  package init(_ rows: [Row], cursor: Cursor? = nil) { (self.rows, self.cursor) = (rows, cursor) }

  package var text: String { rows.map(\.text).joined(separator: "\n") }
}

extension String {
  /// As many of its characters as fit so many cells.
  func clipped(to width: Int) -> String {
    guard Clusters.cells(of: self) > width else { return self }
    var left = width
    var out = ""
    for character in self {
      let cells = Clusters.cells(of: String(character))
      guard cells <= left else { break }
      left -= cells
      out.append(character)
    }
    return out
  }

  /// The same, with a sign that there was more.
  func shortened(to width: Int) -> String {
    guard Clusters.cells(of: self) > width else { return self }
    guard width > 1 else { return clipped(to: width) }
    return clipped(to: width - 1) + "…"
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - Clusters.cells(of: self)))
  }
}
