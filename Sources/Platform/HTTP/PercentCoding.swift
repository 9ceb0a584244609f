/// Percent-coding of RFC 3986 §2.1. Reading is strict where a path is concerned, because two
/// readings of one path are how a request slips past a rule.
package enum PercentCoding {
  /// Every `%` starts two hexadecimal digits, and what comes out is UTF-8 without NUL; else nil.
  package static func decode(_ text: some Collection<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  package static func decode(_ text: String) -> String? { decode(text.utf8) }

  /// For one segment of a path: a slash in it is written as `%2F`, a dot segment cannot come out.
  package static func encode(segment: String) -> String {
    if segment == "." { return "%2E" }
    if segment == ".." { return "%2E%2E" }
    return encode(segment) { isUnreserved($0) || "!$&'()*+,;=:@".utf8.contains($0) }
  }

  /// For a name or value of a query, safe in form decoding too: blank is `%20`, plus is `%2B`.
  package static func encode(query: String) -> String {
    encode(query) { isUnreserved($0) || "!$'()*,:@/?".utf8.contains($0) }
  }

  private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    if text.utf8.allSatisfy(isKept) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in text.utf8 {
      if isKept(byte) {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
  }

  package static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
