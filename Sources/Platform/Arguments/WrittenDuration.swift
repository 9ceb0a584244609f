/// A span of time as people write it: `90s`, `15m`, `3d`, `2w`, `1h30m`, `250ms`. A bare number is
/// refused, because nobody agrees on its unit; only `0` needs none.
package struct WrittenDuration: Sendable, Hashable, CustomStringConvertible {
  package let duration: Duration

  private static let units: [(name: String, milliseconds: Int)] = [
    ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// A hundred years: more is a slip of the keyboard, and sums of times stay far from overflow.
  private static let longest = 100 * 366 * 86_400_000

  package init(_ duration: Duration) { self.duration = duration }

  package init?(_ text: String) {
    guard text != "0" else {
      duration = .zero
      return
    }
    var rest = Substring(text)
    var total = 0
    var lastUnit = -1
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(letters.count)
      guard let amount = Int(digits), amount <= Self.longest,
        let unit = Self.units.firstIndex(where: { $0.name == letters }), unit > lastUnit
      else { return nil }
      let (part, overflow) = amount.multipliedReportingOverflow(by: Self.units[unit].milliseconds)
      guard !overflow, part <= Self.longest - total else { return nil }
      total += part
      lastUnit = unit
    }
    guard lastUnit >= 0 else { return nil }
    duration = .milliseconds(total)
  }

  /// The shortest spelling that reads back to the same span.
  package var description: String {
    let parts = duration.components
    var left = Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    guard left > 0 else { return "0" }
    if let whole = Self.units.first(where: { left % $0.milliseconds == 0 }),
      left / whole.milliseconds < 1000
    {
      return "\(left / whole.milliseconds)\(whole.name)"
    }
    var text = ""
    for unit in Self.units where left >= unit.milliseconds {
      text += "\(left / unit.milliseconds)\(unit.name)"
      left %= unit.milliseconds
    }
    return text
  }
}
