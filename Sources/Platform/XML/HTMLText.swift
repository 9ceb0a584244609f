// Text and values of HTML: references to characters, line ends, NUL (§13.2.5.72 and following).
extension HTMLTokens {
  private static let longestReference = 32

  func decoded(_ raw: ArraySlice<UInt8>, inAttribute: Bool) -> String {
    guard raw.contains(UInt8(ascii: "&")) else { return HTMLTokens.plain(raw) }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = raw.startIndex
    while index < raw.endIndex {
      if raw[index] == UInt8(ascii: "&"),
        let (scalar, length) = HTMLTokens.reference(raw[index...], inAttribute: inAttribute)
      {
        text.append(contentsOf: scalar.utf8)
        index += length
      } else {
        text.append(raw[index])
        index += 1
      }
    }
    return HTMLTokens.plain(text[...])
  }

  /// Without references: line ends become `\n`, NUL disappears.
  static func plain(_ raw: ArraySlice<UInt8>) -> String {
    guard raw.contains(where: { $0 == 0x0D || $0 == 0 }) else {
      return String(decoding: raw, as: UTF8.self)
    }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var before: UInt8 = 0x20
    for byte in raw where byte != 0 {
      if byte == 0x0D {
        text.append(0x0A)
      } else if byte != 0x0A || before != 0x0D {
        text.append(byte)
      }
      before = byte
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The character a reference stands for, and the length of the reference.
  private static func reference(_ raw: ArraySlice<UInt8>, inAttribute: Bool)
    -> (Unicode.Scalar, Int)?
  {
    let body = raw.dropFirst().prefix(longestReference)
    if body.first == UInt8(ascii: "#") { return number(raw) }
    let word = body.prefix { isLetter($0) || (0x30...0x39).contains($0) }
    guard !word.isEmpty else { return nil }
    let name = String(decoding: word, as: UTF8.self)
    if word.endIndex < raw.endIndex, raw[word.endIndex] == UInt8(ascii: ";"),
      let scalar = CharacterEntities.scalar(named: name)
    {
      return (scalar, word.count + 2)
    }
    // Without a semicolon the old names count, and the longest of them: `&notit` is `¬it`. In a
    // value they do not where a query goes on: `?a=1&copy=2`.
    for length in stride(from: min(word.count, 6), through: 2, by: -1) {
      let part = String(decoding: word.prefix(length), as: UTF8.self)
      guard CharacterEntities.isLegacy(part), let scalar = CharacterEntities.scalar(named: part)
      else { continue }
      let next = word.startIndex + length
      if inAttribute, next < raw.endIndex, raw[next] == 0x3D || next < word.endIndex { return nil }
      return (scalar, length + 1)
    }
    return nil
  }

  private static func number(_ raw: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    let isHex = raw.dropFirst(2).first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let digits = raw.dropFirst(isHex ? 3 : 2).prefix {
      (0x30...0x39).contains($0) || isHex && (0x61...0x66).contains($0 | 0x20)
    }
    guard !digits.isEmpty else { return nil }
    let isClosed = digits.endIndex < raw.endIndex && raw[digits.endIndex] == UInt8(ascii: ";")
    let length = digits.endIndex - raw.startIndex + (isClosed ? 1 : 0)
    let value =
      digits.count > 64
      ? nil : UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10)
    guard let value, value != 0 else { return ("\u{FFFD}", length) }
    let mapped = value < 0x100 ? Decoder.windows1252(UInt8(value)) : value
    return (Unicode.Scalar(mapped) ?? "\u{FFFD}", length)
  }
}
