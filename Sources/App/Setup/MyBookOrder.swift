/// Which of the reader's own books are asked for.
package enum MyBookChoice: Sendable, Hashable {
  /// Everything that is in any state but none.
  case all
  case saved
  case ignored
}

/// What a reader decides about a book without any library.
package struct MyBookOrder: Sendable, Hashable {
  package enum Verb: Sendable, Hashable {
    case save, unsave, ignore, unignore
    /// Puts away a loan or an offer that went by.
    case dismiss
    case rate(Int)
    /// The day, where it is not today.
    case finish(String?)
  }

  package let verb: Verb
  /// A work id, `ACCOUNT:ITEM`, or words of its title.
  package let title: String

  package init(_ verb: Verb, _ title: String) { (self.verb, self.title) = (verb, title) }
}
