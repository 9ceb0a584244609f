/// An amount of bytes as people write it: `4096`, `64KiB`, `10MB`.
package struct WrittenSize: Sendable, Hashable, CustomStringConvertible {
  package let bytes: Int

  private static let units: [(name: String, bytes: Int)] = [
    ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10),
    ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1000), ("b", 1), ("", 1),
  ]

  package init(_ bytes: Int) { self.bytes = bytes }

  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard let amount = Int(digits), let factor = Self.units.first(where: { $0.name == unit })
    else { return nil }
    let (bytes, overflow) = amount.multipliedReportingOverflow(by: factor.bytes)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  /// The largest binary unit that divides it, so that nothing is rounded.
  package var description: String {
    guard bytes > 0 else { return "\(bytes)" }
    for (name, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes % size == 0 { return "\(bytes / size)\(name)" }
    return "\(bytes)"
  }
}
