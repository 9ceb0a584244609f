/// Walks over one field value. Every list and parameter syntax of RFC 9110 §5.6 is read with
/// these few steps, so that quoting and blanks are treated alike everywhere.
package struct FieldScanner {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ text: String) { bytes = Array(text.utf8) }

  package var isAtEnd: Bool { position == bytes.count }
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  package mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 { position += 1 }
  }

  package mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = next, belongs(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  package mutating func token() -> String? {
    let text = take(while: isTokenByte)
    return text.isEmpty ? nil : text
  }

  /// A quoted string without its quotes and escapes; nil when it never closes.
  package mutating func quotedString() -> String? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = next else { return nil }
        position += 1
        text.append(escaped)
      default: text.append(byte)
      }
    }
    return nil
  }

  package mutating func tokenOrQuoted() -> String? {
    next == UInt8(ascii: "\"") ? quotedString() : token()
  }

  /// A quality value in thousandths, so that comparing never meets a rounding error.
  package mutating func quality() -> Int? {
    let text = Array(take { $0 == UInt8(ascii: ".") || isDigit($0) }.utf8)
    guard let first = text.first, first == 0x30 || first == 0x31, text.count <= 5 else {
      return nil
    }
    guard text.count > 1 else { return first == 0x31 ? 1000 : 0 }
    guard text[1] == UInt8(ascii: ".") else { return nil }
    var thousandths = first == 0x31 ? 1000 : 0
    for (digit, weight) in zip(text.dropFirst(2), [100, 10, 1]) {
      guard isDigit(digit) else { return nil }
      thousandths += Int(digit - 0x30) * weight
    }
    return thousandths <= 1000 ? thousandths : nil
  }

  /// Moves behind the next comma outside quotes: how a list goes on after a bad element.
  package mutating func skipElement() {
    while let byte = next {
      if byte == UInt8(ascii: ",") {
        position += 1
        return
      }
      if byte == UInt8(ascii: "\""), quotedString() == nil { return }
      if byte != UInt8(ascii: "\"") { position += 1 }
    }
  }
}

func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

/// RFC 9110 §5.6.2.
package func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
  default: false
  }
}
