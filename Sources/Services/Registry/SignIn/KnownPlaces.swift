import Circulation
import Database

/// Network addresses from which a card has signed in at a library lately. Reading apps keep no cookie:
/// it is by these that a patron's own app is told from strangers who guess at the same number. As a device
/// cookie does, an address ends with another PIN, unlinking and signing out everywhere: an app of a thief who
/// had the PIN signed in from there, too.
enum KnownPlaces {
  /// Milliseconds; what is used stays known.
  static let span: Int64 = 30 * 86_400_000
  /// So that an app which signs in every few minutes writes once a day.
  static let renewal: Int64 = 86_400_000

  /// Rows of before did not say what they end with, and each address is a stranger's once.
  static var tableOfAccounts: [SQL] {
    [
      "DROP TABLE sign_in_place",
      """
      CREATE TABLE sign_in_place (
        mark \(.blob) NOT NULL, authority \(.text) NOT NULL, until \(.integer) NOT NULL,
        account \(.text) NOT NULL, version \(.integer) NOT NULL, epoch \(.integer) NOT NULL,
        PRIMARY KEY (mark, authority))\(.strictTable)
      """,
      "CREATE INDEX sign_in_place_until ON sign_in_place (until)",
      "CREATE INDEX sign_in_place_account ON sign_in_place (account)",
    ]
  }

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
      SELECT s.authority, s.until FROM sign_in_place s
        JOIN account a ON a.id = s.account AND a.library = s.authority AND a.version = s.version
        JOIN patron p ON p.id = a.patron AND p.epoch = s.epoch
      WHERE s.mark = \(mark) AND s.until > \(now) AND s.until <= \(now + KnownPlaces.span)
      """
    ) { row throws(DatabaseError) -> (LibraryID, Int64) in (LibraryID(try row[0]), try row[1]) }
    return Dictionary(rows) { one, _ in one }
  }
}

extension Transaction {
  func knowPlace(
    _ mark: [UInt8], of standing: CardStanding, _ now: Int64
  ) throws(DatabaseError) {
    let until = now + KnownPlaces.span
    try execute("DELETE FROM sign_in_place WHERE until <= \(now)")
    let epoch = try first("SELECT epoch FROM patron WHERE id = \(standing.patron.id.rawValue)") {
      row throws(DatabaseError) -> Int64 in try row[0]
    }
    guard let epoch else { return }
    try execute(
      """
      INSERT INTO sign_in_place (mark, authority, until, account, version, epoch)
      VALUES (\(mark), \(standing.library.rawValue), \(until), \(standing.account.rawValue),
        \(standing.version), \(epoch))
      ON CONFLICT (mark, authority) DO UPDATE SET until = excluded.until,
        account = excluded.account, version = excluded.version, epoch = excluded.epoch
      """)
  }
}
