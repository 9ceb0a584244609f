package import Circulation
package import Database

extension MyBooks {
  /// What is kept of a reader's books.
  package static func removals(of leaver: Leaver) -> [Removal] {
    .each(
      "books", of: ["book", "book_verdict"], where: "patron = \(leaver.patron.rawValue)")
  }
}
