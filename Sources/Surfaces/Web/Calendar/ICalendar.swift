import Crypto
package import Machine

/// Something that falls on a day or on a moment, for a reader's own calendar.
package struct CalendarEvent: Sendable, Hashable {
  package enum When: Sendable, Hashable {
    case day(CivilDate)
    case moment(Timestamp)
  }

  /// Names it for good: the same one tomorrow, and after its date has moved.
  package let key: [String]
  package let summary: String
  package var details: String?
  package var location: String?
  package let when: When
  /// When it was last heard of.
  package var heardAt: Timestamp

  package init(key: [String], summary: String, when: When, heardAt: Timestamp) {
    (self.key, self.summary, self.when, self.heardAt) = (key, summary, when, heardAt)
  }
}

/// Events as iCalendar (RFC 5545) writes them.
package enum ICalendar {
  package static func text(_ events: [CalendarEvent], named name: String) -> String {
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Carrel//Carrel//EN", "CALSCALE:GREGORIAN",
      // RFC 7986 has a word for the name; most programs read the older one.
      "NAME:" + escaped(name), "X-WR-CALNAME:" + escaped(name),
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ]
    for event in events { lines += self.lines(event) }
    lines.append("END:VCALENDAR")
    return lines.map { folded($0) + "\r\n" }.joined()
  }

  private static func lines(_ event: CalendarEvent) -> [String] {
    var lines = [
      "BEGIN:VEVENT", "UID:" + identity(event.key), "DTSTAMP:" + moment(event.heardAt),
    ]
    switch event.when {
    case .day(let date):
      let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
      lines += ["DTSTART;VALUE=DATE:" + day(date), "DTEND;VALUE=DATE:" + day(next)]
    case .moment(let moment): lines.append("DTSTART:" + self.moment(moment))
    }
    lines.append("SUMMARY:" + escaped(event.summary))
    if let details = event.details { lines.append("DESCRIPTION:" + escaped(details)) }
    if let location = event.location { lines.append("LOCATION:" + escaped(location)) }
    // A due date keeps nobody busy, and is nobody else's business.
    return lines + ["TRANSP:TRANSPARENT", "CLASS:PRIVATE", "END:VEVENT"]
  }

  /// Says nothing of what it is made from. Each part is preceded by its length, so that no two keys
  /// are the same text.
  private static func identity(_ key: [String]) -> String {
    let text = key.map { "\($0.utf8.count):\($0)" }.joined()
    return Hex.encode(Array(Digest.sha256.hash(text).prefix(16))) + "@carrel"
  }

  /// Backslash, semicolon and comma are marked, a new line is written as `\n`; no other control has a
  /// place in a text (RFC 5545 §3.3.11).
  static func escaped(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",":
        out.append("\\")
        out.append(scalar)
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": out += "\\n".unicodeScalars
      case "\t": out.append(" ")
      default: if scalar.properties.generalCategory != .control { out.append(scalar) }
      }
      previous = scalar
    }
    return String(out)
  }

  /// Lines of at most 75 octets, broken between characters; what follows begins with a blank that
  /// counts.
  static func folded(_ line: String) -> String {
    guard line.utf8.count > 75 else { return line }
    var out = String.UnicodeScalarView()
    var used = 0
    for scalar in line.unicodeScalars {
      let width = String(scalar).utf8.count
      if used + width > 75 {
        out += "\r\n ".unicodeScalars
        used = 1
      }
      out.append(scalar)
      used += width
    }
    return String(out)
  }

  private static func day(_ date: CivilDate) -> String {
    padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2)
  }

  private static func moment(_ moment: Timestamp) -> String {
    let seconds = moment.secondsSinceEpoch
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = Int(seconds - days * 86_400)
    let time = padded(rest / 3600, 2) + padded(rest / 60 % 60, 2) + padded(rest % 60, 2)
    return day(CivilDate(daysSinceEpoch: days)) + "T" + time + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(max(0, number))
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
