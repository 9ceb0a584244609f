/// What shall become of a list of the reader's. Lists are named by their name or their id.
package enum ListOrder: Sendable, Hashable {
  case create(String, sharing: String, curator: String?)
  case rename(String, to: String)
  /// Nil for the curator makes it a list like any other.
  case share(String, with: String, curator: String?)
  case delete(String)
}

/// What shall become of a book on a list.
package enum ListBookOrder: Sendable, Hashable {
  case add(String, to: String, note: String?)
  case remove(String, from: String)

  package var list: String {
    switch self {
    case .add(_, let list, _), .remove(_, let list): list
    }
  }
}

/// A file of books that some other program wrote.
package struct ShelfFileOrder: Sendable, Hashable {
  package enum Effect: Sendable, Hashable {
    case taken
    /// Nothing is changed; it is only counted what would be.
    case counted
  }

  package let bytes: [UInt8]
  /// Made where there is none of that name.
  package let list: String
  /// Nil takes all.
  package let shelf: String?
  /// Nil finds out.
  package let format: String?
  package let effect: Effect

  package init(
    _ bytes: [UInt8], onto list: String, shelf: String?, format: String?, effect: Effect
  ) {
    (self.bytes, self.list, self.shelf) = (bytes, list, shelf)
    (self.format, self.effect) = (format, effect)
  }
}
