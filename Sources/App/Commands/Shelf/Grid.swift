import TextSafety

/// Rows in columns. One column, the title as a rule, gives way when the screen is narrow; where that is
/// not enough, each row takes lines of its own and nothing is cut.
struct Grid {
  var rows: [[String]]
  /// Which column is cut short first.
  var yielding = 0

  /// How many columns stand on a row's first line when it has several; up to the one that yields,
  /// unless said.
  var leading: Int?

  private static let gap: TerminalText = "  "
  private static let shortest = 16

  func text(_ layout: TextLayout) -> TerminalText {
    let rows = Self.aligned(rows, but: yielding).map { $0.map { TerminalText(line: $0) } }
    guard let first = rows.first else { return "" }
    var widths = first.indices.map { column in rows.map { cells($0[column].text) }.max() ?? 0 }
    if let width = layout.width {
      let taken = widths.reduce(0, +) + cells(Self.gap.text) * (widths.count - 1)
      let short = min(Self.shortest, widths[yielding])
      guard taken - (widths[yielding] - short) <= width else { return stacked(rows, layout) }
      widths[yielding] = max(short, widths[yielding] - max(0, taken - width))
    }
    return rows.map { row in
      row.indices.map { column in
        (column == yielding ? row[column].cut(to: widths[column]) : row[column])
          .padded(to: widths[column])
      }.joined(separator: Self.gap).trimmed + "\n"
    }.joined()
  }

  private func stacked(_ rows: [[TerminalText]], _ layout: TextLayout) -> TerminalText {
    let leading = leading ?? yielding + 1
    return rows.map { row in
      let (first, rest) = (row.prefix(leading), row.dropFirst(leading))
      let name = first.filter { !$0.isEmpty }.joined(separator: "  ")
      let more = rest.filter { !$0.isEmpty }.joined(separator: " · ")
      return (name.isEmpty ? "" : layout.heading(layout.wrap(name, hanging: 4)) + "\n")
        + (more.isEmpty ? "" : layout.wrap(more, indent: 4) + "\n")
    }.joined()
  }

  /// Columns that begin with a number have them end below one another.
  private static func aligned(_ rows: [[String]], but yielding: Int) -> [[String]] {
    guard let first = rows.first else { return rows }
    var rows = rows
    for column in first.indices where column != yielding {
      let digits = rows.map { $0[column].prefix { $0.isNumber || $0 == "," }.count }
      guard !zip(rows, digits).contains(where: { $1 == 0 && !$0[column].isEmpty }) else { continue }
      let longest = digits.max() ?? 0
      for (row, count) in digits.enumerated() where count > 0 {
        rows[row][column] = String(repeating: " ", count: longest - count) + rows[row][column]
      }
    }
    return rows
  }
}
