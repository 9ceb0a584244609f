/// Where and why a text is not JSON, or not JSON we are willing to hold.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Reason: Sendable, Hashable {
    case unexpectedEnd
    case unexpected(byte: UInt8, wanted: String)
    case trailingContent
    case malformedNumber
    case malformedEscape
    case loneSurrogate
    case controlCharacter(UInt8)
    case invalidUTF8
    case duplicateName(String)
    case tooLarge(limit: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
  }

  package let reason: Reason
  /// Bytes before the fault.
  package let offset: Int
  /// Counted from one; the column counts characters, not bytes.
  package let line: Int
  package let column: Int

  init(_ reason: Reason, at offset: Int, line: Int, column: Int) {
    (self.reason, self.offset, self.line, self.column) = (reason, offset, line, column)
  }

  package var description: String { "line \(line), column \(column): \(reason.sentence)" }
}

extension JSONError.Reason {
  package var sentence: String {
    switch self {
    case .unexpectedEnd: "the text ends in the middle of a value"
    case .unexpected(let byte, let wanted): "expected \(wanted), found \(Self.shown(byte))"
    case .trailingContent: "something follows the end of the value"
    case .malformedNumber: "not a number as JSON writes it"
    case .malformedEscape: "an unknown escape in a string"
    case .loneSurrogate: "half of a surrogate pair in a string"
    case .controlCharacter(let byte): "\(Self.shown(byte)) stands bare in a string"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .duplicateName(let name): "the name '\(name.prefix(40))' comes twice in one object"
    case .tooLarge(let limit): "longer than \(limit) bytes"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .tooManyValues(let limit): "more than \(limit) values"
    }
  }

  private static func shown(_ byte: UInt8) -> String {
    if (0x21...0x7e).contains(byte) { return "'\(Character(UnicodeScalar(byte)))'" }
    return byte == 0x20 ? "a blank" : "byte 0x\(String(byte, radix: 16))"
  }
}
