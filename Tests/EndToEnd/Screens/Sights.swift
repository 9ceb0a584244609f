import BrowserSupport
import TestSupport

/// One screen of the pages: what it is called in `docs/screens`, and how one gets there.
struct Sight: Sendable, CustomStringConvertible {
  let name: String
  let way: @Sendable (Scenery) -> String

  init(_ name: String, _ way: @escaping @Sendable (Scenery) -> String) {
    (self.name, self.way) = (name, way)
  }

  var description: String { name }

  /// Before anybody came in.
  static let outside = [Sight("sign-in") { _ in "/sign-in" }]

  /// Of a reader with a loan, a hold and a saved book.
  static let inside = [
    Sight("library") { _ in "/" },
    Sight("lane") { _ in "/lanes/available" },
    Sight("search") { "/search?q=\($0.word)" },
    Sight("search-nothing") { _ in "/search?q=xyzzy+plugh" },
    Sight("book") { $0.book },
    Sight("my-books") { _ in "/my-books" },
    Sight("not-found") { _ in "/no/such/page" },
  ]
}

/// What the screens are made of.
struct Scenery: Sendable {
  /// Below which everything stands.
  let site: String
  /// The path of a book that can be borrowed.
  var book = ""
  /// A word of its title.
  var word = ""
}
