// What stands before the root of a page, and instructions wherever they stand.
extension PageScan {
  /// In the usual words only.
  mutating func readDeclaration() throws(AtALoss) {
    let start = index + 5
    try skip(through: "?>")
    let words = String(decoding: bytes[start..<(index - 2)], as: UTF8.self).tokens
    let known = [["version=1.0"], ["encoding=utf-8"], ["standalone=yes", "standalone=no"]]
    var place = 0
    for word in words {
      guard let plain = Self.unquoted(word) else { throw AtALoss() }
      while place < known.count, !known[place].contains(plain) {
        guard place > 0 else { throw AtALoss() }
        place += 1
      }
      guard place < known.count else { throw AtALoss() }
      place += 1
    }
    guard place > 0 else { throw AtALoss() }
  }

  /// `name="value"` as `name=value`.
  private static func unquoted(_ word: String) -> String? {
    let parts = word.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count >= 2, let quote = parts[1].utf8.first,
      quote == 0x22 || quote == 0x27, parts[1].utf8.last == quote
    else { return nil }
    let value = parts[1].dropFirst().dropLast()
    return parts[0] + "=" + (parts[0] == "encoding" ? value.lowercased() : String(value))
  }

  mutating func readInstruction() throws(AtALoss) {
    index += 2
    guard index < bytes.count, Self.startsName(bytes[index]) else { throw AtALoss() }
    let start = index
    while index < bytes.count, Self.nameBytes[Int(bytes[index])], bytes[index] != UInt8(ascii: ":")
    {
      index += 1
    }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    guard name.lowercased() != "xml" else { throw AtALoss() }
    if starts(with: "?>") {
      index += 2
      return
    }
    guard index < bytes.count, Self.kinds[Int(bytes[index])] == .space else { throw AtALoss() }
    try skip(through: "?>")
  }

  /// Names a grammar, which is never fetched, and declares nothing.
  mutating func readDoctype() throws(AtALoss) {
    hasDoctype = true
    index += 9
    try readSpace()
    _ = try readName()
    let before = index
    skipSpace()
    if starts(with: "PUBLIC"), index > before {
      index += 6
      try readSpace()
      let name = try readQuoted()
      guard bytes[name].allSatisfy(Self.isPublic) else { throw AtALoss() }
      try readSpace()
      _ = try readQuoted()
      skipSpace()
    } else if starts(with: "SYSTEM"), index > before {
      index += 6
      try readSpace()
      _ = try readQuoted()
      skipSpace()
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { throw AtALoss() }
    index += 1
  }

  private mutating func readSpace() throws(AtALoss) {
    let before = index
    skipSpace()
    guard index > before else { throw AtALoss() }
  }

  private mutating func readQuoted() throws(AtALoss) -> Range<Int> {
    guard index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 else {
      throw AtALoss()
    }
    let quote = bytes[index]
    let start = index + 1
    index = start
    while index < bytes.count, bytes[index] != quote { index += 1 }
    guard index < bytes.count else { throw AtALoss() }
    index += 1
    return start..<(index - 1)
  }

  private static func isPublic(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || " -()+,./:=?;!*#@$_%".utf8.contains(byte)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
