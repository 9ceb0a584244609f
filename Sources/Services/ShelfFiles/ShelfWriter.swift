import Circulation
import FoundationEssentials
import JSON
package import ReadingLists

/// A file of a list in somebody's form, with a count of what that form has no place for.
package struct ShelfWriter: Sendable {
  package enum Loss: String, Sendable, Hashable, CaseIterable, Comparable {
    case rating = "ratings rounded"
    case readings = "several readings or their dates cut short"
    case state = "states of reading that have no word there"
    case shelves = "shelves with names that cannot be written"
    case text = "reviews or titles with line breaks lost"
    case authors = "names with commas taken apart"
    case isbns = "further ISBNs left out"
    case added = "days of adding left out"
    case book = "books left out that have no ISBN"
    case details = "books written by their number alone"

    package static func < (one: Loss, other: Loss) -> Bool { one.rawValue < other.rawValue }
  }

  package private(set) var bytes: [UInt8] = []
  /// How many books lose it.
  package private(set) var losses: [Loss: Int] = [:]
  package private(set) var written = 0

  /// Nil for a form that is only read.
  package init?(_ books: [KeptEntry], as format: ShelfFormat, named name: String) {
    switch format {
    case .json: json(books, name)
    case .isbn: numbers(books)
    default:
      guard let layout = format.layout, layout.render != nil else { return nil }
      table(books, layout)
    }
  }

  private mutating func json(_ books: [KeptEntry], _ name: String) {
    bytes = Array("{\"list\":".utf8) + JSONValue.string(name).bytes()
    bytes += Array(",\"books\":[".utf8)
    for book in books {
      bytes += Array((written == 0 ? "\n" : ",\n").utf8) + Array(book.written().utf8)
      written += 1
    }
    bytes += Array("\n]}\n".utf8)
  }

  private mutating func numbers(_ books: [KeptEntry]) {
    for book in books {
      guard let isbn = book.entry.isbns.first else {
        losses[.book, default: 0] += 1
        continue
      }
      bytes += Array("\(isbn)\n".utf8)
      written += 1
      if book.entry.isbns.count > 1 { losses[.isbns, default: 0] += 1 }
      losses[.details, default: 0] += 1
    }
  }

  private mutating func table(_ books: [KeptEntry], _ layout: Layout) {
    let own = Set(layout.columns)
    var more: Set<String> = []
    for book in books {
      for (name, value) in book.extras
      where !value.isEmpty && value != "=\"\"" && !own.contains(name)
        && !name.hasPrefix(layout.rowMark ?? "\u{0}")
      { more.insert(name) }
    }
    let header = Header(layout.columns + more.sorted(), known: [:])
    append(header.names, layout)
    for book in books {
      let rows = layout.rows(of: book, header)
      for row in rows { append(row, layout) }
      written += 1
      count(book, layout.read(rows, header))
    }
  }

  private mutating func append(_ cells: [String], _ layout: Layout) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(layout.separator) }
      let text = Formula.guarded(cell)
      if layout.hasQuotes, needsQuotes(text, layout.separator) {
        bytes.append(0x22)
        for byte in text.utf8 {
          if byte == 0x22 { bytes.append(0x22) }
          bytes.append(byte)
        }
        bytes.append(0x22)
      } else if layout.hasQuotes {
        bytes += text.utf8
      } else {
        bytes += text.utf8.map { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
      }
    }
    bytes.append(0x0A)
  }

  private func needsQuotes(_ text: String, _ separator: UInt8) -> Bool {
    text.utf8.contains { $0 == separator || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
  }

  /// What the file would say of the book is held against what is known of it.
  private mutating func count(_ book: KeptEntry, _ back: KeptEntry?) {
    guard let back else { return }
    let (told, known) = (back.entry, book.entry)
    if told.rating != known.rating { losses[.rating, default: 0] += 1 }
    if told.readings != known.readings { losses[.readings, default: 0] += 1 }
    if known.state != nil && told.state != known.state { losses[.state, default: 0] += 1 }
    if Set(back.shelves) != Set(book.shelves) { losses[.shelves, default: 0] += 1 }
    if told.review ?? "" != known.review ?? "" || told.title != known.title {
      losses[.text, default: 0] += 1
    }
    if told.authors != known.authors { losses[.authors, default: 0] += 1 }
    if !Set(known.isbns).isSubset(of: told.isbns) { losses[.isbns, default: 0] += 1 }
    if known.addedAt != nil && told.addedAt?.day != known.addedAt?.day {
      losses[.added, default: 0] += 1
    }
  }
}
