/// What shall become of a reader's wishes. Lists go by their name, wishes by their id, their work or
/// words of their title.
package enum WishOrder: Sendable, Hashable {
  /// On this list, which becomes a wish list; nil for the one that is called so.
  case add(WishedBook, to: String?, rule: String?)
  /// All books of a list, those to come too.
  case mark(String, rule: String?)
  /// It is this title, or nil for none that any library has.
  case decide(String, is: String?)
  case remove(String)
  case unmark(String)
}

/// A book as its reader names it.
package struct WishedBook: Sendable, Hashable {
  package let title: String
  package let authors: [String]
  package let isbn: String?

  package init(title: String, authors: [String], isbn: String?) {
    (self.title, self.authors, self.isbn) = (title, authors, isbn)
  }
}

package enum WishQuery: Sendable, Hashable {
  case all
  case on(list: String)
  /// Those that may be one of several works.
  case unsure
  case one(String)
}
