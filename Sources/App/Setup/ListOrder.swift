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
