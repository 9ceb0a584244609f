package import Circulation
package import Database

extension Positions {
  /// Where a reader is in which book, and what they wrote there.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let mine: SQL = "patron = \(leaver.patron.rawValue)"
    return .each("places in books", of: ["reading_place", "reading_document"], where: mine)
      + [
        Removal("bookmarks and notes", from: "reading_annotation", where: mine),
        Removal("tastes", from: "reading_taste", where: mine),
        Removal("ratings", from: "reading_rating", where: mine),
      ]
  }
}
