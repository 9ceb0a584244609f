/// Comma-separated text whose first record names the columns. Names are compared without case,
/// blanks and dashes: `Title A`, `title-a` and `title_a` are one.
package struct CSVTable: Sendable {
  package struct Row: Sendable {
    package let line: Int
    fileprivate let columns: [String: Int]
    fileprivate let fields: [String]

    /// Without the blanks around it; nil when it is empty or there is no such column.
    package subscript(_ name: String) -> String? {
      guard let index = columns[CSVTable.key(name)], index < fields.count else { return nil }
      let text = CSVTable.trimmed(fields[index])
      return text.isEmpty ? nil : text
    }
  }

  package let columns: [String]
  private let indices: [String: Int]
  private var reader: CSVReader

  package init(_ bytes: [UInt8], limits: CSVReader.Limits = CSVReader.Limits()) throws(CSVError) {
    reader = CSVReader(bytes, limits: limits)
    guard let header = try reader.next() else { throw CSVError(line: 1, reason: .noHeader) }
    columns = header.fields.map(Self.trimmed)
    // Of two columns with one name the first counts.
    indices = Dictionary(
      columns.enumerated().map { (Self.key($0.element), $0.offset) },
      uniquingKeysWith: { a, _ in a }
    )
  }

  package func has(_ name: String) -> Bool { indices[Self.key(name)] != nil }

  /// The next row; nil at the end. After an error the next one can be asked for. A row may be
  /// shorter than the header, as spreadsheets leave empty cells out, but not longer: there a comma
  /// stands without quotes, and nobody knows which column is which.
  package mutating func next() throws(CSVError) -> Row? {
    guard let record = try reader.next() else { return nil }
    let surplus = record.fields.dropFirst(columns.count)
    guard surplus.allSatisfy({ Self.trimmed($0).isEmpty }) else {
      throw CSVError(line: record.line, reason: .wrongCount)
    }
    return Row(line: record.line, columns: indices, fields: record.fields)
  }

  private static func key(_ name: String) -> String {
    String(trimmed(name).lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
