import MockKit

/// Moments as this service writes and reads them.
enum Dates {
  /// `3/16/2026 9:00:00 AM`, with its zone or, in older elements, without.
  static func written(_ moment: Moment, zone: String = " +00:00") -> String {
    let numbers = numbers(moment)
    let (hour, half) = (numbers[3] % 12 == 0 ? 12 : numbers[3] % 12, numbers[3] < 12 ? "AM" : "PM")
    return "\(numbers[1])/\(numbers[2])/\(numbers[0]) \(hour):\(two(numbers[4])):"
      + "\(two(numbers[5])) \(half)\(zone)"
  }

  /// Ends of loans are cut to the minute.
  static func minute(_ moment: Moment) -> String {
    written(Moment(milliseconds: moment.milliseconds / 60_000 * 60_000))
  }

  /// `2026-03-16 09:00:00.0001398 +00:00`
  static func precise(_ moment: Moment) -> String {
    let text = moment.text
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)).0001398 +00:00"
  }

  /// `2020-01-28` as `1/28/2020`.
  static func calendar(_ text: String) -> String {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return parts.count == 3 ? "\(parts[1])/\(parts[2])/\(parts[0])" : ""
  }

  /// Year, day, month.
  static func release(_ text: String) -> String {
    let parts = text.split(separator: "-")
    return parts.count == 3 ? "\(parts[0])-\(parts[2])-\(parts[1])" : text
  }

  /// `MM-DD-YYYY HH:MM:SS`
  static func american(_ text: String) -> Moment? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[1].count == 8 else { return nil }
    let day = parts[0].split(separator: "-")
    guard day.count == 3, day[0].count == 2, day[1].count == 2, day[2].count == 4 else {
      return nil
    }
    return Moment("\(day[2])-\(day[0])-\(day[1])T\(parts[1])Z")
  }

  private static func numbers(_ moment: Moment) -> [Int] {
    moment.text.prefix(19).split { "-T:".contains($0) }.map { Int($0) ?? 0 }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
