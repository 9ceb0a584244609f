extension Timestamp {
  package enum Precision: Sendable { case seconds, milliseconds }

  /// RFC 3339 in UTC: `2026-03-24T09:05:00Z`. Years outside 0–9999 have no spelling there (§1) and
  /// are printed at the nearest end that has one.
  package func rfc3339(_ precision: Precision = .seconds) -> String {
    let moment = min(max(self, Self.firstWritable), Self.lastWritable)
    let (seconds, milliseconds) = moment.millisecondsSinceEpoch.floored(by: 1000)
    let (days, second) = seconds.floored(by: 86_400)
    let date = CivilDate(daysSinceEpoch: days)
    var text = "\(Self.padded(Int64(date.year), to: 4))-\(Self.padded(Int64(date.month), to: 2))"
    text += "-\(Self.padded(Int64(date.day), to: 2))T\(Self.padded(second / 3600, to: 2))"
    text += ":\(Self.padded(second / 60 % 60, to: 2)):\(Self.padded(second % 60, to: 2))"
    if precision == .milliseconds { text += ".\(Self.padded(milliseconds, to: 3))" }
    return text + "Z"
  }

  /// Reads what libraries really send: `T` in either case or a blank, any number of fraction digits
  /// (cut to milliseconds), an offset with or without the colon, a leap second (§5.7), or the date
  /// alone, which is its first moment in UTC. A clock time without an offset is refused: guessing
  /// the zone of a due date is how loans end on the wrong day.
  package init?(rfc3339 text: some StringProtocol) {
    var written = Digits(text.utf8)
    guard let year = written.number(4), written.skip("-"), let month = written.number(2),
      written.skip("-"), let day = written.number(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let midnight = date.daysSinceEpoch * 86_400
    if written.isAtEnd {
      self.init(secondsSinceEpoch: midnight)
      return
    }
    guard written.skip("T", "t", " "), let hour = written.number(2), hour < 24, written.skip(":"),
      let minute = written.number(2), minute < 60, written.skip(":"),
      let second = written.number(2), second <= 60, let milliseconds = written.fraction(),
      let offset = written.offset(), written.isAtEnd
    else { return nil }
    // 23:59:60 becomes the first moment of the next day: this count of seconds has no place for it.
    let seconds = midnight + Int64(hour * 3600 + minute * 60 + second - offset)
    self.init(millisecondsSinceEpoch: seconds * 1000 + Int64(milliseconds))
  }

  private static let firstWritable = Timestamp(millisecondsSinceEpoch: -62_167_219_200_000)
  private static let lastWritable = Timestamp(millisecondsSinceEpoch: 253_402_300_799_999)

  private static func padded(_ number: Int64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Timestamp: CustomStringConvertible {
  package var description: String { rfc3339(.milliseconds) }
}

/// Fixed-width digits and marks, consumed from the front.
private struct Digits {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) {
    // No spelling of a moment comes near this; whatever is longer fails at the end check.
    rest = ArraySlice(bytes.prefix(128))
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ width: Int) -> Int? {
    guard rest.count >= width else { return nil }
    var value = 0
    for byte in rest.prefix(width) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    rest.removeFirst(width)
    return value
  }

  mutating func skip(_ marks: Unicode.Scalar...) -> Bool {
    guard let first = rest.first, marks.contains(where: { UInt8(ascii: $0) == first }) else {
      return false
    }
    rest.removeFirst()
    return true
  }

  /// Milliseconds; zero without a fraction, nothing for a mark without digits.
  mutating func fraction() -> Int? {
    guard skip(".", ",") else { return 0 }
    var (value, digits) = (0, 0)
    while let digit = number(1) {
      if digits < 3 { value = value * 10 + digit }
      digits += 1
    }
    guard digits > 0 else { return nil }
    for _ in min(digits, 3)..<3 { value *= 10 }
    return value
  }

  /// Seconds east of UTC.
  mutating func offset() -> Int? {
    if skip("Z", "z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = skip(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
