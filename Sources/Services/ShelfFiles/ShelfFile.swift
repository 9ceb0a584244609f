package import CSV
import Circulation
import JSON
package import ReadingLists

/// A file of books that some program wrote for its reader, row by row. One bad row costs only
/// itself.
package struct ShelfFile: Sendable {
  package struct Row: Sendable {
    package enum Meaning: Sendable, Hashable {
      case book(KeptEntry)
      /// The file itself says that it is none of the reader's books any more.
      case passed(String)
      case fault(String)
    }

    package let place: Place
    package let meaning: Meaning

    package var line: Int { place.line }

    init(_ line: Int, _ span: Range<Int>, _ meaning: Meaning) {
      (place, self.meaning) = (Place(line: line, span: span), meaning)
    }
  }

  /// Where a row stands, to be found again.
  package struct Place: Sendable, Hashable {
    /// Counted from 1; of JSON the number of the entry.
    package let line: Int
    let span: Range<Int>
  }

  package static let limit = 256 << 20

  package let format: ShelfFormat
  package let encoding: FileText.Encoding
  /// The names over the columns as the file has them; none where it has no such line.
  package let columns: [String]
  var rows: Rows

  enum Rows: Sendable {
    case table(TableRows)
    case numbers(NumberRows)
    case objects(ObjectRows)
  }

  /// Nil for `format` finds out what it is.
  package init(
    _ raw: [UInt8], as format: ShelfFormat? = nil, limits: CSVReader.Limits = Self.limits
  ) throws(ShelfFileError) {
    try Self.refuseStrangers(raw)
    let text = FileText(raw)
    encoding = text.encoding
    let bytes = text.bytes
    let start = bytes.first { !FileStart.isBlank($0) }
    guard let start else { throw .empty }
    if start == UInt8(ascii: "<"), FileStart.isWebPage(bytes) { throw .webPage }
    let isJSON = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
    if isJSON && (format == nil || format == .json || format == .librarything) {
      let objects = try ObjectRows(bytes)
      (rows, columns, self.format) = (.objects(objects), [], objects.format)
      return
    }
    if format == .json { throw .notOfThatForm(.json) }
    if format == .isbn || (format == nil && NumberRows.fits(bytes)) {
      (rows, columns, self.format) = (.numbers(NumberRows(bytes, limits)), [], .isbn)
      return
    }
    let table = try TableRows(bytes, as: format, limits)
    (rows, columns, self.format) = (.table(table), table.found, table.format)
  }

  /// The next row; nil at the end.
  package mutating func next() -> Row? {
    switch rows {
    case .table(var table):
      // Emptied first, so that there is one owner and nothing is copied.
      rows = .objects(ObjectRows.none)
      defer { rows = .table(table) }
      return table.next()
    case .numbers(var numbers):
      rows = .objects(ObjectRows.none)
      defer { rows = .numbers(numbers) }
      return numbers.next()
    case .objects(var objects):
      rows = .objects(ObjectRows.none)
      defer { rows = .objects(objects) }
      return objects.next()
    }
  }

  /// These rows as they were, under the line of names, to be put right and read again.
  package func again(_ places: [Place]) -> [UInt8] {
    var out: [UInt8] = []
    switch rows {
    case .table(let table):
      out = table.headLine + [0x0A]
      for place in places { out += table.bytes[place.span] + [0x0A] }
    case .numbers(let numbers):
      for place in places { out += numbers.bytes[place.span] + [0x0A] }
    case .objects(let objects):
      out = Array("[\n".utf8)
      for (index, place) in places.enumerated() {
        if index > 0 { out += Array(",\n".utf8) }
        objects.entries[place.span.lowerBound].append(to: &out)
      }
      out += Array("\n]\n".utf8)
    }
    return out
  }

  package static var limits: CSVReader.Limits {
    var limits = CSVReader.Limits()
    limits.fieldBytes = 256 << 10
    return limits
  }

  private static func refuseStrangers(_ raw: [UInt8]) throws(ShelfFileError) {
    guard raw.count <= limit else { throw .tooLarge }
    for (mark, name) in FileStart.strangers where raw.starts(with: mark) { throw .notText(name) }
  }
}

package enum ShelfFileError: Error, Sendable, Hashable, CustomStringConvertible {
  case empty
  case tooLarge
  case webPage
  case notText(String)
  /// With the names that are over its columns.
  case noBooks(columns: [String])
  case notOfThatForm(ShelfFormat)
  case badJSON(String)

  package var description: String {
    switch self {
    case .empty: "the file is empty"
    case .tooLarge: "the file is larger than \(ShelfFile.limit >> 20) MiB"
    case .webPage: "it is a web page, not a file of books: sign in there and download it again"
    case .notText(let what): "it is \(what), not a text file: save it as CSV"
    case .noBooks(let columns):
      "no column is a title or an ISBN; it has \(columns.prefix(8).joined(separator: ", "))"
    case .notOfThatForm(let format): "it is not a \(format.rawValue) file"
    case .badJSON(let why): "it is not whole: \(why)"
    }
  }
}

/// What the first bytes of a file tell.
enum FileStart {
  static let strangers: [([UInt8], String)] = [
    (Array("PK\u{3}\u{4}".utf8), "a spreadsheet or an archive"), (Array("%PDF".utf8), "a PDF"),
    ([0xD0, 0xCF, 0x11, 0xE0], "a spreadsheet"), (Array("SQLite format 3".utf8), "a database"),
    ([0x1F, 0x8B], "a compressed file"),
  ]

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static func isWebPage(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(1_024), as: UTF8.self).lowercased()
    return ["<!doctype", "<html", "<head", "<?xml", "<body"].contains { start.contains($0) }
  }
}
