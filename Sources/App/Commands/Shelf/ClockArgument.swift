import Arguments

/// Times of the day as `22:00`, in minutes from midnight.
enum ClockArgument {
  static let one = Kind<Int>("TIME", "a time such as 08:00") { minute($0[...]) }

  static let span = Kind<ClosedSpan>("FROM-TO", "two times such as 22:00-07:00") { text in
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = minute(parts[0]), let end = minute(parts[1]), start != end
    else { return nil }
    return ClosedSpan(start: start, end: end)
  }

  struct ClosedSpan: Sendable, Hashable {
    let start: Int
    let end: Int
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}
