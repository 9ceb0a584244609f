package import Circulation
package import Desk
package import FoundationEssentials
package import Machine

/// What feeds say to people.
package enum Words {
  package static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }

  package static func span(_ wait: Wait) -> String {
    let (low, high) = (max(1, wait.lowDays), max(1, wait.highDays))
    if high < 14 { return low == high ? count(high, "day", "days") : "\(low) to \(high) days" }
    let weeks = (low: max(1, low / 7), high: (high + 6) / 7)
    return weeks.low == weeks.high
      ? count(weeks.high, "week", "weeks") : "\(weeks.low) to \(weeks.high) weeks"
  }

  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  package static func audience(_ audience: Audience) -> String {
    switch audience {
    case .children: "Children"
    case .youngAdult: "Young adult"
    case .adult: "Adult"
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
