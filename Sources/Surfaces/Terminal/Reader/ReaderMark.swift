package import EPUB

/// A bookmark, or words that a reader marked, with what they had to say to it.
package struct ReaderMark: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable { case bookmark, highlight, note }

  /// Empty for a new one, until it is kept.
  package var id: String
  package let kind: Kind
  package let locator: Locator
  package let note: String?
  /// Where that is in this book, if it is in it.
  package let place: BookPlaces.Place?

  package init(
    id: String = "", _ kind: Kind, _ locator: Locator, note: String? = nil,
    place: BookPlaces.Place?
  ) {
    (self.id, self.kind, self.locator) = (id, kind, locator)
    (self.note, self.place) = (note, place)
  }
}
