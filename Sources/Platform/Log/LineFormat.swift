/// How an event becomes one line of text.
package enum LineFormat: String, Sendable, Hashable, CaseIterable {
  case logfmt, json

  /// No value is longer than this on a line; the rest says how much was cut.
  static let longestValue = 2048

  func line(
    at time: String, _ level: Level, _ message: StaticString, _ pairs: [Pair],
    through redactor: Redactor
  ) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(256)
    switch self {
    case .logfmt: logfmt(time, level, message, pairs, redactor, &out)
    case .json: json(time, level, message, pairs, redactor, &out)
    }
    out.append(UInt8(ascii: "\n"))
    return out
  }

  private func logfmt(
    _ time: String, _ level: Level, _ message: StaticString, _ pairs: [Pair],
    _ redactor: Redactor, _ out: inout [UInt8]
  ) {
    out += "time=\(time) level=\(level.name) msg=".utf8
    Self.quoteIfNeeded(message.description, &out)
    for pair in pairs {
      out.append(UInt8(ascii: " "))
      out += Self.key(pair.key).utf8
      out.append(UInt8(ascii: "="))
      Self.quoteIfNeeded(Self.text(of: pair.value, redactor), &out)
    }
  }

  private func json(
    _ time: String, _ level: Level, _ message: StaticString, _ pairs: [Pair],
    _ redactor: Redactor, _ out: inout [UInt8]
  ) {
    out += "{\"time\":\"\(time)\",\"level\":\"\(level.name)\",\"msg\":".utf8
    Self.quote(message.description, &out)
    for pair in pairs {
      out.append(UInt8(ascii: ","))
      Self.quote(Self.key(pair.key), &out)
      out.append(UInt8(ascii: ":"))
      switch pair.value {
      case .integer:
        let text = Self.text(of: pair.value, redactor)
        // A number that is somebody's PIN has become dots, and those need quotation marks.
        if Int(text) == nil { Self.quote(text, &out) } else { out += text.utf8 }
      case .flag, .duration: out += Self.text(of: pair.value, redactor).utf8
      case .decimal(let number) where number.isFinite: out += "\(number)".utf8
      default: Self.quote(Self.text(of: pair.value, redactor), &out)
      }
    }
    out.append(UInt8(ascii: "}"))
  }

  private static func text(of value: Pair.Value, _ redactor: Redactor) -> String {
    switch value {
    case .text(let text): cut(redactor.redacted(text))
    case .integer(let number): redactor.redacted(String(number))
    case .decimal(let number): "\(number)"
    case .flag(let flag): flag ? "true" : "false"
    case .duration(let time):
      String(
        time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
    case .lengthOf(let text): "(\(text.utf8.count) bytes)"
    case .secret: "•••"
    }
  }

  /// Cut after redaction: half a secret would no longer be known for one.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longestValue else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: longestValue)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return "\(text[..<end])… (\(text.utf8.count) bytes)"
  }

  /// Keys are source code, but a slip there must neither break the line nor pass for its head.
  private static func key(_ key: StaticString) -> String {
    let kept = key.description.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return switch kept {
    case "": "unnamed"
    case "time", "level", "msg": "\(kept)_"
    default: kept
    }
  }

  private static func quoteIfNeeded(_ text: String, _ out: inout [UInt8]) {
    let isBare =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C && $0 < 0x7F }
    if isBare { out += text.utf8 } else { quote(text, &out) }
  }

  /// Control characters never reach the line as they are: a value could forge the next one, or
  /// steer the terminal of who reads it. The invisible marks that reorder text go the same way.
  private static func quote(_ text: String, _ out: inout [UInt8]) {
    out.append(0x22)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\"".utf8
      case "\\": out += "\\\\".utf8
      case "\n": out += "\\n".utf8
      case "\r": out += "\\r".utf8
      case "\t": out += "\\t".utf8
      case _ where isUnseen(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          out += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
        }
      default: out += UTF8.encode(scalar).map { Array($0) } ?? []
      }
    }
    out.append(0x22)
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
