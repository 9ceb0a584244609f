import Circulation
import Desk
import FoundationEssentials
import Markup
import XML

/// What feeds say to people.
enum Words {
  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }

  static func number(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  static func span(_ wait: Wait) -> String {
    let (low, high) = (max(1, wait.lowDays), max(1, wait.highDays))
    if high < 14 { return low == high ? count(high, "day", "days") : "\(low) to \(high) days" }
    let weeks = (low: max(1, low / 7), high: (high + 6) / 7)
    return weeks.low == weeks.high
      ? count(weeks.high, "week", "weeks") : "\(weeks.low) to \(weeks.high) weeks"
  }

  /// `23 January 2027`
  static func day(_ date: Date) -> String {
    let day = CalendarDay(date)
    return "\(day.day) \(months[day.month - 1]) \(day.year)"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  static func audience(_ audience: Audience) -> String {
    switch audience {
    case .children: "Children"
    case .youngAdult: "Young adult"
    case .adult: "Adult"
    }
  }

  /// A publisher's text of unknown make, without markup.
  static func plain(_ text: String) -> String {
    guard text.contains("<") || text.contains("&") else { return text }
    guard let document = try? HTMLDocument(text: text) else { return "" }
    return PlainText.of(document.content)
  }

  /// At the end of a word.
  static func shortened(_ text: String, to length: Int) -> String {
    guard text.count > length else { return text }
    let start = text.prefix(length)
    let whole = start.lastIndex(where: \.isWhitespace).map { start[..<$0] } ?? start
    return whole + "…"
  }
}

/// A day of the calendar, in UTC.
struct CalendarDay {
  let year: Int
  let month: Int
  let day: Int

  init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  init(_ date: Date) {
    let days = Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted + (shifted < 10 ? 3 : -9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Its first moment; nil for what is no day.
  var start: Date? {
    guard (1...12).contains(month), (1...31).contains(day), (0...9999).contains(year) else {
      return nil
    }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Date(timeIntervalSince1970: Double(era * 146_097 + dayOfEra - 719_468) * 86_400)
  }
}
