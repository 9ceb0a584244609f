import Machine

/// Times as people read them: the day, and how far off it is while it lies ahead.
enum Moments {
  static func day(_ time: String?) -> String? {
    time.flatMap { Timestamp(rfc3339: $0) }.map { text(of: $0) }
  }

  /// `just now`, `5 minutes ago`, `yesterday`; further back the day.
  static func past(_ time: String?, now: Timestamp = Time.system.now()) -> String? {
    guard let moment = time.flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
    let minutes = (now.millisecondsSinceEpoch - moment.millisecondsSinceEpoch) / 60_000
    let days = civil(now).daysSinceEpoch - civil(moment).daysSinceEpoch
    switch (minutes, days) {
    case (0...1, _): return "just now"
    case (2..<60, _): return "\(minutes) minutes ago"
    case (60..<720, _): return Counted.text(Int(minutes / 60), "hour") + " ago"
    case (_, 0): return "today"
    case (_, 1): return "yesterday"
    default: return text(of: moment)
    }
  }

  /// `6 Apr 2026 (in 20 days)`
  static func ahead(_ time: String?, now: Timestamp = Time.system.now()) -> String? {
    guard let moment = time.flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
    let days = civil(moment).daysSinceEpoch - civil(now).daysSinceEpoch
    switch days {
    case 0: return "\(text(of: moment)) (today)"
    case 1: return "\(text(of: moment)) (tomorrow)"
    case 2...: return "\(text(of: moment)) (in \(days) days)"
    default: return text(of: moment)
    }
  }

  /// `2026-11-22`, of a day that the calendar has.
  static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.count) == [4, 2, 2],
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return false }
    return CivilDate(year: year, month: month, day: day) != nil
  }

  private static func civil(_ moment: Timestamp) -> CivilDate {
    CivilDate(daysSinceEpoch: LocalTime.day(of: moment).number)
  }

  private static func text(of moment: Timestamp) -> String {
    let date = civil(moment)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(date.day) \(months[date.month - 1]) \(date.year)"
  }
}
