/// Where in a file something stands, counted as editors count: both from 1, columns in characters.
/// Every value and key carries one, so that a fault can always be found with the eye.
package struct YamlPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }

  package static let start = YamlPosition(line: 1, column: 1)

  package var description: String { "line \(line), column \(column)" }

  package static func < (left: YamlPosition, right: YamlPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// The position of one byte of a file, for faults found before any line was counted.
  init(ofByte offset: Int, in bytes: [UInt8]) {
    var (line, column, previous) = (1, 1, UInt8(0))
    for byte in bytes.prefix(max(0, offset)) {
      switch byte {
      case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (line, column) = (line + 1, 1)
      case 0x80...0xBF: break  // the rest of a character already counted
      default: column += 1
      }
      previous = byte
    }
    self.init(line: line, column: column)
  }
}
