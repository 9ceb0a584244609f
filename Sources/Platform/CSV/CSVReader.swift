/// Records of comma-separated text, as RFC 4180 has them and as programs really write them: a byte
/// order mark in front, any line ending, line ends inside quotes. One record at a time, so that one
/// bad record costs only itself.
package struct CSVReader: Sendable {
  package struct Limits: Sendable {
    package var fieldBytes = 1 << 20
    package var fields = 1000

    package init() {}
  }

  package struct Record: Sendable, Hashable {
    package let fields: [String]
    /// The line it begins on, counted from one.
    package let line: Int
  }

  /// What a quote at the beginning of a field means.
  package enum Quotes: Sendable {
    case enclose
    /// A mark like any other, as in tables between tabs.
    case plain
  }

  private let bytes: [UInt8]
  private let limits: Limits
  private let separator: UInt8
  private let quotes: Quotes
  private var position: Int
  private var line = 1
  /// Where the last record stands, without its line end; after an error, what was given up.
  package private(set) var passed: Range<Int> = 0..<0
  private var width = 0

  package init(
    _ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), quotes: Quotes = .enclose,
    limits: Limits = Limits()
  ) {
    (self.bytes, self.separator, self.quotes, self.limits) = (bytes, separator, quotes, limits)
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next record; nil at the end. After an error the reader stands at the next line, and may be
  /// asked again. Empty lines are passed over.
  package mutating func next() throws(CSVError) -> Record? {
    while position < bytes.count, isLineEnd(bytes[position]) { endLine() }
    guard position < bytes.count else { return nil }
    let start = line
    passed = position..<position
    var fields: [String] = []
    fields.reserveCapacity(width)
    while true {
      guard fields.count < limits.fields else { throw failed(.tooManyFields, start) }
      let (field, isLast) = try field(from: start)
      fields.append(field)
      if isLast {
        width = fields.count
        return Record(fields: fields, line: start)
      }
    }
  }

  private mutating func field(from start: Int) throws(CSVError) -> (String, isLast: Bool) {
    let text: String
    if quotes == .enclose, position < bytes.count, bytes[position] == Self.quote {
      let opening = (position + 1, line)
      text = try quoted(start)
      if position < bytes.count, bytes[position] != separator, !isLineEnd(bytes[position]) {
        // A quote that was left open ends at the next one, rows further down: those are whole.
        if line != opening.1 { (position, line) = opening }
        throw failed(.textAfterQuote, start)
      }
    } else {
      let first = position
      while position < bytes.count, bytes[position] != separator, !isLineEnd(bytes[position]) {
        guard position - first < limits.fieldBytes else { throw failed(.fieldTooLong, start) }
        position += 1
      }
      text = try self.text(bytes[first..<position], start)
    }
    passed = passed.lowerBound..<position
    guard position < bytes.count else { return (text, true) }
    if bytes[position] == separator {
      position += 1
      return (text, false)
    }
    endLine()
    return (text, true)
  }

  /// Most fields hold no quote of their own and are copied once, as they stand.
  private mutating func quoted(_ start: Int) throws(CSVError) -> String {
    position += 1
    let opening = (position, line)
    var kept: [UInt8] = []
    var from = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.quote {
        guard position + 1 < bytes.count, bytes[position + 1] == Self.quote else {
          let last = bytes[from..<position]
          position += 1
          return try kept.isEmpty ? text(last, start) : text((kept + last)[...], start)
        }
        kept += bytes[from...position]
        position += 1
        from = position + 1
      } else if byte == 0x0A || (byte == 0x0D && !isFollowedByNewline) {
        line += 1
      }
      guard position - opening.0 < limits.fieldBytes else {
        (position, line) = opening
        throw failed(.fieldTooLong, start)
      }
      position += 1
    }
    // The rest of the file may be fine: only the line with the open quote is given up.
    (position, line) = opening
    throw failed(.openQuote, start)
  }

  private mutating func text(_ part: ArraySlice<UInt8>, _ start: Int) throws(CSVError) -> String {
    if part.isEmpty { return "" }
    guard let text = String(validating: part, as: UTF8.self) else {
      throw failed(.invalidUTF8, start)
    }
    return text
  }

  private var isFollowedByNewline: Bool {
    position + 1 < bytes.count && bytes[position + 1] == 0x0A
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func endLine() {
    position += bytes[position] == 0x0D && isFollowedByNewline ? 2 : 1
    line += 1
  }

  private mutating func failed(_ reason: CSVError.Reason, _ start: Int) -> CSVError {
    while position < bytes.count, !isLineEnd(bytes[position]) { position += 1 }
    passed = passed.lowerBound..<position
    if position < bytes.count { endLine() }
    return CSVError(line: start, reason: reason)
  }

  private static let quote = UInt8(ascii: "\"")
}

package struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Reason: String, Sendable, Hashable {
    case openQuote = "a quote is never closed"
    case textAfterQuote = "text follows a closing quote"
    case invalidUTF8 = "it is not UTF-8"
    case fieldTooLong = "a field is too long"
    case tooManyFields = "there are too many fields"
    case wrongCount = "it has more fields than the header"
    case noHeader = "there is no header"
  }

  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) { (self.line, self.reason) = (line, reason) }

  package var description: String { "line \(line): \(reason.rawValue)" }
}
