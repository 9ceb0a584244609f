import Circulation
import Database

/// How many catalogs patrons may link by their addresses: each fills tables and takes time that all
/// patrons share.
package enum CatalogLimit: Sendable, Hashable {
  /// At once.
  case linked
  /// In 24 hours, those counted that were unlinked since.
  case named

  package var count: Int {
    switch self {
    case .linked: 10
    case .named: 30
    }
  }

  static let span: Int64 = 24 * 3_600_000

  /// When each patron linked a catalog by its address, for a day.
  static var table: [SQL] {
    [
      """
      CREATE TABLE registry_naming (
        id \(.countedKey), patron \(.text) NOT NULL REFERENCES patron (id),
        made_at \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX registry_naming_patron ON registry_naming (patron)",
    ]
  }
}

extension Transaction {
  /// Counts one more catalog of this patron's own, or says which limit it would be beyond.
  func nameCatalog(
    _ library: LibraryID, by patron: PatronID, at now: Int64
  ) throws(DatabaseError) -> CatalogLimit? {
    let linked: Int = try value(
      """
      SELECT count(DISTINCT library) FROM account WHERE patron = \(patron.rawValue)
        AND library LIKE '%://%' AND library <> \(library.rawValue)
      """)
    if linked >= CatalogLimit.linked.count { return .linked }
    // What lies ahead was written by a clock that was ahead.
    try execute(
      """
      DELETE FROM registry_naming WHERE patron = \(patron.rawValue)
        AND (made_at <= \(now - CatalogLimit.span) OR made_at > \(now + CatalogLimit.span))
      """)
    let named: Int = try value(
      "SELECT count(*) FROM registry_naming WHERE patron = \(patron.rawValue)")
    if named >= CatalogLimit.named.count { return .named }
    try execute(
      "INSERT INTO registry_naming (patron, made_at) VALUES (\(patron.rawValue), \(now))")
    return nil
  }
}
