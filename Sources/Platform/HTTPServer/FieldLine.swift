import HTTP

/// Where one field stands in the bytes of its head. Text is made of it only when somebody asks.
struct FieldLine: Sendable {
  let name: Range<Int>
  let value: Range<Int>

  /// Reads `line` of `bytes`, which is known to be free of line ends and NUL.
  init(_ line: Range<Int>, of bytes: Span<UInt8>) throws(Refusal) {
    let first = bytes[line.lowerBound]
    guard first != 0x20, first != 0x09 else { throw .malformed(.foldedField) }
    var colon = line.lowerBound
    while colon < line.upperBound, isTokenByte(bytes[colon]) { colon += 1 }
    guard colon < line.upperBound, bytes[colon] == UInt8(ascii: ":") else {
      let isBlank = colon < line.upperBound && (bytes[colon] == 0x20 || bytes[colon] == 0x09)
      throw .malformed(isBlank ? .blankBeforeColon : .fieldName)
    }
    guard colon > line.lowerBound else { throw .malformed(.fieldName) }
    var (start, end) = (colon + 1, line.upperBound)
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    (name, value) = (line.lowerBound..<colon, start..<end)
  }
}

/// Whether `range` of `bytes` spells `word`, which is given in small letters.
func spells(_ word: StaticString, _ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
  guard range.count == word.utf8CodeUnitCount else { return false }
  return word.withUTF8Buffer { letters in
    for offset in 0..<range.count {
      let byte = bytes[range.lowerBound + offset]
      let isCapital = byte &- 0x41 < 26
      guard unsafe (isCapital ? byte | 0x20 : byte) == letters[offset] else { return false }
    }
    return true
  }
}
