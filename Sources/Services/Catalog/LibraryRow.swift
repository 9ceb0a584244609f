import Circulation
import Database

/// How an edition stands in its library's catalogue.
enum EditionState: Int, Storable {
  case listed = 0
  /// The last complete harvest did not meet it; a search still finds it.
  case missing = 1
  /// Out of the search: its provider removed it, or two complete harvests missed it.
  case gone = 2
}

/// What a harvest under way is reading.
enum HarvestKind: String, Storable {
  case whole, changes
  /// Either, but of a page not all could be taken: what is not met has not left.
  case part
}

/// One library's row, with where its harvest stands.
struct LibraryRow: Sendable, Hashable {
  let key: Int64
  var round: Int64
  var underWay: HarvestKind?
  var cursor: HarvestCursor?
  var listed: Int
  var started: Int64?
  var ended: Int64?
  var completed: Int64?
  /// How many editions a catalog that a patron named may have here; nil before its first harvest.
  var room: Int?
  /// How many harvests in a row left something out.
  var cutShort = 0

  /// Whether nobody else has moved the harvest on since `other` was read.
  func standsWhere(_ other: LibraryRow) -> Bool {
    (round, underWay, cursor) == (other.round, other.underWay, other.cursor)
  }
}

extension Snapshot {
  func libraryRow(named library: LibraryID) throws(DatabaseError) -> LibraryRow? {
    guard library.rawValue.isStorable else { return nil }
    return try first(
      """
      SELECT id, round, under_way, cursor, listed, started, ended, completed, room, cut_short
      FROM catalog_library WHERE name = \(library.rawValue)
      """
    ) { row throws(DatabaseError) in
      let cursor: String? = try row[3]
      return LibraryRow(
        key: try row[0], round: try row[1], underWay: try row[2],
        cursor: cursor.map { HarvestCursor($0) }, listed: try row[4], started: try row[5],
        ended: try row[6], completed: try row[7], room: try row[8], cutShort: try row[9])
    }
  }

  func libraryKeys(of libraries: [LibraryID]) throws(DatabaseError) -> [Int64] {
    let names = libraries.map(\.rawValue).filter(\.isStorable)
    return try rows("SELECT id FROM catalog_library WHERE name IN (\(names)) ORDER BY id") {
      row throws(DatabaseError) in try row[0]
    }
  }
}

extension Transaction {
  /// The library's row, made at its first mention; nil for a name that cannot be one.
  func libraryRow(for library: LibraryID) throws(DatabaseError) -> LibraryRow? {
    guard library.rawValue.isStorable else { return nil }
    if let row = try libraryRow(named: library) { return row }
    try execute(
      """
      INSERT INTO catalog_library (name, round, listed) VALUES (\(library.rawValue), 0, 0)
      ON CONFLICT (name) DO NOTHING
      """)
    return try libraryRow(named: library)
  }

  func save(_ row: LibraryRow) throws(DatabaseError) {
    try execute(
      """
      UPDATE catalog_library SET round = \(row.round), under_way = \(row.underWay),
        cursor = \(row.cursor?.value), listed = \(row.listed), started = \(row.started),
        ended = \(row.ended), completed = \(row.completed), room = \(row.room),
        cut_short = \(row.cutShort)
      WHERE id = \(row.key)
      """)
  }
}

extension String {
  /// No database text has a zero byte, so no row is ever named by a string with one.
  var isStorable: Bool { !hasZeroByte }
}
