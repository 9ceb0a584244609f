import Crypto
import Database
import JSON

/// One row as a line of JSON: an array in the order of the columns. Bytes are base64, and what JSON has
/// no number for is a word.
enum RowLine {
  static func append(_ values: [Value], to out: inout [UInt8]) {
    JSONValue.array(values.map(json)).append(to: &out)
    out.append(UInt8(ascii: "\n"))
  }

  static func json(_ value: Value) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(Int(number))
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .real(let number): number.isFinite ? JSONValue(number) : .string("\(number)")
    case .text(let text): .string(text)
    case .blob(let bytes): .string(Base64.standard.encode(bytes))
    }
  }

  /// Nil where it is no row of these columns.
  static func values(
    _ line: ArraySlice<UInt8>, _ columns: [BackupManifest.Column]
  ) -> [Value]? {
    guard let parsed = try? JSONValue(parsing: Array(line)), let cells = parsed.array,
      cells.count == columns.count
    else { return nil }
    var values: [Value] = []
    values.reserveCapacity(cells.count)
    for (cell, column) in zip(cells, columns) {
      guard let value = value(cell, column.kind) else { return nil }
      values.append(value)
    }
    return values
  }

  static func value(_ cell: JSONValue, _ kind: Kind) -> Value? {
    if cell.isNull { return .null }
    return switch kind {
    case .integer, .boolean: cell.integer.map { .integer(Int64($0)) }
    case .real: (cell.double ?? cell.string.flatMap { Double($0) }).map { .real($0) }
    case .text: cell.string.map { .text($0) }
    case .blob: cell.string.flatMap { try? Base64.standard.decode($0) }.map { .blob($0) }
    }
  }
}

/// A sum over rows that does not mind their order: 256 bits of each row's digest, added up. It tells
/// what was lost or changed on the way, and is no proof against malice; the members' digests are.
struct RowSum: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private(set) var count = 0
  private var line: [UInt8] = []

  /// Returns the row's line.
  mutating func add(_ values: [Value]) -> [UInt8] {
    line.removeAll(keepingCapacity: true)
    RowLine.append(values, to: &line)
    let digest = Digest.sha256.hash(line)
    func word(_ place: Int) -> UInt64 {
      digest[(8 * place)..<(8 * place + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (
      words.0 &+ word(0), words.1 &+ word(1), words.2 &+ word(2), words.3 &+ word(3)
    )
    count += 1
    return line
  }

  var text: String {
    [words.0, words.1, words.2, words.3].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The names of book files in a backup: digests, and nothing that could lead anywhere else.
enum BookMember {
  static let folder = "books/"

  static func digest(_ name: String) throws(BackupError) -> String {
    let digest = String(name.dropFirst(folder.count))
    guard digest.utf8.count == 64, (try? Hex.decode(digest)) != nil, digest == digest.lowercased()
    else { throw .badName(name) }
    return digest
  }
}
