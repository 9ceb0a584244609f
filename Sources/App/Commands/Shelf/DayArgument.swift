import Arguments
import Machine

extension Kind where Value == CivilDate {
  /// As in 2026-12-24.
  static var day: Kind {
    Kind("DATE", "a day such as 2026-12-24") { text in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.utf8.count) == [4, 2, 2],
        parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
      else { return nil }
      return CivilDate(year: year, month: month, day: day)
    }
  }
}
