/// The languages that somebody reads, the best first, as a browser tells them (RFC 9110 §12.5.4).
package struct AcceptedLanguages: Sendable, Hashable {
  package let tags: [String]

  package init(_ field: String?) {
    var weighed: [(tag: String, weight: Double)] = []
    for part in (field ?? "").prefix(500).split(separator: ",") {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let tag = words.first, !tag.isEmpty, tag != "*" else { continue }
      let weight =
        words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      if weight > 0 { weighed.append((tag.lowercased(), weight)) }
    }
    // Of those that are liked alike, the one that is named first: this sort keeps their order.
    tags = weighed.sorted { $0.weight > $1.weight }.map(\.tag)
  }
}

/// In which order somebody reads a day. The words stay those of the pages.
package enum DayOrder: String, Sendable, CaseIterable {
  /// `23 January 2027`
  case dayFirst = "dmy"
  /// `January 23, 2027`
  case monthFirst = "mdy"
  /// `2027-01-23`
  case numbers = "ymd"

  /// By the language that a browser likes best.
  package init(_ languages: AcceptedLanguages) {
    guard let tag = languages.tags.first else {
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
