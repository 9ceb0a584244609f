/// Something to be written in a book.
package struct AnnotationOrder: Sendable {
  package enum Kind: String, Sendable, Hashable, CaseIterable { case bookmark, highlight, note }

  package enum Place: Sendable, Hashable {
    /// Through the book, from 0 to 100.
    case percent(Double)
    /// An EPUB CFI.
    case steps(String)
    /// The first place where these words stand.
    case words(String)
  }

  package let kind: Kind
  package let book: BookSource
  package let place: Place
  package var note: String?
  package var tags: [String] = []
  /// What opens the book, where it is locked and nothing that is kept does.
  package var key: LockKey?

  package init(_ kind: Kind, in book: BookSource, at place: Place) {
    (self.kind, self.book, self.place) = (kind, book, place)
  }
}

/// Which of what was written: of some kinds, in one book or in all.
package struct AnnotationChoice: Sendable {
  package let kinds: Set<AnnotationOrder.Kind>
  package let book: BookSource?
  /// Words of the book's title.
  package var title: String?
  package var tag: String?
  package var key: LockKey?

  package init(_ kinds: Set<AnnotationOrder.Kind>, in book: BookSource? = nil) {
    (self.kinds, self.book) = (kinds, book)
  }
}
