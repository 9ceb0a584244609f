/// Addresses as this service writes them, made fit to follow (§3.4): raw braces, blanks and commas,
/// half-encoded times, plain `http`, and availability links of a version that is no more.
enum Links {
  /// Encodes what may not stand in an address and leaves every `%XX` as it is.
  static func clean(_ href: String) -> String {
    var out: [UInt8] = []
    let bytes = Array(href.utf8)
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHex(bytes[index + 1])
        && isHex(bytes[index + 2])
      if isEscape || allowed.contains(byte) {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), hex(byte >> 4), hex(byte & 15)]
      }
    }
    return upgraded(String(decoding: out, as: UTF8.self))
  }

  /// The service answers on https alone; a stand-in on loopback keeps the scheme it was given.
  static func upgraded(_ href: String) -> String {
    guard href.hasPrefix("http://"),
      href.dropFirst(7).prefix(while: { $0 != "/" && $0 != ":" })
        .hasSuffix(".com")
    else { return href }
    return "https://" + href.dropFirst(7)
  }

  /// `/v1/…/availability` is read through `/v2/` (§6.4).
  static func availability(_ href: String) -> String {
    guard href.contains("/availability"), let range = href.firstRange(of: "/v1/collections/") else {
      return clean(href)
    }
    return clean(href.replacingCharacters(range, with: "/v2/collections/"))
  }

  /// Fills the placeholders that the template has and no others; a query item whose placeholder is
  /// not filled is left out (§9.2).
  static func expand(_ template: String, _ values: [String: String]) -> String {
    var out = ""
    var rest = Substring(template)
    while let open = rest.firstIndex(of: "{"),
      let close = rest[open...].firstIndex(of: "}")
    {
      out += rest[..<open]
      out += values[String(rest[rest.index(after: open)..<close])].map(encodedValue) ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return clean(out + rest)
  }

  /// A value for a query or a form, with everything encoded that could mean something.
  static func encodedValue(_ text: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), hex(byte >> 4), hex(byte & 15)]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
  private static let allowed = unreserved.union("!$&'()*+,;=:@/?#".utf8)

  private static func isHex(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
  }

  private static func hex(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 48 + nibble : 55 + nibble }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
