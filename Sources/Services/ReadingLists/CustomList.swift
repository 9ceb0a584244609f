package import Circulation
package import Database

/// A list that a reader keeps here.
package struct CustomList: Sendable, Hashable {
  package let id: ListID
  package let patron: PatronID
  package let name: String
  package let count: Int
  package let sharing: Sharing
  /// Whose name it goes by, where it is a librarian's; nil for a reader's own.
  package let curator: String?
  /// Who keeps it elsewhere, where it was brought from a friend of the reader's there.
  package let friend: String?
  /// Instants are milliseconds since 1970.
  package let madeAt: Int64
  /// When the list or anything on it last changed.
  package let editedAt: Int64
  /// One more with every change.
  package let version: Int64
}

/// What is said of a book on a list.
package struct ListedBook: Sendable, Hashable {
  /// The work, where the catalogue has one.
  package var work: WorkID?
  package var title: String
  package var authors: [String]
  package var isbns: [ISBN]
  package var note: String?
  /// What a service or a file told of it; nil for what was put here by hand.
  package var entry: KeptEntry?

  package init(
    work: WorkID?, title: String, authors: [String] = [], isbns: [ISBN] = [], note: String? = nil,
    entry: KeptEntry? = nil
  ) {
    (self.work, self.title, self.authors) = (work, title, authors)
    (self.isbns, self.note, self.entry) = (isbns, note, entry)
  }
}

/// A book at its place on a list.
package struct ListMember: Sendable, Hashable {
  /// A word for addresses, the same as long as the book is on the list.
  package let id: String
  package let list: ListID
  package let book: ListedBook
  /// From 1, in the reader's order.
  package let place: Int
  package let addedAt: Int64
  package let editedAt: Int64
  package let version: Int64
  /// What the catalogue makes of a book that came without a work.
  package var recognized: Recognized?

  package enum Recognized: Sendable, Hashable {
    case sure(WorkID)
    case unsure
    case none
  }

  /// The work, however it is known.
  package var work: WorkID? {
    if let work = book.work { return work }
    guard case .sure(let work) = recognized else { return nil }
    return work
  }
}

package enum ListError: Error, Sendable, Hashable {
  case database(DatabaseError)
  case noSuchList
  case noSuchMember
  case nameTaken(String)
  case badName
  /// A title, a note or the list itself is longer than any reader's.
  case tooLong
  /// The patron has as many lists, or entries on all of them, as this gateway stores.
  case tooManyLists(most: Int)
  case tooManyEntries(most: Int)
  /// Somebody else changed it since the version that was named.
  case changedSince(version: Int64)
}

extension ListError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .database(let error): error.description
    case .noSuchList: "there is no such list"
    case .noSuchMember: "the list has no such book"
    case .nameTaken(let name): "another list is called \(name)"
    case .badName: "a list needs a name of at most 200 letters"
    case .tooLong: "the list, or what is said of the book, is too long"
    case .tooManyLists(let most): "this gateway stores at most \(most) lists for a patron"
    case .tooManyEntries(let most):
      "this gateway stores at most \(most) entries on all lists of a patron"
    case .changedSince: "it was changed by somebody else meanwhile"
    }
  }
}
