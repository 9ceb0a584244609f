import CSV
import Circulation
import ReadingLists

/// The rows under a line of names.
struct TableRows: Sendable {
  let format: ShelfFormat
  let found: [String]
  let headLine: [UInt8]
  private let layout: Layout
  private let header: Header
  let bytes: [UInt8]
  private var reader: CSVReader

  init(
    _ bytes: [UInt8], as format: ShelfFormat?, _ limits: CSVReader.Limits
  ) throws(ShelfFileError) {
    let (body, separator) = Separators.found(in: bytes)
    var reader = CSVReader(body, separator: separator, limits: limits)
    let names: [String]?
    do throws(CSVError) { names = try reader.next()?.fields } catch {
      throw .noBooks(columns: [])
    }
    guard let names else { throw .empty }
    found = names.map { Formula.bare($0).trimmed }
    let folded = Set(found.map(Header.folded))
    let guessed = format ?? ShelfFormat.tables.first { $0.layout?.fits(folded) ?? false }
    guard let layout = (guessed ?? .generic).layout else { throw .noBooks(columns: found) }
    self.format = guessed ?? .generic
    self.layout = layout
    let header = Header(found, known: layout.known)
    self.header = header
    guard Self.booksColumns.contains(where: { header.place($0) != nil }) else {
      throw .noBooks(columns: found)
    }
    headLine = Array(body[reader.passed])
    self.bytes = body
    // Tables between tabs have no quotes, whoever wrote this one.
    if separator == 0x09, !layout.hasQuotes {
      reader = CSVReader(body, separator: separator, quotes: .plain, limits: limits)
      do throws(CSVError) { _ = try reader.next() } catch { throw .noBooks(columns: found) }
    }
    self.reader = reader
  }

  private static let booksColumns = [
    "Title", "title", "ISBN", "ISBN13", "isbn", "isbn13", "ISBN/UID", "isbn_13", "isbn_10",
    "ISBNs", "Work ID",
  ]

  mutating func next() -> ShelfFile.Row? {
    let record: CSVReader.Record?
    do throws(CSVError) { record = try reader.next() } catch {
      return row(error.line, .fault(error.reason.rawValue))
    }
    guard let record else { return nil }
    return row(record.line, meaning(of: record.fields))
  }

  private func row(_ line: Int, _ meaning: ShelfFile.Row.Meaning) -> ShelfFile.Row {
    .init(line, reader.passed, meaning)
  }

  private func meaning(of fields: [String]) -> ShelfFile.Row.Meaning {
    guard fields.dropFirst(header.names.count).allSatisfy({ $0.trimmed.isEmpty }) else {
      return .fault(CSVError.Reason.wrongCount.rawValue)
    }
    guard fields.reduce(0, { $0 + $1.utf8.count }) <= RowSense.longest else {
      return .fault("the row is too long")
    }
    guard !fields.contains(where: { $0.utf8.contains(0) }) else {
      return .fault("it has zero bytes in it")
    }
    let cells = Cells(header, fields.map(Formula.bare))
    switch layout.whole(cells) {
    case .passed(let why): return .passed(why)
    case .book(let kept):
      return RowSense.fault(of: kept).map { .fault($0) } ?? .book(kept)
    }
  }
}

/// What any row has to have to be a book.
enum RowSense {
  static let longest = 512 << 10

  static func fault(of kept: KeptEntry) -> String? {
    let entry = kept.entry
    if entry.title.isEmpty, entry.isbns.isEmpty { return "it has no title and no right ISBN" }
    if entry.title.utf8.count > 2_000 { return "the title is too long" }
    if entry.authors.count > 100 || entry.authors.contains(where: { $0.utf8.count > 1_000 }) {
      return "the names are too long"
    }
    return nil
  }
}

/// What stands between the cells.
enum Separators {
  /// The text behind a spreadsheet's `sep=;`, and the mark that the line of names has most of.
  static func found(in bytes: [UInt8]) -> ([UInt8], UInt8) {
    if bytes.count > 5, bytes.prefix(4).map({ $0 | 0x20 }) == Array("sep=".utf8).map({ $0 | 0x20 }),
      let end = bytes.prefix(8).firstIndex(where: { $0 == 0x0A || $0 == 0x0D })
    {
      return (Array(bytes[end...]), bytes[4])
    }
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    var hasSeen = false
    for byte in bytes.prefix(64 << 10) {
      if byte == 0x22 { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D {
        if hasSeen { break }
        continue
      }
      hasSeen = true
      counts[byte, default: 0] += 1
    }
    let marks: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    let most = marks.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) } ?? marks[0]
    return (bytes, (counts[most] ?? 0) > (counts[marks[0]] ?? 0) ? most : marks[0])
  }
}

/// ISBNs and nothing else, one a line.
struct NumberRows: Sendable {
  private var reader: CSVReader
  let bytes: [UInt8]

  init(_ bytes: [UInt8], _ limits: CSVReader.Limits) {
    (self.bytes, reader) = (bytes, CSVReader(bytes, limits: limits))
  }

  /// Of the first lines more than half are ISBNs. A line of names would be none.
  static func fits(_ bytes: [UInt8]) -> Bool {
    var (right, all) = (0, 0)
    for line in bytes.prefix(4_096).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(20) {
      let text = String(decoding: line, as: UTF8.self).trimmed
      guard !text.isEmpty else { continue }
      if ISBN(text) != nil { right += 1 } else if all == 0 { return false }
      all += 1
    }
    return right * 2 > all
  }

  mutating func next() -> ShelfFile.Row? {
    let record: CSVReader.Record?
    do throws(CSVError) { record = try reader.next() } catch {
      return .init(error.line, reader.passed, .fault(error.reason.rawValue))
    }
    guard let record else { return nil }
    return .init(record.line, reader.passed, meaning(of: record))
  }

  private func meaning(of record: CSVReader.Record) -> ShelfFile.Row.Meaning {
    let text = (record.fields.first { !$0.trimmed.isEmpty } ?? "").trimmed
    if record.line == 1, ["isbn", "isbn13", "isbn10"].contains(Header.folded(text)) {
      return .passed("it names the column")
    }
    guard let isbn = ISBN(Formula.value(of: text)) else { return .fault("it is no right ISBN") }
    var entry = ListEntry(item: ItemID("isbn:"), title: "")
    entry.isbns = [isbn]
    return .book(KeptEntry(entry))
  }
}
