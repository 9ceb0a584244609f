package import Circulation
package import Database

extension Catalog {
  /// The words that editions are found by, which each engine keeps in a form of its own: they are made
  /// anew from the records and never carried.
  package static let ownTables: Set<String> = ["catalog_words"]

  /// After rows came from another database: their words are made anew, by the next start or harvest,
  /// and stamps that are ahead of this database's own would hide changes from shelf lists.
  package static func settle(_ tx: Transaction) throws(DatabaseError) {
    try tx.execute(
      """
      UPDATE catalog_pulse SET indexed_by = 0, renewing = 0, renewed_to = 0, purged_to = 0
      WHERE EXISTS (SELECT 1 FROM catalog_edition)
      """)
    switch tx.dialect {
    case .sqlite:
      try tx.execute(
        """
        UPDATE catalog_pulse SET stamp = (SELECT max(stamp) FROM catalog_face)
        WHERE stamp < (SELECT max(stamp) FROM catalog_face)
        """)
    case .postgres:
      try tx.execute("UPDATE catalog_face SET stamp = txid_current() WHERE stamp > txid_current()")
    }
  }
}

extension Catalog {
  /// What readers take along of the catalogue: what their books and lists are about. Nil for all of it.
  package static func takings(of readers: [PatronID]?) -> [Removal] {
    var (editions, works): (SQL, SQL) = ("TRUE", "TRUE")
    var items: SQL = "TRUE"
    if let readers {
      let names = readers.map(\.rawValue)
      let own: SQL = """
        SELECT e.id FROM catalog_edition e JOIN catalog_library l ON l.id = e.library
        WHERE EXISTS (SELECT 1 FROM book b
            WHERE b.library = l.name AND b.item = e.item AND b.patron IN (\(names)))
          OR EXISTS (SELECT 1 FROM reading_list_member m JOIN reading_list r ON r.id = m.list
            WHERE r.patron IN (\(names)) AND m.work = 'w' || CAST(e.work AS TEXT))
        """
      editions = own
      works = "id IN (SELECT work FROM catalog_edition WHERE id IN (\(own)))"
      items = """
        EXISTS (SELECT 1 FROM catalog_edition o WHERE o.id IN (\(own))
          AND o.library = catalog_availability.library AND o.item = catalog_availability.item)
        """
      return taken(
        editions: "id IN (\(editions))", of: "edition IN (\(editions))", works: works, items: items)
    }
    return taken(editions: editions, of: editions, works: works, items: items)
  }

  private static func taken(editions: SQL, of: SQL, works: SQL, items: SQL) -> [Removal] {
    [
      Removal("libraries", from: "catalog_library", where: "TRUE"),
      Removal("works", from: "catalog_work", where: works),
      Removal("editions", from: "catalog_edition", where: editions),
      Removal("editions", from: "catalog_record", where: of),
      Removal("editions", from: "catalog_face", where: of),
      Removal("copies", from: "catalog_availability", where: items),
    ]
  }

  /// After a catalogue came along: numbers go on behind its own, and its editions are matched and
  /// indexed as those of an older program would be.
  package static func settleTaken(_ tx: Transaction) throws(DatabaseError) {
    try tx.execute(
      """
      UPDATE catalog_counter SET
        next_edition = (SELECT COALESCE(max(id), 0) + 1 FROM catalog_edition),
        next_work = (SELECT COALESCE(max(id), 0) + 1 FROM catalog_work)
      """)
    try tx.execute("UPDATE catalog_matching SET version = 0")
    try tx.execute("UPDATE catalog_pulse SET described_by = 0")
    try settle(tx)
  }
}
