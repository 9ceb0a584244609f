import FoundationEssentials
import Machine

/// Days at the library: what is good "until the third" is good until that day ends by the library's
/// clocks, and no day is ever taken for a midnight elsewhere.
struct LibraryCalendar: Sendable {
  /// Nil for where the gateway stands.
  let zone: Zone?

  func day(of moment: Date) -> CivilDate {
    let seconds = Int64(moment.timeIntervalSince1970.rounded(.down))
    let local = seconds + Int64(east(at: seconds))
    return CivilDate(daysSinceEpoch: local >= 0 ? local / 86_400 : -((-local + 86_399) / 86_400))
  }

  /// The last second of it.
  func end(of day: CivilDate) -> Date {
    let local = (day.daysSinceEpoch + 1) * 86_400 - 1
    // Twice, since the first guess may lie on the other side of a change of the clocks.
    let near = local - Int64(east(at: local))
    return Date(timeIntervalSince1970: Double(local - Int64(east(at: near))))
  }

  /// Its first second.
  func start(of day: CivilDate) -> Date {
    end(of: CivilDate(daysSinceEpoch: day.daysSinceEpoch - 1)).addingTimeInterval(1)
  }

  private func east(at seconds: Int64) -> Int {
    let moment = Timestamp(secondsSinceEpoch: seconds)
    return zone?.secondsEast(at: moment) ?? LocalTime.secondsEast(at: moment)
  }
}

extension CivilDate {
  /// As `2026-03-24`.
  var text: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// The first ten signs as a day; a time behind them does not move it.
  init?(written text: String) {
    let bytes = Array(text.utf8.prefix(10))
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(String(decoding: bytes[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }
}
