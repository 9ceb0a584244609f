package import EPUB

/// Where something that was written in one file stands in another.
package enum Anchoring: Sendable, Hashable {
  case exact(BookPlaces.Place)
  /// The file has changed, and the words are found again.
  case moved(BookPlaces.Place)
  /// Nothing but how far through the book it was is left to go by.
  case near(BookPlaces.Place)
  /// The words are not in this edition.
  case lost

  package init(_ annotation: Annotation, in places: BookPlaces, _ reading: inout TextReading) {
    guard let (place, certainty) = places.place(of: annotation.locator, &reading) else {
      self = .lost
      return
    }
    switch certainty {
    case .exact: self = .exact(place)
    case .moved: self = .moved(place)
    // A bookmark is about a place; a highlight is about its words.
    case .approximate: self = annotation.kind == .bookmark ? .near(place) : .lost
    }
  }

  package var place: BookPlaces.Place? {
    switch self {
    case .exact(let place), .moved(let place), .near(let place): place
    case .lost: nil
    }
  }

  package var word: String {
    switch self {
    case .exact: "exact"
    case .moved: "moved"
    case .near: "near"
    case .lost: "lost"
    }
  }
}
