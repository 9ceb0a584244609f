package import Circulation
package import Database

/// A book as it stands on one of many lists: what whoever follows lists needs, and no more.
package struct StandingBook: Sendable, Hashable {
  package let list: ListID
  package let patron: PatronID
  /// Its word on the list.
  package let member: String
  package let work: WorkID?
  package let title: String
  package let authors: [String]
  package let isbns: [ISBN]
}

extension Snapshot {
  /// All books of these lists, in the order of the lists and of their places. A list that was deleted
  /// has none.
  package func standing(on lists: [ListID]) throws(DatabaseError) -> [StandingBook] {
    var found: [StandingBook] = []
    for list in lists {
      found += try rows(
        """
        SELECT l.patron, m.id, m.work, m.title, m.authors, m.isbns
        FROM reading_list_member m JOIN reading_list l ON l.id = m.list
        WHERE m.list = \(list.rawValue) ORDER BY m.place, m.id\(.bytewise)
        """
      ) { row throws(DatabaseError) in
        let work: String? = try row[2]
        return StandingBook(
          list: list, patron: PatronID(try row[0]), member: try row[1],
          work: work.map { WorkID($0) }, title: try row[3], authors: Words.parts(try row[4]),
          isbns: Words.parts(try row[5]).compactMap { ISBN($0) })
      }
    }
    return found
  }
}
