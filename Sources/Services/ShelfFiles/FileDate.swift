package import Circulation
import FoundationEssentials

/// Dates as people's programs write them: `2021/03/15`, ISO with or without a time, `3/15/2021`,
/// `15.3.2021`, `Mar 15, 2021`, and with parts missing.
package enum FileDate {
  package static func read(_ text: String) -> PartialDate? {
    guard text.utf8.count <= 60 else { return nil }
    var text = Substring(text.trimmed)
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    if text.utf8.contains(where: isLetter), let named = named(text) { return named }
    let day = text.prefix { $0 != "T" && $0 != " " && $0 != "," }
    if day.endIndex < text.endIndex, !isTime(text[day.endIndex...]) { return nil }
    for separator in ["/", "-", "."] as [Character] where day.contains(separator) {
      let parts = day.split(separator: separator, omittingEmptySubsequences: false)
      return numbers(parts, separator)
    }
    guard day.utf8.count == 4, let year = number(day) else { return nil }
    return PartialDate(year: year)
  }

  private static func numbers(_ parts: [Substring], _ separator: Character) -> PartialDate? {
    guard parts.count == 2 || parts.count == 3 else { return nil }
    let values = parts.map(number)
    guard let first = values[0], let second = values[1] else { return nil }
    if parts[0].utf8.count == 4 {
      let third = parts.count == 3 ? values[2] : 0
      guard let third else { return nil }
      return sound(first, second, third)
    }
    guard let last = parts.last, last.utf8.count == 4, let year = number(last) else { return nil }
    if parts.count == 2 { return first == 0 ? nil : sound(year, first, 0) }
    // Americans put the month first; a point is the mark of those who never do.
    let dayFirst = separator == "." || first > 12
    let (month, day) = dayFirst ? (second, first) : (first, second)
    return month == 0 || day == 0 ? nil : sound(year, month, day)
  }

  /// A zero stands for what nobody knows.
  private static func sound(_ year: Int, _ month: Int, _ day: Int) -> PartialDate? {
    guard year > 0 else { return nil }
    if month == 0 { return day == 0 ? PartialDate(year: year) : nil }
    guard (1...12).contains(month), (0...length(of: month, in: year)).contains(day) else {
      return nil
    }
    return PartialDate(year: year, month: month, day: day == 0 ? nil : day)
  }

  private static func named(_ text: Substring) -> PartialDate? {
    let words = text.split { " ,-/.".contains($0) }
    guard (2...3).contains(words.count) else { return nil }
    guard let place = words.firstIndex(where: { month($0) != nil }), let month = month(words[place])
    else { return nil }
    let rest = words.indices.filter { $0 != place }.map { number(words[$0]) }
    guard let year = rest.last ?? nil, year > 31 else { return nil }
    if rest.count == 1 { return sound(year, month, 0) }
    guard let day = rest[0], day > 0 else { return nil }
    return sound(year, month, day)
  }

  private static func month(_ word: Substring) -> Int? {
    guard word.utf8.count >= 3, word.utf8.allSatisfy(isLetter) else { return nil }
    let folded = word.lowercased()
    let found = months.firstIndex { $0.hasPrefix(folded) }
    return found.map { $0 + 1 }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isTime(_ rest: Substring) -> Bool {
    rest.contains(":") && rest.allSatisfy { "T ,:.+-Z0123456789APMapm".contains($0) }
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension PartialDate {
  /// With this between its parts, as precise as it is known.
  func written(_ separator: String) -> String {
    separator == "-" ? description : description.split(separator: "-").joined(separator: separator)
  }

  /// Its first moment in UTC; nil where no day is known.
  var instant: Date? {
    guard let month, let day else { return nil }
    return Date(milliseconds: Int64(Days.since1970(year, month, day)) * 86_400_000)
  }
}

extension Date {
  /// The day in UTC.
  var day: PartialDate {
    let (days, _) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    return Days.date(Int(milliseconds < 0 && milliseconds % 86_400_000 != 0 ? days - 1 : days))
  }
}

/// Days of the calendar by number, so that no time zone has a say.
private enum Days {
  static func since1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  static func date(_ days: Int) -> PartialDate {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let part = (5 * ofYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return PartialDate(
      year: year + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: ofYear - (153 * part + 2) / 5 + 1)
  }
}
