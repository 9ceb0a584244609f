/// An International Standard Book Number in its one canonical form: thirteen digits, the last a
/// right check digit. Catalogues are full of "n/a" and wrong digits; those have no spelling here.
package struct ISBN: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let digits: String

  /// Reads ten or thirteen digits with any blanks, hyphens or a leading `ISBN`; nil for all else.
  package init?(_ text: String) {
    // No spelling of one is longer, and no field that holds one should cost more than a look.
    guard text.utf8.count <= 100 else { return nil }
    let rest = Self.afterLabel(text)
    let kept = Array(rest.unicodeScalars.lazy.filter { !Self.isSeparator($0) })
    var values: [Int] = []
    values.reserveCapacity(13)
    for (index, scalar) in kept.enumerated() {
      switch scalar {
      case "0"..."9": values.append(Int(scalar.value - 48))
      case "X", "x":
        guard index == 9, kept.count == 10 else { return nil }
        values.append(10)
      default: return nil
      }
    }
    switch values.count {
    case 10:
      let sum = zip(values, stride(from: 10, through: 1, by: -1)).reduce(0) { $0 + $1.0 * $1.1 }
      guard sum % 11 == 0 else { return nil }
      let body = [9, 7, 8] + values.dropLast()
      digits = Self.spelled(body + [Self.check(of: body)])
    case 13:
      let prefix = Array(values.prefix(3))
      guard prefix == [9, 7, 8] || prefix == [9, 7, 9],
        Self.check(of: Array(values.dropLast())) == values[12]
      else { return nil }
      digits = Self.spelled(values)
    default: return nil
    }
  }

  /// The ten-digit form, which only exists under the prefix 978.
  package var short: String? {
    guard digits.hasPrefix("978") else { return nil }
    let body = digits.dropFirst(3).dropLast()
    let sum = zip(body, stride(from: 10, through: 2, by: -1))
      .reduce(0) { $0 + ($1.0.wholeNumberValue ?? 0) * $1.1 }
    let check = (11 - sum % 11) % 11
    return body + (check == 10 ? "X" : String(check))
  }

  package var description: String { digits }

  package static func < (one: ISBN, other: ISBN) -> Bool { one.digits < other.digits }

  /// `ISBN`, `ISBN-13:` and the like are taken off.
  private static func afterLabel(_ text: String) -> Substring {
    guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "i"),
      text.prefix(4).uppercased() == "ISBN"
    else { return Substring(text) }
    var rest = text.dropFirst(4).drop { $0 == "-" || $0 == " " }
    let afterKind = rest.dropFirst(2)
    if rest.hasPrefix("10") || rest.hasPrefix("13"), [":", " "].contains(afterKind.first) {
      rest = afterKind
    }
    return rest.drop { $0 == ":" || $0 == " " }
  }

  private static func check(of body: [Int]) -> Int {
    let sum = body.enumerated().reduce(0) {
      $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return (10 - sum % 10) % 10
  }

  private static func spelled(_ values: [Int]) -> String {
    String(decoding: values.map { UInt8($0) + 48 }, as: UTF8.self)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    // Most are digits, and a set is slow to ask.
    scalar.value >= 0x30 && scalar.value < 0x7F ? false : separators.contains(scalar)
  }

  // Hyphens of every make are pasted from catalogues and word processors.
  private static let separators: Set<Unicode.Scalar> = [
    " ", "-", ".", "\u{A0}", "\u{AD}", "\u{2009}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}",
    "\u{2014}", "\u{2212}",
  ]
}
