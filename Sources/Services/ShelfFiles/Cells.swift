package import Circulation
package import ReadingLists

/// The columns of one file by the names that its format has for them.
struct Header: Sendable {
  /// As the file names them, or as the format does where it knows the column.
  let names: [String]
  private let places: [String: Int]

  /// Of two columns with one name the first counts; the other is kept under a number.
  init(_ found: [String], known: [String: String]) {
    var names: [String] = []
    var places: [String: Int] = [:]
    for (place, raw) in found.enumerated() {
      let trimmed = raw.trimmed
      let name = known[Self.folded(trimmed)] ?? trimmed
      if places[name] == nil {
        places[name] = place
        names.append(name)
      } else {
        var number = 2
        while places["\(name) (\(number))"] != nil { number += 1 }
        places["\(name) (\(number))"] = place
        names.append("\(name) (\(number))")
      }
    }
    (self.names, self.places) = (names, places)
  }

  func place(_ name: String) -> Int? { places[name] }

  /// Letters and digits, whatever stands between them and however they are written.
  static func folded(_ name: String) -> String {
    String(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || isDigit($0) })
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x30 && scalar.value <= 0x39
  }
}

/// One row, whose cells are taken until only those are left that nothing here understands.
struct Cells {
  let header: Header
  let fields: [String]
  private var isTaken: [Bool]

  init(_ header: Header, _ fields: [String]) {
    (self.header, self.fields) = (header, fields)
    isTaken = Array(repeating: false, count: header.names.count)
  }

  func raw(_ column: String) -> String? {
    guard let place = header.place(column), place < fields.count else { return nil }
    return fields[place]
  }

  /// Without the blanks around it; nil where it is empty.
  func peek(_ column: String) -> String? {
    guard let text = raw(column)?.trimmed, !text.isEmpty else { return nil }
    return text
  }

  mutating func take(_ column: String) -> String? { take(column) { $0 } }

  /// What cannot be read stays where it is, to be kept as it came.
  mutating func take<T>(_ column: String, _ read: (String) -> T?) -> T? {
    guard let place = header.place(column), let text = peek(column), let value = read(text)
    else { return nil }
    isTaken[place] = true
    return value
  }

  /// With the blanks around it, which in a long text are its writer's; nil where it is nothing else.
  mutating func text(_ column: String) -> String? {
    guard let place = header.place(column), place < fields.count, !fields[place].trimmed.isEmpty
    else { return nil }
    isTaken[place] = true
    return fields[place]
  }

  /// What nobody took, by the names of its columns.
  var rest: [String: String] {
    var rest: [String: String] = [:]
    for (place, name) in header.names.enumerated()
    where place < fields.count && !isTaken[place] && !fields[place].isEmpty {
      rest[name] = fields[place]
    }
    return rest
  }

  mutating func date(_ column: String) -> PartialDate? { take(column, FileDate.read) }

  /// One to five in any steps; 0 says that there is none.
  mutating func rating(_ column: String) -> Double? {
    take(column) { text in
      let point = text.contains(".") ? text : String(text.map { $0 == "," ? "." : $0 })
      guard let value = Double(point), value >= 0, value <= 5 else { return nil }
      return .some(value == 0 ? nil : value)
    } ?? nil
  }

  mutating func count(_ column: String) -> Int? {
    take(column) { text in Int(text).flatMap { $0 < 0 ? nil : $0 } }
  }

  mutating func isbn(_ column: String) -> ISBN? {
    take(column) { ISBN(Formula.value(of: $0)) }
  }

  /// Names between these marks; what holds a comma of its own cannot be told apart.
  mutating func names(_ column: String, between separator: Character = ",") -> [String] {
    take(column).map { Self.names($0, between: separator) } ?? []
  }

  static func names(_ text: String, between separator: Character = ",") -> [String] {
    text.split(separator: separator).map { String($0).squeezed }.filter { !$0.isEmpty }
  }
}

/// Cells that a spreadsheet would count with.
enum Formula {
  /// `="0141439602"` is how digits are kept from a spreadsheet that drops their zeros.
  static func value(of text: String) -> String {
    guard text.hasPrefix("=\""), text.hasSuffix("\""), text.utf8.count >= 3 else { return text }
    return String(text.dropFirst(2).dropLast())
  }

  /// With a mark in front where it would be a formula and is none.
  static func guarded(_ text: String) -> String { isRisky(text[...]) ? "'" + text : text }

  /// As it was before `guarded`.
  static func bare(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "'"), isRisky(text.dropFirst()) else { return text }
    return String(text.dropFirst())
  }

  private static func isRisky(_ text: Substring) -> Bool {
    // Texts that have the mark of their own get one more, so that taking one off is always right.
    let text = text.drop { $0 == "'" }.drop { $0 == " " }
    guard let first = text.utf8.first else { return false }
    // Some spreadsheets take the wide forms for the signs.
    if let wide = text.unicodeScalars.first, "＝＋－＠".unicodeScalars.contains(wide) { return true }
    switch first {
    case UInt8(ascii: "="): return !isDigits(text)
    case UInt8(ascii: "@"), 0x09, 0x0D: return true
    // Dates and numbers call nothing.
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      return !text.utf8.allSatisfy { ($0 >= 0x2B && $0 <= 0x39) || $0 == 0x20 }
    default: return false
    }
  }

  private static func isDigits(_ text: Substring) -> Bool {
    guard text.hasPrefix("=\""), text.hasSuffix("\""), text.utf8.count >= 3 else { return false }
    return text.utf8.dropFirst(2).dropLast().allSatisfy {
      ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: "X") || $0 == UInt8(ascii: "x")
    }
  }
}

extension String {
  /// Without blanks around it. Most texts have none, and are not copied.
  var trimmed: String {
    guard let first = utf8.first, let last = utf8.last else { return self }
    guard Self.mayBeBlank(first) || Self.mayBeBlank(last) else { return self }
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    if start == startIndex, scalars.index(after: end) == endIndex { return self }
    return String(scalars[start...end])
  }

  private static func mayBeBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x80 }

  /// With one blank where there are several.
  var squeezed: String {
    let text = trimmed
    var previous: UInt8 = 0
    let isEven = text.utf8.allSatisfy { byte in
      defer { previous = byte }
      return byte > 0x20 || (byte == 0x20 && previous != 0x20)
    }
    if isEven { return text }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
