/// YAML 1.2.2 §10.3.2: what an unquoted text means. Written as a small scanner, since the older
/// rules that libraries know (`yes`, `on`, `1:30`, `0123` as octal) surprise people.
enum CoreSchema {
  static func value(of text: String) -> YamlScalar.Value {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return .float(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .float(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .float(-.infinity)
    default: break
    }
    let bytes = Array(text.utf8)
    if isDecimal(bytes[...]) { return whole(text, radix: 10, as: text) }
    if let digits = radixDigits(bytes, "o", isOctal) { return whole(digits, radix: 8, as: text) }
    if let digits = radixDigits(bytes, "x", isHex) { return whole(digits, radix: 16, as: text) }
    if isFloat(bytes[...]), let number = Double(text) { return .float(number) }
    return .string(text)
  }

  /// A number beyond 64 bits stays a text: it is a card number or the like, and rounding it would
  /// lose digits that nobody could get back.
  private static func whole(_ digits: String, radix: Int, as text: String) -> YamlScalar.Value {
    Int(digits, radix: radix).map { .int($0) } ?? .string(text)
  }

  private static func radixDigits(
    _ bytes: [UInt8], _ letter: Unicode.Scalar, _ isDigit: (UInt8) -> Bool
  ) -> String? {
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "0"), bytes[1] == UInt8(ascii: letter),
      bytes.dropFirst(2).allSatisfy(isDigit)
    else { return nil }
    return String(decoding: bytes.dropFirst(2), as: UTF8.self)
  }

  private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = unsigned(bytes)
    return !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  // [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
  private static func isFloat(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = unsigned(bytes)
    let before = rest.prefix(while: isDigit)
    rest = rest.dropFirst(before.count)
    if rest.first == UInt8(ascii: ".") {
      let after = rest.dropFirst().prefix(while: isDigit)
      guard !before.isEmpty || !after.isEmpty else { return false }
      rest = rest.dropFirst(1 + after.count)
    } else if before.isEmpty {
      return false
    }
    guard let letter = rest.first else { return true }
    guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else { return false }
    return isDecimal(rest.dropFirst())
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    switch bytes.first {
    case UInt8(ascii: "-"), UInt8(ascii: "+"): bytes.dropFirst()
    default: bytes
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isOctal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }
}
