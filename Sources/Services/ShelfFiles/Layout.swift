import Circulation
import ReadingLists

/// How one program writes books in a table: its columns, and what they mean in both directions.
struct Layout: Sendable {
  /// In the program's own order; its cells are written under these names.
  let columns: [String]
  /// Other names of a column, in older files or in hand-made ones.
  var synonyms: [String: String] = [:]
  /// A file that has all columns of one of these is of this make.
  let signs: [[String]]
  var separator = UInt8(ascii: ",")
  var hasQuotes = true
  /// Extras of this beginning go into the rows themselves and are no columns.
  var rowMark: String?
  /// An entry without what nobody took of the cells.
  let parse: @Sendable (inout Cells) -> Parsed
  /// The cells of each row by column, as far as they follow from the entry; nil where nothing is
  /// written in this way.
  var render: (@Sendable (KeptEntry) -> [[Cell]])?

  typealias Cell = (column: String, text: String)

  enum Parsed {
    case book(KeptEntry)
    /// The program itself says that this is no book of its reader any more.
    case passed(String)
  }

  /// From folded spellings to the names of the columns.
  var known: [String: String] {
    var known = Dictionary(
      columns.map { (Header.folded($0), $0) }, uniquingKeysWith: { one, _ in one })
    for (spelling, column) in synonyms { known[Header.folded(spelling)] = column }
    return known
  }

  func fits(_ folded: Set<String>) -> Bool {
    signs.contains { $0.allSatisfy { folded.contains(Header.folded($0)) } }
  }
}

extension Layout {
  /// The entry of a row with all that the file has and the entry has no place for: columns that
  /// nobody knows, and cells of known ones that would be written in another way.
  func whole(_ cells: Cells) -> Parsed {
    var cells = cells
    guard case .book(var kept) = parse(&cells) else { return parse(&cells) }
    kept.extras.merge(cells.rest) { own, _ in own }
    if let render, let row = render(kept).first {
      for cell in row {
        if let raw = cells.raw(cell.column), raw != cell.text { kept.extras[cell.column] = raw }
      }
    }
    return .book(kept)
  }

  /// The rows of an entry, each with all its cells in the order of `columns`, which may be more
  /// than the layout's own.
  func rows(of kept: KeptEntry, _ columns: Header) -> [[String]] {
    guard let render else { return [] }
    let rendered = render(kept)
    return rendered.map { row in
      var cells = columns.names.map { kept.extras[$0] ?? "" }
      for cell in row {
        if let place = columns.place(cell.column) { cells[place] = cell.text }
      }
      // What differs from row to row is of its shelf, not of the book.
      let ofBook = row.indices.filter { place in
        rendered.allSatisfy { $0[place].text == row[place].text }
      }
      return restored(cells, ofBook.map { row[$0] }, kept, columns)
    }
  }

  /// Cells go out as they came in, as long as they still say the same.
  private func restored(
    _ cells: [String], _ row: [Cell], _ kept: KeptEntry, _ columns: Header
  ) -> [String] {
    let changes: [(place: Int, raw: String)] = row.compactMap { cell in
      guard let raw = kept.extras[cell.column], raw != cell.text,
        let place = columns.place(cell.column)
      else { return nil }
      return (place, raw)
    }
    if changes.isEmpty { return cells }
    var all = cells
    for (place, raw) in changes { all[place] = raw }
    if let back = read(all, columns), back.entry == kept.entry, back.shelves == kept.shelves {
      return all
    }
    // The book was changed since: each cell that still says the same.
    let meant = read(cells, columns)
    var cells = cells
    for (place, raw) in changes {
      let written = cells[place]
      cells[place] = raw
      if read(cells, columns) != meant { cells[place] = written }
    }
    return cells
  }

  /// What the rows of one book say together.
  func read(_ rows: [[String]], _ columns: Header) -> KeptEntry? {
    var whole: KeptEntry?
    for row in rows {
      guard let kept = read(row, columns) else { continue }
      whole = whole?.joined(with: kept) ?? kept
    }
    return whole
  }

  private func read(_ fields: [String], _ columns: Header) -> KeptEntry? {
    var cells = Cells(columns, fields)
    guard case .book(let kept) = parse(&cells) else { return nil }
    return kept
  }
}

extension ListEntry {
  /// With the program's own number of the book, as an item and as an identifier.
  static func of(_ scheme: String, _ number: String?, title: String) -> ListEntry {
    var entry = ListEntry(item: ItemID("\(scheme):\(number ?? "")"), title: title)
    if let number { entry.identifiers = [ForeignIdentifier(scheme: scheme, value: number)] }
    return entry
  }

  func number(_ scheme: String) -> String {
    identifiers.first { $0.scheme == scheme }?.value ?? ""
  }
}

/// How numbers go into a cell.
enum Written {
  static func rating(_ rating: Double?) -> String {
    guard let rating else { return "" }
    return Int(exactly: rating).map(String.init) ?? "\(rating)"
  }

  static func names(_ names: [String]) -> String { names.joined(separator: ", ") }

  static func number(_ number: Int?) -> String { number.map(String.init) ?? "" }
}
