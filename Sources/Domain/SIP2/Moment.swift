package import Machine

/// A date as messages carry it: a calendar's day and a clock's time, and what is said of the zone.
package struct Moment: Sendable, Hashable {
  package let day: CivilDate
  package let secondOfDay: Int
  package let zone: Zone

  /// What the four characters between day and time say.
  package enum Zone: String, Sendable, Hashable, CaseIterable {
    /// The library's own clock.
    case local = "    "
    case utc = "   Z"
    /// Nobody thought about it, and it means the library's own clock as well.
    case zeros = "0000"
  }

  package init(day: CivilDate, secondOfDay: Int, zone: Zone) {
    (self.day, self.secondOfDay, self.zone) = (day, secondOfDay, zone)
  }

  /// A moment as it is written for a library whose clocks are so far ahead of UTC.
  package init(_ moment: Timestamp, secondsEast: Int, zone: Zone) {
    let seconds = moment.secondsSinceEpoch + (zone == .utc ? 0 : Int64(secondsEast))
    let (days, second) = seconds.floored(by: 86_400)
    self.init(day: CivilDate(daysSinceEpoch: days), secondOfDay: Int(second), zone: zone)
  }

  /// Eighteen characters; nil for blanks and for days that there are not.
  package init?(_ text: String) {
    guard Self.isShaped(text), let zone = Self.zone(of: text),
      let day = Self.day(of: text.utf8.prefix(8)),
      let second = Self.second(of: text.utf8.suffix(6))
    else { return nil }
    self.init(day: day, secondOfDay: second, zone: zone)
  }

  package var text: String {
    let date = Self.digits(day.year, 4) + Self.digits(day.month, 2) + Self.digits(day.day, 2)
    let (hours, rest) = (secondOfDay / 3600, secondOfDay % 3600)
    let time = Self.digits(hours, 2) + Self.digits(rest / 60, 2) + Self.digits(rest % 60, 2)
    return date + zone.rawValue + time
  }

  /// In UTC. How far the library's clocks are ahead of it is asked for the moment that it would be
  /// without, which is right but for the hour when they are changed.
  package func timestamp(secondsEast: (Timestamp) -> Int) -> Timestamp {
    let seconds = day.daysSinceEpoch * 86_400 + Int64(secondOfDay)
    let plain = Timestamp(secondsSinceEpoch: seconds)
    if zone == .utc { return plain }
    return Timestamp(secondsSinceEpoch: seconds - Int64(secondsEast(plain)))
  }

  /// Whether it has the shape of a date, or is blank.
  static func isShaped(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 18 else { return false }
    if bytes.allSatisfy({ $0 == 0x20 }) { return true }
    return (bytes[..<8] + bytes[12...]).allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `20270131`.
  static func day(of digits: some Collection<UInt8>) -> CivilDate? {
    guard digits.count == 8, let number = number(digits) else { return nil }
    return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  private static func zone(of text: String) -> Zone? {
    let letters = String(Substring(text.utf8.dropFirst(8).prefix(4)))
    // An offset in figures has been promised by nobody; such servers mean their own clock.
    return Zone(rawValue: letters) ?? .local
  }

  private static func second(of digits: some Collection<UInt8>) -> Int? {
    guard let number = number(digits) else { return nil }
    let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count < 10,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(max(number, 0))
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

/// When something is due, in the shapes that libraries write.
package enum Due: Sendable, Hashable {
  case moment(Moment)
  case day(CivilDate)
  /// In words of the library's own.
  case words(String)

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    if let moment = Moment(text) {
      self = .moment(moment)
    } else if let day = Moment.day(of: bytes) {
      self = .day(day)
    } else if let day = Self.dashed(bytes.prefix(10)) {
      // 2026-12-24, and behind it 23:59:00 or nothing.
      if bytes.count == 10 {
        self = .day(day)
      } else if let second = Self.time(bytes.dropFirst(10)) {
        self = .moment(Moment(day: day, secondOfDay: second, zone: .local))
      } else {
        self = .words(text)
      }
    } else {
      self = .words(text)
    }
  }

  /// The day that it is; nil for words.
  package var day: CivilDate? {
    switch self {
    case .moment(let moment): moment.day
    case .day(let day): day
    case .words: nil
    }
  }

  private static func dashed(_ bytes: ArraySlice<UInt8>) -> CivilDate? {
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard bytes.count == 10, parts.map(\.count) == [4, 2, 2] else { return nil }
    return Moment.day(of: Array(parts.joined()))
  }

  private static func time(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, first == 0x20 || first == UInt8(ascii: "T") else { return nil }
    let parts = bytes.dropFirst().split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count == 2 }) else { return nil }
    let numbers = parts.compactMap { Moment.number($0) }
    guard numbers.count == parts.count, numbers[0] < 24, numbers[1] < 60 else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? min(numbers[2], 59) : 0)
  }
}
