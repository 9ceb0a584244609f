package import Circulation
package import FoundationEssentials

/// Dates as services write them: instants with and without seconds, zones in three spellings, and
/// calendar dates that must keep their day. No formatter: those cost milliseconds and know locales.
package enum WireDate {
  /// An instant such as `2014-11-26T14:58Z`, `2013-11-12 14:13:00-05:00` or `…T09:05:00.123Z`.
  /// One without a zone is read as UTC, which is what the services that leave it out mean.
  package static func instant(_ text: String) -> Date? {
    var scan = Scan(text)
    guard let date = scan.calendarDate(), let month = date.month, let day = date.day else {
      return nil
    }
    let midnight = daysSinceEpoch(year: date.year, month: month, day: day) * 86_400
    guard !scan.isAtEnd else { return Date(timeIntervalSince1970: Double(midnight)) }
    guard scan.take("T") || scan.take("t") || scan.take(" "), let time = scan.timeOfDay(),
      let offset = scan.zone(), scan.isAtEnd
    else { return nil }
    return Date(timeIntervalSince1970: Double(midnight - offset) + time)
  }

  /// The calendar date as written. A zone, if any, is ignored on purpose: moving a publication date
  /// to another zone moves the day.
  package static func calendar(_ text: String) -> PartialDate? {
    var scan = Scan(text)
    guard let date = scan.calendarDate() else { return nil }
    return scan.isAtEnd || scan.take("T") || scan.take(" ") ? date : nil
  }

  /// In the form that every service we know takes: `2026-03-24T09:05:00Z`.
  package static func written(_ date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let (days, rest) = (floorDivide(seconds, 86_400), floorModulo(seconds, 86_400))
    let (year, month, day) = civil(daysSinceEpoch: days)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }

  // The arithmetic of the proleptic Gregorian calendar, counted in eras of 400 years from March.
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func civil(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivide(_ one: Int, _ other: Int) -> Int {
    one >= 0 ? one / other : -((-one + other - 1) / other)
  }

  private static func floorModulo(_ one: Int, _ other: Int) -> Int {
    one - floorDivide(one, other) * other
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private struct Scan {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ sign: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: sign) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ digits: Int) -> Int? {
      guard rest.count >= digits else { return nil }
      var value = 0
      for byte in rest.prefix(digits) {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      rest.removeFirst(digits)
      return value
    }

    /// `1813`, `1813-01` or `1813-01-28`.
    mutating func calendarDate() -> PartialDate? {
      guard let year = number(4) else { return nil }
      guard take("-") else { return PartialDate(year: year) }
      guard let month = number(2), (1...12).contains(month) else { return nil }
      guard take("-") else { return PartialDate(year: year, month: month) }
      guard let day = number(2), (1...WireDate.length(ofMonth: month, in: year)).contains(day)
      else { return nil }
      return PartialDate(year: year, month: month, day: day)
    }

    mutating func timeOfDay() -> Double? {
      guard let hour = number(2), hour < 25, take(":"), let minute = number(2), minute < 60 else {
        return nil
      }
      var seconds = Double(hour * 3600 + minute * 60)
      guard take(":") else { return seconds }
      // A leap second is read as the second after.
      guard let whole = number(2), whole < 61 else { return nil }
      seconds += Double(whole)
      guard take(".") || take(",") else { return seconds }
      var scale = 0.1
      guard let first = number(1) else { return nil }
      seconds += Double(first) * scale
      while let digit = number(1) {
        scale /= 10
        seconds += Double(digit) * scale
      }
      return seconds
    }

    /// Seconds east of Greenwich; a missing zone is none.
    mutating func zone() -> Int? {
      if isAtEnd || take("Z") || take("z") { return 0 }
      let sign = take("-") ? -1 : take("+") ? 1 : 0
      guard sign != 0, let hours = number(2), hours < 24 else { return nil }
      if isAtEnd { return sign * hours * 3600 }
      _ = take(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }

  static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }
}
