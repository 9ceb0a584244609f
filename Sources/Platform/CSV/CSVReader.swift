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

  private let bytes: [UInt8]
  private let limits: Limits
  private let separator: UInt8
  private var position: Int
  private var line = 1

  package init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), limits: Limits = Limits()) {
    (self.bytes, self.separator, self.limits) = (bytes, separator, limits)
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next record; nil at the end. After an error the reader stands at the next line, and may be
  /// asked again. Empty lines are passed over.
  package mutating func next() throws(CSVError) -> Record? {
    while position < bytes.count, isLineEnd(bytes[position]) { endLine() }
    guard position < bytes.count else { return nil }
    let start = line
    var fields: [String] = []
    while true {
      guard fields.count < limits.fields else { throw failed(.tooManyFields, start) }
      let (field, isLast) = try field(from: start)
      fields.append(field)
      if isLast { return Record(fields: fields, line: start) }
    }
  }

  private mutating func field(from start: Int) throws(CSVError) -> (String, isLast: Bool) {
    var kept: [UInt8] = []
    if position < bytes.count, bytes[position] == Self.quote {
      try quoted(into: &kept, start)
      if position < bytes.count, bytes[position] != separator, !isLineEnd(bytes[position]) {
        throw failed(.textAfterQuote, start)
      }
    } else {
      while position < bytes.count, bytes[position] != separator, !isLineEnd(bytes[position]) {
        guard kept.count < limits.fieldBytes else { throw failed(.fieldTooLong, start) }
        kept.append(bytes[position])
        position += 1
      }
    }
    guard let text = String(validating: kept, as: UTF8.self) else {
      throw failed(.invalidUTF8, start)
    }
    guard position < bytes.count else { return (text, true) }
    if bytes[position] == separator {
      position += 1
      return (text, false)
    }
    endLine()
    return (text, true)
  }

  private mutating func quoted(into kept: inout [UInt8], _ start: Int) throws(CSVError) {
    position += 1
    let opening = (position, line)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.quote {
        position += 1
        guard position < bytes.count, bytes[position] == Self.quote else { return }
      } else if byte == 0x0A || (byte == 0x0D && !isFollowedByNewline) {
        line += 1
      }
      guard kept.count < limits.fieldBytes else {
        (position, line) = opening
        throw failed(.fieldTooLong, start)
      }
      kept.append(byte)
      position += 1
    }
    // The rest of the file may be fine: only the line with the open quote is given up.
    (position, line) = opening
    throw failed(.openQuote, start)
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
