/// How text becomes header lines: folded, and in encoded words where it is not plain ASCII.
enum MailText {
  /// RFC 5322 §2.1.1 asks for lines of no more than this.
  static let widest = 76

  /// No line break, no control: nothing that could end the header and begin another.
  static func isOneLine(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar.value != 0x7F && !(0x80...0x9F).contains(scalar.value)
        && scalar.value != 0x2028 && scalar.value != 0x2029
    }
  }

  static func isAtomByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
  }

  /// A header of free text, with its line end.
  static func unstructured(_ name: String, _ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    let isPlain =
      text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
      && words.allSatisfy { (1...60).contains($0.utf8.count) }
    return folded(
      name, isPlain || text.isEmpty ? words : encodedWords(text, after: name.utf8.count))
  }

  /// A header of addresses, with its line end.
  static func addresses(_ name: String, _ addresses: [MailAddress]) -> String {
    var words: [String] = []
    for (index, address) in addresses.enumerated() {
      let comma = index < addresses.count - 1 ? "," : ""
      if address.name.isEmpty {
        words.append(address.mailbox + comma)
      } else {
        words += phrase(address.name, after: name.utf8.count)
        words.append("<\(address.mailbox)>\(comma)")
      }
    }
    return folded(name, words)
  }

  /// Words with blanks between them, broken into lines at the blanks.
  static func folded(_ name: String, _ words: [String]) -> String {
    var line = "\(name):"
    var out = ""
    for word in words {
      if line.utf8.count + 1 + word.utf8.count > widest, line.utf8.count > name.utf8.count + 1 {
        out += "\(line)\r\n"
        line = ""
      }
      line += " \(word)"
    }
    return "\(out)\(line)\r\n"
  }

  /// A display name: atoms as they are, other ASCII in quotes, the rest in encoded words.
  private static func phrase(_ text: String, after used: Int) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    if words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isAtomByte) }), !text.contains("=?") {
      return words.map { String($0) }
    }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.count <= 60 else {
      return encodedWords(text, after: used)
    }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return ["\"\(escaped)\""]
  }

  /// RFC 2047: at most 75 bytes each, and no character cut in two. Readers join them without the
  /// blanks between.
  private static func encodedWords(_ text: String, after used: Int) -> [String] {
    var words: [String] = []
    var chunk: [UInt8] = []
    // "=?UTF-8?B?" and "?=" are twelve; the first word shares its line with the header's name.
    var room = max((widest - 2 - used - 12) / 4 * 3, 6)
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if chunk.count + bytes.count > room {
        words.append("=?UTF-8?B?\(Base64.encode(chunk))?=")
        chunk = []
        room = 45
      }
      chunk += bytes
    }
    return words + ["=?UTF-8?B?\(Base64.encode(chunk))?="]
  }
}

/// RFC 4648 §4, with padding.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: some Collection<UInt8>) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    var rest = bytes[...]
    while !rest.isEmpty {
      let group = Array(rest.prefix(3))
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        let isPadding = place > group.count
        out.append(isPadding ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * place) & 63])
      }
      rest = rest.dropFirst(3)
    }
    return String(decoding: out, as: UTF8.self)
  }
}
