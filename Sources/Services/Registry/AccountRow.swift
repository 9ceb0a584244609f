package import Circulation
package import Database

/// An account as it is kept, with what its readers are not told.
struct AccountRow: Sendable {
  let account: Account
  /// Nil where it was never noted whether the library found the PIN right.
  let pinVerified: Bool?
  var version: Int64 { account.version }

  static let columns: SQL = """
    id, patron, name, provider, library, card_ending, status, linked_at, last_good_sync,
    loan_limit, hold_limit, version, pin_verified
    """

  /// The same where the account is joined as `a`.
  static let joinedColumns: SQL = """
    a.id, a.patron, a.name, a.provider, a.library, a.card_ending, a.status, a.linked_at,
    a.last_good_sync, a.loan_limit, a.hold_limit, a.version, a.pin_verified
    """

  init(_ row: borrowing Row) throws(DatabaseError) {
    account = Account(
      id: AccountID(rawValue: try row[0]), patron: PatronID(rawValue: try row[1]),
      name: try row[2], provider: ProviderID(rawValue: try row[3]),
      library: LibraryID(rawValue: try row[4]), cardEnding: try row[5], status: try row[6],
      linkedAt: try row[7], lastGoodSync: try row[8], loanLimit: try row[9],
      holdLimit: try row[10], version: try row[11])
    pinVerified = try row[12]
  }
}

extension Snapshot {
  /// In the order they were linked.
  package func accounts(of patron: PatronID) throws(DatabaseError) -> [Account] {
    try rows(
      """
      SELECT \(AccountRow.columns) FROM account WHERE patron = \(patron.rawValue)
      ORDER BY linked_at, folded_name\(.bytewise)
      """
    ) { row throws(DatabaseError) in try AccountRow(row).account }
  }

  package func isLinked(_ account: AccountID) throws(DatabaseError) -> Bool {
    try self.account(account) != nil
  }

  func account(_ id: AccountID) throws(DatabaseError) -> AccountRow? {
    try first("SELECT \(AccountRow.columns) FROM account WHERE id = \(id.rawValue)") {
      row throws(DatabaseError) in try AccountRow(row)
    }
  }

  /// The other account of the patron that has this card at this library.
  func account(
    withCard index: [UInt8]?, at library: LibraryID, of provider: ProviderID, patron: PatronID,
    besides id: AccountID
  ) throws(DatabaseError) -> Account? {
    guard let index else { return nil }
    return try first(
      """
      SELECT \(AccountRow.columns) FROM account
      WHERE patron = \(patron.rawValue) AND provider = \(provider.rawValue)
        AND library = \(library.rawValue) AND card_index = \(index) AND id <> \(id.rawValue)
      """
    ) { row throws(DatabaseError) in try AccountRow(row).account }
  }
}
