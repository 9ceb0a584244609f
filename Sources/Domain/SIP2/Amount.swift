/// Money as libraries write it, to the hundredth of a cent and without a rounding: `9.25`, `$5.00`,
/// `9,25`, `-1`.
package struct Amount: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let tenThousandths: Int64

  package init(tenThousandths: Int64) { self.tenThousandths = tenThousandths }

  package init?(_ text: String) {
    var bytes = text.utf8.filter { $0 != 0x20 && $0 < 0x80 }[...]
    // A sign of a currency before or behind it, a name of one, a minus on either side.
    var isNegative = false
    while let first = bytes.first, !Self.isDigit(first), !Self.isMark(first) {
      if first == UInt8(ascii: "-") { isNegative = true }
      bytes.removeFirst()
    }
    while let last = bytes.last, !Self.isDigit(last) {
      if last == UInt8(ascii: "-") { isNegative = true }
      bytes.removeLast()
    }
    guard !bytes.isEmpty, bytes.count <= 18,
      bytes.allSatisfy({ Self.isDigit($0) || Self.isMark($0) })
    else { return nil }
    let (whole, part) = Self.halves(bytes)
    guard part.count <= 4, !whole.isEmpty || !part.isEmpty,
      let units = Int64(whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)),
      let parts = Int64(
        String(decoding: part, as: UTF8.self) + String(repeating: "0", count: 4 - part.count))
    else { return nil }
    let (scaled, overflow) = units.multipliedReportingOverflow(by: 10_000)
    guard !overflow, scaled < .max - parts else { return nil }
    tenThousandths = isNegative ? -(scaled + parts) : scaled + parts
  }

  /// The last mark parts off the decimals, unless three digits stand behind it: that is a thousand.
  private static func halves(_ bytes: ArraySlice<UInt8>) -> (whole: [UInt8], part: [UInt8]) {
    guard let mark = bytes.lastIndex(where: isMark) else { return (Array(bytes), []) }
    let before = bytes[..<mark].filter(isDigit)
    let behind = Array(bytes[(mark + 1)...])
    let isThousand = behind.count == 3 && !before.isEmpty && before != [0x30]
    return isThousand ? (before + behind, []) : (before, behind)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isMark(_ byte: UInt8) -> Bool { byte == 0x2E || byte == 0x2C }

  /// With two decimals, or as many as it needs.
  package var description: String {
    let (whole, part) = (tenThousandths.magnitude / 10_000, tenThousandths.magnitude % 10_000)
    var decimals = String(part)
    decimals = String(repeating: "0", count: 4 - decimals.utf8.count) + decimals
    while decimals.utf8.count > 2, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(tenThousandths < 0 ? "-" : "")\(whole).\(decimals)"
  }

  package static func < (one: Amount, other: Amount) -> Bool {
    one.tenThousandths < other.tenThousandths
  }
}
