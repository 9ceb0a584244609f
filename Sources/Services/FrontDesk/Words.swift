package import Circulation
package import Desk
package import FoundationEssentials
package import Machine
import Phrasebook

/// What feeds say to people.
package enum Words {
  package static func span(_ wait: Wait) -> String {
    let (low, high) = (max(1, wait.lowDays), max(1, wait.highDays))
    if high < 14 { return low == high ? days(high) : said("\(low) to \(high) days") }
    let weeks = (low: max(1, low / 7), high: (high + 6) / 7)
    return weeks.low == weeks.high
      ? counted(weeks.high, one: "\(weeks.high) week", many: "\(weeks.high) weeks")
      : said("\(weeks.low) to \(weeks.high) weeks")
  }

  package static func days(_ days: Int) -> String {
    counted(days, one: "\(days) day", many: "\(days) days")
  }

  package static func loans(_ loans: Int) -> String {
    counted(loans, one: "\(loans) loan", many: "\(loans) loans")
  }

  package static func holds(_ holds: Int) -> String {
    counted(holds, one: "\(holds) hold", many: "\(holds) holds")
  }

  package static func books(_ books: Int) -> String {
    counted(books, one: "\(books) book", many: "\(books) books")
  }

  /// `10 August 1973`, `August 1973`, `1973`
  package static func date(_ date: PartialDate) -> String {
    guard let month = date.month.flatMap({ (1...12).contains($0) ? self.month($0) : nil }) else {
      return "\(date.year)"
    }
    return date.day.map { self.day($0, month, date.year) } ?? said("\(month) \(date.year)", "date")
  }

  /// `10 August 1973`
  static func day(_ day: Int, _ month: String, _ year: Int) -> String {
    said("\(day) \(month) \(year)", "date")
  }

  /// From 1.
  static func month(_ number: Int) -> String { said(known: months[number - 1]) }

  private static let months = [
    phrase("January"), phrase("February"), phrase("March"), phrase("April"), phrase("May"),
    phrase("June"), phrase("July"), phrase("August"), phrase("September"),
    phrase("October"), phrase("November"), phrase("December"),
  ]

  package static func audience(_ audience: Audience) -> String {
    switch audience {
    case .children: said("Children")
    case .youngAdult: said("Young adult")
    case .adult: said("Adult")
    }
  }

  /// At the end of a word.
  package static func shortened(_ text: String, to length: Int) -> String {
    guard text.count > length else { return text }
    let start = text.prefix(length)
    let whole = start.lastIndex(where: \.isWhitespace).map { start[..<$0] } ?? start
    return whole + "…"
  }
}

extension CivilDate {
  /// The day of a moment, in UTC.
  package init(_ date: Date) {
    self.init(daysSinceEpoch: Int64((date.timeIntervalSince1970 / 86_400).rounded(.down)))
  }

  /// Its first moment.
  package var start: Date { Date(timeIntervalSince1970: Double(daysSinceEpoch) * 86_400) }
}
