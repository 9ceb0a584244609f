package import Circulation

/// What is known of a book when it is compared. Made at the edge, from an edition of a catalogue or
/// from a line of somebody's list.
package struct Candidate: Sendable, Hashable {
  package var title: String
  package var subtitle: String?
  /// As they are written: `Le Guin, Ursula K., 1929-2018` and `Ursula K. Le Guin` are one.
  package var authors: [String]
  /// Others with a hand in it. Lists mix them with the authors, so they may meet an author.
  package var contributors: [String] = []
  package var year: Int?
  /// Tags or three-letter codes; several for a bilingual edition.
  package var languages: [String] = []
  package var isbns: [ISBN] = []
  package var identifiers: [ForeignIdentifier] = []
  package var medium: Medium?
  package var series: Series?

  package init(title: String, subtitle: String? = nil, authors: [String] = []) {
    (self.title, self.subtitle, self.authors) = (title, subtitle, authors)
  }

  package init(_ edition: Edition) {
    self.init(title: edition.title, subtitle: edition.subtitle, authors: edition.authors)
    contributors = edition.contributors.filter { $0.role != .author }.map(\.name)
    year = edition.published?.year
    languages = edition.languages
    isbns = edition.isbns + edition.relatedISBNs
    identifiers = edition.identifiers
    medium = edition.medium
    series = edition.series
  }

  /// Nobody writes longer titles or has more authors; the rest is not looked at.
  static let longestText = 600
  static let mostNames = 24
  static let mostNumbers = 64
}
