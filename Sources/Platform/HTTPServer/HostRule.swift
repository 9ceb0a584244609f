import HTTP

/// What may stand in `Host`: a name, an IPv4 or a bracketed IPv6 address, and a port. Links are
/// built from it, so anything that could end a host early has to be refused here.
enum HostRule {
  static func allows(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    guard !range.isEmpty, range.count <= 255 + 6 else { return false }
    var position = range.lowerBound
    if bytes[position] == UInt8(ascii: "[") {
      position += 1
      let start = position
      while position < range.upperBound, isIPv6Byte(bytes[position]) { position += 1 }
      guard position - start >= 2, position < range.upperBound,
        bytes[position] == UInt8(ascii: "]")
      else { return false }
      position += 1
    } else {
      let start = position
      while position < range.upperBound, isNameByte(bytes[position]) { position += 1 }
      guard position > start else { return false }
    }
    guard position < range.upperBound else { return true }
    guard bytes[position] == UInt8(ascii: ":") else { return false }
    return isPort(position + 1..<range.upperBound, of: bytes)
  }

  static func allows(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return allows(0..<bytes.count, of: bytes.span)
  }

  private static func isPort(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    guard range.count <= 5 else { return false }
    var number = 0
    for position in range {
      let digit = bytes[position] &- 0x30
      guard digit < 10 else { return false }
      number = number * 10 + Int(digit)
    }
    return number <= 65_535
  }

  private static func isIPv6Byte(_ byte: UInt8) -> Bool {
    PercentCoding.hexDigit(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  /// Registered names as they occur: letters, digits, dot, hyphen, underscore. RFC 3986 would
  /// allow more, and no host has it.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
