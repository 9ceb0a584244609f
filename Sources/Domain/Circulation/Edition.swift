/// One item as a provider lists it, before it is merged with its like into a work.
package struct Edition: Sendable, Hashable {
  package let item: ItemID
  package var title: String { didSet { title = title.limited(to: TextLimit.title) } }
  package var subtitle: String? { didSet { subtitle = subtitle?.limited(to: TextLimit.title) } }
  /// Other names of it: the original's, a short one, one that everybody uses.
  package var alternativeTitles: [String] {
    didSet { alternativeTitles = alternativeTitles.limited(to: TextLimit.title) }
  }
  package var sortTitle: String? { didSet { sortTitle = sortTitle?.limited(to: TextLimit.title) } }
  package var contributors: [Contributor]
  package var series: Series?
  package var medium: Medium
  /// Primary subtags, as in BCP 47, in the provider's order.
  package var languages: [String]
  package var subjects: [String] { didSet { subjects = subjects.limited(to: TextLimit.name) } }
  package var audience: Audience?
  /// The publisher's text as it came: markup of unknown make. Whoever shows it rebuilds it.
  package var summary: String? { didSet { summary = summary?.limited(to: TextLimit.summary) } }
  package var publisher: String? { didSet { publisher = publisher?.limited(to: TextLimit.name) } }
  package var published: PartialDate?
  /// This edition's own, normalised and with a right check digit.
  package var isbns: [ISBN]
  /// Of other manifestations, the print one say: good for matching, not this edition's own.
  package var relatedISBNs: [ISBN]
  package var identifiers: [ForeignIdentifier]
  package var formats: [Format]
  package var covers: Covers
  package var samples: [String]
  /// Higher is better liked; comparable within one provider only.
  package var popularity: Double?
  package var added: String?
  /// What may be done with it, in the provider's words.
  package var rights: String? { didSet { rights = rights?.limited(to: TextLimit.summary) } }
  /// Nil where the provider does not say; false where it lists what the library does not own.
  package var owned: Bool?

  package init(item: ItemID, title: String) {
    self.item = item
    self.title = title.limited(to: TextLimit.title)
    alternativeTitles = []
    contributors = []
    medium = .book
    languages = []
    subjects = []
    isbns = []
    relatedISBNs = []
    identifiers = []
    formats = []
    covers = Covers()
    samples = []
  }

  /// Lent as copies on paper, to be fetched at a branch.
  package var isPaper: Bool { formats.contains { $0.content == .paper } }

  package var authors: [String] {
    contributors.filter { $0.role == .author }.map(\.name)
  }
}

/// A person or body with a hand in the edition.
package struct Contributor: Sendable, Hashable {
  package enum Role: String, Sendable, Hashable, CaseIterable {
    case author, narrator, editor, illustrator, translator, photographer, adapter, composer
    case performer, director, producer, artist, compiler
    case authorOfIntroduction = "author_of_introduction"
    case contributor
  }

  package let name: String
  package let sortName: String?
  package let role: Role
  /// Years in astronomical count, where 0 is the year before 1: who was born in 100 BCE has −99.
  package let born: Int?
  package let died: Int?

  package init(
    name: String, sortName: String? = nil, role: Role, born: Int? = nil, died: Int? = nil
  ) {
    self.name = name.limited(to: TextLimit.name)
    self.sortName = sortName?.limited(to: TextLimit.name)
    self.role = role
    (self.born, self.died) = (born, died)
  }
}

/// Where the edition stands in a series. Positions such as 2.5 exist; many are missing.
package struct Series: Sendable, Hashable {
  package let name: String
  package let position: Double?

  package init(name: String, position: Double? = nil) {
    self.name = name.limited(to: TextLimit.name)
    self.position = position
  }
}

package enum Medium: String, Sendable, Hashable, CaseIterable {
  case book, audiobook, comic, magazine, music, video, other
}

package enum Audience: String, Sendable, Hashable, CaseIterable {
  case children
  case youngAdult = "young_adult"
  case adult
}

/// A catalogue's date of publication: a calendar date that must not move with a time zone.
package struct PartialDate: Sendable, Hashable, CustomStringConvertible {
  package let year: Int
  package let month: Int?
  package let day: Int?

  package init(year: Int, month: Int? = nil, day: Int? = nil) {
    self.year = year
    self.month = month
    self.day = month == nil ? nil : day
  }

  /// What `description` writes.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard (1...3).contains(parts.count), numbers.count == parts.count, numbers[0] > 0,
      numbers.count < 2 || (1...12).contains(numbers[1]),
      numbers.count < 3 || (1...31).contains(numbers[2])
    else { return nil }
    self.init(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : nil,
      day: numbers.count > 2 ? numbers[2] : nil)
  }

  /// As precise as it is known: `1813`, `1813-01` or `1813-01-28`.
  package var description: String {
    let parts = [padded(year, to: 4)] + [month, day].compactMap { $0.map { padded($0, to: 2) } }
    return parts.joined(separator: "-")
  }

  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(abs(number))
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}

/// A name for the same thing in somebody else's scheme.
package struct ForeignIdentifier: Sendable, Hashable {
  /// In lower case: `asin`, `oclc`, `lccn`, `doi`, `upc` and what else a provider brings.
  package let scheme: String
  package let value: String

  package init(scheme: String, value: String) { (self.scheme, self.value) = (scheme, value) }
}

/// Addresses of cover pictures; absent where the provider only has a stand-in.
package struct Covers: Sendable, Hashable {
  package var large: String?
  package var small: String?

  package init(large: String? = nil, small: String? = nil) {
    (self.large, self.small) = (large, small)
  }
}
