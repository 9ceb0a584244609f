import Circulation
import Database

/// Network addresses from which a card has signed in at a library lately. Reading apps keep no cookie:
/// it is by these that a patron's own app is told from strangers who guess at the same number.
enum KnownPlaces {
  /// Milliseconds; what is used stays known.
  static let span: Int64 = 30 * 86_400_000
  /// So that an app which signs in every few minutes writes once a day.
  static let renewal: Int64 = 86_400_000

  /// The mark is of the number and the address, so that the table tells neither.
  static var table: [SQL] {
    [
      """
      CREATE TABLE sign_in_place (
        mark \(.blob) NOT NULL, authority \(.text) NOT NULL, until \(.integer) NOT NULL,
        PRIMARY KEY (mark, authority))\(.strictTable)
      """,
      "CREATE INDEX sign_in_place_until ON sign_in_place (until)",
    ]
  }
}

extension Snapshot {
  /// At which libraries the number signed in from there, and until when that is known.
  func knownPlaces(
    _ mark: [UInt8], at now: Int64
  ) throws(DatabaseError) -> [LibraryID: Int64] {
    let rows = try rows(
      """
      SELECT authority, until FROM sign_in_place
      WHERE mark = \(mark) AND until > \(now) AND until <= \(now + KnownPlaces.span)
      """
    ) { row throws(DatabaseError) -> (LibraryID, Int64) in (LibraryID(try row[0]), try row[1]) }
    return Dictionary(rows) { one, _ in one }
  }
}

extension Transaction {
  func knowPlace(
    _ mark: [UInt8], at library: LibraryID, _ now: Int64
  ) throws(DatabaseError) {
    let until = now + KnownPlaces.span
    try execute("DELETE FROM sign_in_place WHERE until <= \(now)")
    try execute(
      """
      INSERT INTO sign_in_place (mark, authority, until)
      VALUES (\(mark), \(library.rawValue), \(until))
      ON CONFLICT (mark, authority) DO UPDATE SET until = \(until)
      """)
  }
}
