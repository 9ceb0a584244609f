/// A day of the Gregorian calendar, reckoned without a date library: due dates and headers need the
/// calendar on every request, and a formatter with locales would cost megabytes and milliseconds.
package struct CivilDate: Sendable, Hashable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Nothing for a day that the calendar does not have.
  package init?(year: Int, month: Int, day: Int) {
    // Years far outside of any use would overflow the sums below.
    guard (-9_999_999...9_999_999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day at a distance from 1970-01-01.
  package init(daysSinceEpoch: Int64) {
    // Eras of 400 years repeat exactly. Years are counted from March, which puts the leap day last,
    // where it disturbs no month but its own.
    let (era, dayOfEra) = (daysSinceEpoch + Self.epochFromYearZero).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(era * 400 + yearOfEra + (month <= 2 ? 1 : 0))
  }

  package var daysSinceEpoch: Int64 {
    let yearFromMarch = Int64(month <= 2 ? year - 1 : year)
    let (era, yearOfEra) = yearFromMarch.floored(by: 400)
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - Self.epochFromYearZero
  }

  /// 0 is Sunday; 1970-01-01 was a Thursday.
  package var weekday: Int { Int((daysSinceEpoch + 4).floored(by: 7).remainder) }

  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from the first of March of the year 0 to 1970-01-01.
  private static let epochFromYearZero: Int64 = 719_468
}
