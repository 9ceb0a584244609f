import Arguments

/// Rows in columns. One column, the title as a rule, gives way when the screen is narrow; where that is
/// not enough, each row takes lines of its own and nothing is cut.
struct Grid {
  var rows: [[String]]
  /// Which column is cut short first.
  var yielding = 0

  /// How many columns stand on a row's first line when it has several; up to the one that yields,
  /// unless said.
  var leading: Int?

  private static let gap = 2
  private static let shortest = 12

  func text(_ layout: TextLayout) -> String {
    guard let first = rows.first else { return "" }
    var widths = first.indices.map { column in rows.map { cells($0[column]) }.max() ?? 0 }
    if let width = layout.width {
      let taken = widths.reduce(0, +) + Self.gap * (widths.count - 1)
      let short = min(Self.shortest, widths[yielding])
      guard taken - (widths[yielding] - short) <= width else { return stacked(layout) }
      widths[yielding] = max(short, widths[yielding] - max(0, taken - width))
    }
    return rows.map { row in
      let line = row.indices.map { column in
        Self.cut(row[column], to: widths[column], yields: column == yielding)
          .padded(to: widths[column])
      }.joined(separator: String(repeating: " ", count: Self.gap))
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  private func stacked(_ layout: TextLayout) -> String {
    let leading = leading ?? yielding + 1
    return rows.map { row in
      let (first, rest) = (row.prefix(leading), row.dropFirst(leading))
      let lines = [
        (first.joined(separator: "  "), 0),
        (rest.filter { !$0.isEmpty }.joined(separator: " · "), 4),
      ]
      return lines.filter { !$0.0.isEmpty }.map { text, indent in
        layout.wrap(text, indent: indent, hanging: 4) + "\n"
      }.joined()
    }.joined()
  }

  private static func cut(_ text: String, to width: Int, yields: Bool) -> String {
    guard yields, cells(text) > width else { return text }
    var kept = ""
    var used = 0
    for character in text {
      let next = cells(String(character))
      guard used + next <= width - 1 else { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }
}
