/// The bullets or numbers of one list.
struct ListCounting {
  private enum Marks { case bullet, decimal, letters, roman, none }

  private let marks: Marks
  private let isCapital: Bool
  private let depth: Int
  private let step: Int
  private var value: Int

  private static let bullets = ["•", "◦", "▪"]

  init(_ tree: SourceTree, _ node: Int, depth: Int) {
    self.depth = depth
    let isOrdered = tree.tag(node) == .ol
    let type = tree.attribute(.type, of: node) ?? ""
    let style = tree.attribute(.style, of: node)?.lowercased() ?? ""
    isCapital = type == "A" || type == "I" || style.contains("upper-")
    if style.contains("list-style-type:none") || style.contains("list-style-type: none") {
      marks = .none
    } else if !isOrdered {
      marks = .bullet
    } else if type.lowercased() == "i" || style.contains("-roman") {
      marks = .roman
    } else if type.lowercased() == "a" || style.contains("-alpha") || style.contains("-latin") {
      marks = .letters
    } else {
      marks = .decimal
    }
    let isReversed = tree.has(.reversed, node)
    step = isReversed ? -1 : 1
    let count =
      isReversed
      ? tree.children(of: node).count { tree.nodes[$0].isElement && tree.tag($0) == .li } : 1
    value = tree.attribute(.start, of: node).flatMap(Self.number) ?? count
  }

  mutating func next(_ tree: SourceTree, _ item: Int) -> String? {
    if let own = tree.attribute(.value, of: item).flatMap(Self.number) { value = own }
    defer { value = value &+ step }
    switch marks {
    case .none: return nil
    case .bullet: return Self.bullets[min(depth, Self.bullets.count - 1)]
    case .decimal: return "\(value)."
    case .letters: return (isCapital ? Self.letters(value).uppercased() : Self.letters(value)) + "."
    case .roman: return (isCapital ? Self.roman(value).uppercased() : Self.roman(value)) + "."
    }
  }

  private static func number(_ text: String) -> Int? {
    Int(text.cleaned()).flatMap { $0.magnitude < 1 << 31 ? $0 : nil }
  }

  /// a, b … z, aa, ab; a plain number where that has no sense.
  private static func letters(_ value: Int) -> String {
    guard value > 0 else { return "\(value)" }
    var rest = value
    var letters: [UInt8] = []
    while rest > 0 {
      letters.append(UInt8(ascii: "a") + UInt8((rest - 1) % 26))
      rest = (rest - 1) / 26
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }

  private static func roman(_ value: Int) -> String {
    guard (1..<4000).contains(value) else { return "\(value)" }
    var rest = value
    var text = ""
    for (worth, sign) in romans {
      while rest >= worth {
        text += sign
        rest -= worth
      }
    }
    return text
  }

  private static let romans = [
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
  ]
}

/// Where the cells of a table stand, with those that reach into other rows and columns.
struct TableCounting {
  private var row = -1
  private var column = 0
  /// For each column the row up to which something from above is in it.
  private var taken: [Int] = []

  /// More columns and rows than that are no table.
  private static let widest = 100
  private static let highest = 1000

  mutating func beginRow() {
    row += 1
    column = 0
  }

  mutating func cell(_ tree: SourceTree, _ node: Int, table: Int, isHeader: Bool) -> TableCell {
    if row < 0 { beginRow() }
    while column < taken.count, taken[column] > row { column += 1 }
    let width = Self.span(tree, .colspan, node, Self.widest)
    let height = Self.span(tree, .rowspan, node, Self.highest)
    let cell = TableCell(
      table: table, row: row, column: column, rowSpan: height, columnSpan: width,
      isHeader: isHeader)
    // A row of a million cells stays in bounds.
    let end = min(column + width, 10 * Self.highest)
    while taken.count < end { taken.append(0) }
    for place in column..<max(column, end) { taken[place] = row + height }
    column += width
    return cell
  }

  private static func span(_ tree: SourceTree, _ name: AttributeName, _ node: Int, _ most: Int)
    -> Int
  {
    let written = tree.attribute(name, of: node).flatMap { Int($0.cleaned()) } ?? 1
    return min(max(written, 1), most)
  }
}
