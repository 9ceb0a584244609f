/// What becomes of a reader's lists at one account: what is told, what is kept, and what silence
/// means. Capabilities say what an adapter can do at all; this is what one account is good for.
package struct ListTerms: Sendable, Hashable {
  package enum Extent: String, Sendable, Hashable {
    /// The service knows nothing of it, or says nothing.
    case absent
    case told
    /// Told, and taken from us.
    case kept
  }

  /// Which books stand on which lists.
  package var entries: Extent
  package var ratings: Extent
  package var reviews: Extent
  /// When a book was begun and finished.
  package var dates: Extent
  /// Whether more than the last reading has dates.
  package var severalReadings: Bool
  /// Whether a year, or a year and a month, are a date there.
  package var partialDates: Bool
  /// The order that a reader gave a list.
  package var order: Extent
  /// How far a book is read is one answer, so that going to one state is leaving another.
  package var exclusiveStates: Bool
  /// The step between two ratings; nil where there are none.
  package var ratingStep: Double?
  /// Whether a book that a whole read did not bring has left. Some services hide what they count.
  package var absenceIsProof: Bool
  /// Whether a book, wherever it is met, names all lists that it stands on, and stands on one of
  /// those that exclude each other: then these bring all there is.
  package var tellsAllLists: Bool

  package init(
    entries: Extent, ratings: Extent = .absent, reviews: Extent = .absent, dates: Extent = .absent,
    severalReadings: Bool = false, partialDates: Bool = false, order: Extent = .absent,
    exclusiveStates: Bool = false, ratingStep: Double? = nil, absenceIsProof: Bool = false,
    tellsAllLists: Bool = false
  ) {
    (self.entries, self.ratings, self.reviews, self.dates) = (entries, ratings, reviews, dates)
    (self.severalReadings, self.partialDates) = (severalReadings, partialDates)
    (self.order, self.exclusiveStates, self.ratingStep) = (order, exclusiveStates, ratingStep)
    (self.absenceIsProof, self.tellsAllLists) = (absenceIsProof, tellsAllLists)
  }
}
