import BackOffice
import Catalog
import Circulation
import Database
import Downloads
import Registry
import Safekeeping

extension House {
  /// What readers can take along, in the order in which it can be taken in again.
  static let takeout = Takeout(
    [
      .init("readers", "patron", leaving: ["epoch"]),
      // Marks made with the vault's keys mean nothing elsewhere.
      .init("cards", "account", leaving: ["card_index", "pin_verified"]),
      .init("libraries", "catalog_library"),
      .init("works", "catalog_work"),
      .init("editions", "catalog_edition"),
      .init("editions", "catalog_record"),
      .init("editions", "catalog_face"),
      .init("editions", "catalog_availability"),
      .init("shelves", "book", leaving: ["id"]),
      .init("loans", "desk_loan"),
      .init("holds", "desk_hold"),
      .init("history", "book_verdict"),
      .init("notes", "reading_annotation"),
      .init("notes", "reading_rating"),
      .init("progress", "reading_place"),
      .init("progress", "reading_document"),
      .init("lists", "reading_list"),
      .init("lists", "reading_list_member"),
      .init("wishes", "wish_list"),
      .init("wishes", "wish"),
      .init("rules", "desk_pace"),
      .init("rules", "desk_not_before"),
      .init("rules", "desk_rest"),
      .init("rules", "reading_taste"),
      .init("rules", "profile_genre"),
      .init("rules", "profile_tongue"),
      .init("files", "book_file"),
      .init("files", "book_holder"),
    ], leavingOut: Catalog.ownTables.union([KeyTableRow.table]))

  /// Of a house that has a catalogue these stay as they are.
  static let takenCatalogue: Set<String> = [
    "catalog_library", "catalog_work", "catalog_edition", "catalog_record", "catalog_face",
    "catalog_availability",
  ]

  /// What there is of these readers: what would go if they were forgotten. Of the catalogue all, or
  /// what their books and lists are about.
  static func rows(
    of patrons: [PatronID], wholeCatalogue: Bool, _ snapshot: Snapshot
  ) throws(DatabaseError) -> [Removal] {
    var rows: [Removal] = []
    for patron in patrons {
      guard let (leaver, _) = try snapshot.leaver(patron) else { continue }
      rows += Purge.removals(of: leaver).filter { $0.table != "book_file" }
    }
    return rows + Catalog.takings(of: wholeCatalogue ? nil : patrons)
      + [DownloadQueue.takings(of: patrons)]
  }
}
