import Circulation
import FoundationEssentials
import ProviderKit

/// The dates of this wire, which has five shapes for them (§9).
enum WireMoment {
  /// `7/22/2015 5:40:27 PM +00:00`, the same without a zone (which is UTC then),
  /// `2018-09-29 18:34:00.0001398 +00:00`, or as everybody writes it.
  static func instant(_ text: String) -> Date? {
    text.contains("/") ? american(text) : WireDate.instant(joined(text))
  }

  /// `3/7/2000` is the seventh of March.
  static func calendar(_ text: String) -> PartialDate? {
    let day = text.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "T") }
    guard day.contains(UInt8(ascii: "/")) else { return WireDate.calendar(String(Substring(day))) }
    return iso(Substring(day)).flatMap(WireDate.calendar)
  }

  /// `2009-19-05` is the nineteenth of May, and `2009-06-10` the sixth of October.
  static func release(_ text: String) -> PartialDate? {
    let parts = text.prefix { $0 != "T" && $0 != " " }.split(separator: "-")
    guard parts.count == 3 else { return WireDate.calendar(text) }
    return WireDate.calendar("\(parts[0])-\(parts[2])-\(parts[1])")
  }

  /// As questions are asked: `07-22-2015 17:40:27`, in UTC.
  static func written(_ date: Date) -> String {
    let text = WireDate.written(date)
    let parts = text.prefix(10).split(separator: "-")
    return "\(parts[1])-\(parts[2])-\(parts[0]) \(text.dropFirst(11).prefix(8))"
  }

  /// `21:36` is hours and minutes.
  static func seconds(ofRuntime text: String) -> Int? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hours = parts[0], let minutes = parts[1], hours >= 0,
      (0..<60).contains(minutes)
    else { return nil }
    return hours * 3600 + minutes * 60
  }

  private static func american(_ text: String) -> Date? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, let day = iso(first) else { return nil }
    guard words.count > 1 else { return WireDate.instant(day) }
    let isEvening = words.contains { $0.uppercased() == "PM" }
    let isTwelve = isEvening || words.contains { $0.uppercased() == "AM" }
    let time = words[1].split(separator: ":").map { Int($0) }
    guard time.count >= 2, time.count <= 3, var hour = time[0], let minute = time[1] else {
      return nil
    }
    if isTwelve {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isEvening ? 12 : 0)
    }
    guard let second = time.count == 3 ? time[2] : 0 else { return nil }
    let zone = words.dropFirst(2).first { "+-".contains($0.prefix(1)) } ?? "Z"
    return WireDate.instant("\(day)T\(two(hour)):\(two(minute)):\(two(second))\(zone)")
  }

  /// From `M/D/YYYY`.
  private static func iso(_ text: Substring) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "/")).map { Int(Substring($0)) }
    guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2],
      (1000...9999).contains(year)
    else { return nil }
    return "\(year)-\(two(month))-\(two(day))"
  }

  /// Without the blank before the zone, and with microseconds at most.
  private static func joined(_ text: String) -> String {
    let text = text.trimmingBlanks.replacing(" +", with: "+").replacing(" -", with: "-")
    guard let dot = text.firstIndex(of: ".") else { return String(text) }
    let digits = text[text.index(after: dot)...].prefix { $0.isASCII && $0.isNumber }
    return String(text[...dot] + digits.prefix(6) + text[digits.endIndex...])
  }

  private static func two(_ number: Int) -> String {
    number >= 0 && number < 10 ? "0\(number)" : String(number)
  }
}
