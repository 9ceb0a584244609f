/// PostgreSQL answers sums and averages of integers as decimals of any length. A whole number that
/// fits is read as an integer, everything else as the nearest real.
struct PostgresNumeric {
  let value: Value

  /// The binary form: four 16-bit counts (digits, weight of the first, sign, decimals shown), then the
  /// digits to the base 10,000.
  init?(_ bytes: borrowing RawSpan) {
    let count = Int(bytes.integer(2))
    let weight = Int(bytes.integer(2, from: 2))
    let sign = UInt16(truncatingIfNeeded: bytes.integer(2, from: 4))
    guard bytes.byteCount == 8 + 2 * count, sign == 0 || sign == 0x4000 else { return nil }
    let isNegative = sign == 0x4000
    let digits = (0..<count).map { bytes.integer(2, from: 8 + 2 * $0) }
    if let whole = Self.whole(digits, weight, isNegative) {
      value = .integer(whole)
      return
    }
    var text = isNegative ? "-" : ""
    for digit in digits {
      let four = String(digit)
      text += String(repeating: "0", count: 4 - four.count) + four
    }
    guard let number = Double("\(text)e\(4 * (weight - count + 1))") else { return nil }
    value = .real(number)
  }

  private static func whole(_ digits: [Int64], _ weight: Int, _ isNegative: Bool) -> Int64? {
    guard digits.count <= weight + 1, weight < 5 || digits.isEmpty else {
      return digits.isEmpty ? 0 : nil
    }
    var number: Int64 = 0
    for position in 0..<max(0, weight + 1) {
      let digit = position < digits.count ? digits[position] : 0
      let (shifted, overflowed) = number.multipliedReportingOverflow(by: 10_000)
      let (sum, overran) =
        isNegative
        ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      guard !overflowed, !overran else { return nil }
      number = sum
    }
    return number
  }
}
