import Circulation

/// The formats of the wire and what each means for a reader (§11). Every one binds the loan for good.
enum Formats {
  static let epub = Format(id: "ePub", content: .epub, protection: .adobe, locksLoan: true)
  static let pdf = Format(id: "PDF", content: .pdf, protection: .adobe, locksLoan: true)
  static let axisNow = Format(
    id: "AxisNow", content: .epub, protection: .vendorApp, locksLoan: true)
  static let acoustik = Format(
    id: "Acoustik", content: .audiobook, protection: .vendorApp, locksLoan: true)

  /// Nil for a word that nobody knows.
  static func named(_ word: String) -> Format? {
    switch word.lowercased() {
    case "epub": epub
    case "pdf": pdf
    // The old name of the same thing (§12.9).
    case "axisnow", "blio": axisNow
    case "acoustik": acoustik
    default: nil
    }
  }

  /// In the order given, each once. Next to Acoustik, AxisNow is no second way to hear a book.
  static func all(_ words: [String]) -> [Format] {
    var formats: [Format] = []
    for format in words.compactMap(named) where !formats.contains(format) {
      formats.append(format)
    }
    return formats.contains(acoustik) ? formats.filter { $0 != axisNow } : formats
  }

  /// What can be carried to a reading program of the reader's choice, then what stays in the
  /// vendor's own.
  static func preferred(among formats: [Format]) -> Format? {
    [epub, pdf, axisNow, acoustik].first { formats.contains($0) }
  }
}
