package import JSON

/// One of the reader's own lists.
package struct ReadingListItem: Sendable, Hashable {
  package let id: String
  package let name: String
  package let books: Int
  /// Who may see it: private, friends or everyone.
  package let sharing: String
  /// Whose name it goes by, where it is a librarian's.
  package let curator: String?
  package let editedAt: String

  package init(
    id: String, name: String, books: Int, sharing: String, curator: String?, editedAt: String
  ) {
    (self.id, self.name, self.books) = (id, name, books)
    (self.sharing, self.curator, self.editedAt) = (sharing, curator, editedAt)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "name": .string(name), "books": .integer(books),
      "sharing": .string(sharing), "curator": JSONValue(curator), "edited_at": .string(editedAt),
    ]
  }
}

/// A book on a list.
package struct ListedBookItem: Sendable, Hashable {
  package let id: String
  package let list: String
  package let place: Int
  package let title: String
  package let authors: [String]
  package let isbns: [String]
  /// Nil where no library of the reader had it when it came to the list.
  package let work: String?
  package let note: String?
  package let addedAt: String
  /// Whether several works may be meant, or one may not.
  package var isUnsure = false
  /// What a file or a service told of it; nothing for a book that was put here by hand.
  package let told: Told

  package struct Told: Sendable, Hashable {
    package var rating: Double?
    package var review: String?
    /// As precise as it is known.
    package var readAt: [String] = []
    /// How far the reader is, then further shelves.
    package var shelves: [String] = []

    package init() {}
  }

  package init(
    id: String, list: String, place: Int, title: String, authors: [String], isbns: [String],
    work: String?, note: String?, addedAt: String, told: Told = Told()
  ) {
    (self.id, self.list, self.place, self.title) = (id, list, place, title)
    (self.authors, self.isbns, self.work) = (authors, isbns, work)
    (self.note, self.addedAt, self.told) = (note, addedAt, told)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "list": .string(list), "place": .integer(place),
      "title": .string(title), "authors": .array(authors.map(JSONValue.string)),
      "isbns": .array(isbns.map(JSONValue.string)), "work": JSONValue(work),
      "match": .string(work == nil ? (isUnsure ? "unsure" : "none") : "matched"),
      "note": JSONValue(note),
      "rating": told.rating.map { JSONValue($0) } ?? .null, "review": JSONValue(told.review),
      "read_at": .array(told.readAt.map(JSONValue.string)),
      "shelves": .array(told.shelves.map(JSONValue.string)), "added_at": .string(addedAt),
    ]
  }
}
