import Glibc

/// A moment in whole seconds, as the date fields of HTTP carry it. Printed always as the one
/// current form; read in all three that RFC 9110 §5.6.7 obliges a recipient to know.
package struct HTTPDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  package static var now: HTTPDate { HTTPDate(seconds: Int64(time(nil))) }

  /// Reads any of the three forms. The weekday is not checked, for it carries nothing. A two-digit
  /// year is the latest one that is not more than 50 years ahead of `now`.
  package init?(_ text: String, now: HTTPDate = .now) {
    // Without commas, dashes and colons all three forms are six or more words and numbers.
    let words = text.utf8.split { [0x20, 0x09, 0x2C, 0x2D, 0x3A].contains($0) }.map {
      String(Substring($0))
    }
    guard text.utf8.count <= 64, words.count >= 7 else { return nil }
    let isAsctime = HTTPDate.month(words[1]) != nil
    let zone = words.count > 7 ? words[7].uppercased() : isAsctime ? "GMT" : ""
    guard words.count <= 8, ["GMT", "UTC", "UT", "Z"].contains(zone) else { return nil }
    let fields = isAsctime ? [2, 1, 6, 3, 4, 5] : [1, 2, 3, 4, 5, 6]
    guard let day = HTTPDate.number(words[fields[0]], digits: 1...2),
      let month = HTTPDate.month(words[fields[1]]),
      var year = HTTPDate.number(words[fields[2]], digits: 2...4),
      let hour = HTTPDate.number(words[fields[3]], digits: 1...2), hour < 24,
      let minute = HTTPDate.number(words[fields[4]], digits: 2...2), minute < 60,
      let second = HTTPDate.number(words[fields[5]], digits: 2...2), second <= 60
    else { return nil }
    switch words[fields[2]].utf8.count {
    case 2:
      let thisYear = HTTPDate.civil(days: now.seconds.quotient(86_400)).year
      year += (thisYear / 100) * 100
      if year > thisYear + 50 { year -= 100 }
    case 4: break
    default: return nil
    }
    guard (1...HTTPDate.length(ofMonth: month, year: year)).contains(day) else { return nil }
    let days = HTTPDate.days(year: year, month: month, day: day)
    seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
  }

  package static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`: 29 bytes for every year a person will meet.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package var bytes: [UInt8] {
    let days = seconds.quotient(86_400)
    let clock = seconds - days * 86_400
    let date = HTTPDate.civil(days: days)
    // 1970-01-01 was a Thursday.
    let weekday = Int(((days % 7) + 11) % 7)
    var out: [UInt8] = []
    out.reserveCapacity(29)
    out += HTTPDate.weekdays[weekday]
    out += [0x2C, 0x20]
    HTTPDate.put(date.day, 2, &out)
    out.append(0x20)
    out += HTTPDate.months[Int(date.month) - 1]
    out.append(0x20)
    HTTPDate.put(date.year, 4, &out)
    out.append(0x20)
    HTTPDate.put(clock / 3600, 2, &out)
    out.append(0x3A)
    HTTPDate.put(clock / 60 % 60, 2, &out)
    out.append(0x3A)
    HTTPDate.put(clock % 60, 2, &out)
    out += [0x20, 0x47, 0x4D, 0x54]
    return out
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map {
    Array($0.utf8)
  }
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }

  private static func put(_ value: Int64, _ digits: Int, _ out: inout [UInt8]) {
    var divisor: Int64 = digits == 4 ? 1000 : 10
    while divisor > 0 {
      out.append(UInt8(0x30 + (max(value, 0) / divisor) % 10))
      divisor /= 10
    }
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy(isDigit) else { return nil }
    return Int64(text)
  }

  private static func month(_ text: String) -> Int64? {
    let name = Array(text.lowercased().utf8)
    for (index, month) in months.enumerated()
    where name.count == 3 && name[0] == month[0] | 0x20 && name[1...] == month[1...] {
      return Int64(index + 1)
    }
    return nil
  }

  private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar. Years start in March here, so that the
  /// leap day comes last and month lengths follow one formula.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = shifted.quotient(400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.quotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
  }
}

extension Int64 {
  /// Division that rounds down, so that moments before 1970 fall on the right day.
  fileprivate func quotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
