package import Circulation
package import Database

extension ReadingLists {
  /// A reader's lists, those that others may see among them.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let lists: SQL = """
      list IN (SELECT id FROM reading_list WHERE patron = \(leaver.patron.rawValue))
      """
    return [
      Removal("matches of books on lists", from: "reading_list_match", where: lists),
      Removal("books on lists", from: "reading_list_member", where: lists),
      Removal(
        "lists", from: "reading_list", where: "patron = \(leaver.patron.rawValue)"),
    ]
  }
}
