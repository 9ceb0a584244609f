import EPUB

/// Sets a table: columns as wide as they need to be where that fits, narrower ones where it does
/// not, and one cell below the other where no columns are left to speak of.
struct TableLayout {
  private let item: ItemText
  private let blocks: Range<Int>
  private let width: Int
  private let gap = 2
  private static let leastColumn = 6
  /// Wider tables are read cell by cell.
  private static let mostColumns = 24

  init(_ item: ItemText, _ blocks: Range<Int>, width: Int) {
    (self.item, self.blocks, self.width) = (item, blocks, width)
  }

  /// Each line with its parts, in the order of their columns; nil where it is too wide for columns.
  func rows() -> [[RowPart]]? {
    let cells = blocks.compactMap { number in
      item.cell(of: item.blocks[number]).map { (number, $0) }
    }
    let columns = (cells.map(\.1.column).max() ?? 0) + 1
    guard columns <= Self.mostColumns, let widths = widths(cells, columns) else { return nil }
    var starts: [Int] = []
    var next = 0
    for width in widths {
      starts.append(next)
      next += width + gap
    }
    var out: [[RowPart]] = []
    var place = 0
    while place < cells.count {
      let row = cells[place].1.row
      var lines: [[RowPart]] = []
      var used: [Int: Int] = [:]
      while place < cells.count, cells[place].1.row == row {
        let (number, cell) = cells[place]
        let last = min(cell.column + max(1, cell.columnSpan), columns) - 1
        let room = starts[last] + widths[last] - starts[cell.column]
        let shown = ShownBlock(item, item.blocks[number])
        var line = used[cell.column] ?? 0
        for piece in LineBreaking.lines(shown.bytes, shown.range, first: room, rest: room) {
          while lines.count <= line { lines.append([]) }
          lines[line].append(
            RowPart(block: number, range: piece.range, column: starts[cell.column]))
          line += 1
        }
        used[cell.column] = line
        place += 1
      }
      out += lines
    }
    return out
  }

  private func widths(_ cells: [(Int, TableCell)], _ columns: Int) -> [Int]? {
    var natural = Array(repeating: 1, count: columns)
    for (number, cell) in cells where cell.columnSpan <= 1 {
      let shown = ShownBlock(item, item.blocks[number])
      let room = 4 * width
      let pieces = LineBreaking.lines(shown.bytes, shown.range, first: room, rest: room)
      let widest = pieces.map { LineBreaking.cells(shown.bytes, $0.range) }.max() ?? 0
      natural[cell.column] = max(natural[cell.column], widest)
    }
    let room = width - gap * (columns - 1)
    if natural.reduce(0, +) <= room { return natural }
    guard room >= columns * Self.leastColumn else { return nil }
    return shrunk(natural, to: room)
  }

  /// Narrow columns stay as they are; the others share what is left.
  private func shrunk(_ natural: [Int], to room: Int) -> [Int] {
    var widths = natural
    var open = Set(natural.indices)
    var left = room
    while !open.isEmpty {
      let share = left / open.count
      let narrow = open.filter { natural[$0] <= share }
      guard !narrow.isEmpty else {
        for column in open { widths[column] = max(1, share) }
        break
      }
      for column in narrow { left -= natural[column] }
      open.subtract(narrow)
    }
    return widths
  }
}
