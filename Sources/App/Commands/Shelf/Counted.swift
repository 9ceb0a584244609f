import TextSafety

/// A count with its word: `1 loan`, `2 loans`, `1 of 12 loans`.
enum Counted {
  static func text(_ count: Int, of limit: Int? = nil, _ word: String) -> String {
    guard let limit else { return "\(count) \(word)" + (count == 1 ? "" : "s") }
    return "\(count) of \(limit) \(word)" + (limit == 1 ? "" : "s")
  }

  /// `1,923,035`
  static func grouped(_ number: Int) -> String {
    let digits = String(number)
    return digits.enumerated().map { place, digit in
      (place > 0 && (digits.count - place) % 3 == 0 ? "," : "") + String(digit)
    }.joined()
  }
}

/// What is said where nothing is linked that could be shown.
enum Nothing {
  static let noCard: TerminalText =
    "No card is linked yet.\ntry: carrel provider list, then carrel link PROVIDER\n"
}
