/// In which order somebody reads a day. The words stay those of the pages.
package enum DayOrder: String, Sendable, CaseIterable {
  /// `23 January 2027`
  case dayFirst = "dmy"
  /// `January 23, 2027`
  case monthFirst = "mdy"
  /// `2027-01-23`
  case numbers = "ymd"

  /// By the language that a browser likes best (RFC 9110 §12.5.4).
  package init(acceptLanguage field: String?) {
    var best: (tag: Substring, weight: Double)?
    for part in (field ?? "").prefix(500).split(separator: ",") {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let tag = words.first, !tag.isEmpty, tag != "*" else { continue }
      let weight =
        words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      if weight > best?.weight ?? 0 { best = (Substring(tag.lowercased()), weight) }
    }
    guard let tag = best?.tag else {
      self = .dayFirst
      return
    }
    if ["en-us", "en-ph", "es-us"].contains(tag) {
      self = .monthFirst
    } else if Self.yearFirst.contains(tag.prefix { $0 != "-" }) || tag == "en-ca" {
      self = .numbers
    } else {
      self = .dayFirst
    }
  }

  /// Languages whose readers write the year first.
  private static let yearFirst: Set<Substring> = [
    "eo", "eu", "hu", "ja", "ko", "lt", "mn", "se", "sv", "zh",
  ]
}
