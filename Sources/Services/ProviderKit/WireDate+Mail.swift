package import Circulation
package import FoundationEssentials

extension WireDate {
  /// A moment with the day as it was written: moving it to another zone may move the day.
  package struct Stamp: Sendable, Hashable {
    package let instant: Date
    package let day: PartialDate
  }

  /// Dates with the names of months in them, in whatever order: `Mon, 13 Apr 2020 21:05:11 -0700` of
  /// mail and feeds, `Fri Feb 06 15:11:50 -0800 2009` of Ruby. Nil without a day, a month and a year.
  package static func named(_ text: String) -> Stamp? {
    var (year, month, day): (Int?, Int?, Int?)
    var (seconds, offset) = (0, 0)
    // Nothing that is a date is longer.
    guard text.utf8.count < 64 else { return nil }
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
      if word.utf8.contains(UInt8(ascii: ":")) {
        guard let time = timeOfDay(word) else { return nil }
        seconds = time
      } else if let sign = word.first, sign == "+" || sign == "-" {
        guard let zone = zone(word) else { return nil }
        offset = zone
      } else if let number = Int(word) {
        if word.count > 2 { year = number } else { day = number }
      } else if let known = months.firstIndex(of: word.prefix(3).lowercased()) {
        month = known + 1
      }
    }
    guard let year, let month, let day, (1...9999).contains(year),
      (1...length(ofMonth: month, in: year)).contains(day)
    else { return nil }
    let midnight = daysSinceEpoch(year: year, month: month, day: day) * 86_400
    return Stamp(
      instant: Date(timeIntervalSince1970: Double(midnight + seconds - offset)),
      day: PartialDate(year: year, month: month, day: day))
  }

  private static func timeOfDay(_ word: Substring) -> Int? {
    let parts = word.split(separator: ":").map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    guard parts.count == 3 else { return hour * 3600 + minute * 60 }
    guard let second = parts[2], (0...60).contains(second) else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Seconds east of Greenwich.
  private static func zone(_ word: Substring) -> Int? {
    guard word.count == 5, let digits = Int(word.dropFirst()), digits >= 0, digits % 100 < 60 else {
      return nil
    }
    return (word.first == "-" ? -1 : 1) * (digits / 100 * 3600 + digits % 100 * 60)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
