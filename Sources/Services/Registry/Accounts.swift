package import Circulation
import Database

/// Accounts as readers see them.
extension Registry {
  /// In the order they were linked.
  package func accounts(of patron: PatronID) async throws(RegistryError) -> [Account] {
    try await read { snapshot throws(DatabaseError) in try snapshot.accounts(of: patron) }
  }

  /// Of all patrons, each one's in the order they were linked.
  package func accounts() async throws(RegistryError) -> [Account] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(AccountRow.columns) FROM account
        ORDER BY patron, linked_at, folded_name\(.bytewise)
        """
      ) { row throws(DatabaseError) in try AccountRow(row).account }
    }
  }

  /// By its name or its id, and among the patron's own only.
  package func account(
    named name: String, of patron: PatronID
  ) async throws(RegistryError) -> Account {
    let folded = AccountName.folded(name)
    let found = try await read { snapshot throws(DatabaseError) in
      // A name goes before an id that looks the same.
      try snapshot.first(
        """
        SELECT \(AccountRow.columns) FROM account
        WHERE patron = \(patron.rawValue) AND (folded_name = \(folded) OR id = \(name))
        ORDER BY CASE WHEN folded_name = \(folded) THEN 0 ELSE 1 END
        """
      ) { row throws(DatabaseError) in try AccountRow(row).account }
    }
    guard let found else { throw .noSuchAccount(name) }
    return found
  }

  /// By its id alone, whoever's it is: for errands that were given out by id.
  package func account(_ id: AccountID) async throws(RegistryError) -> Account {
    let found = try await read { snapshot throws(DatabaseError) in try snapshot.account(id) }
    guard let found else { throw .noSuchAccount(id.rawValue) }
    return found.account
  }

  /// Which libraries these accounts are with; an account that was given up meanwhile is left out.
  package func libraries(
    of accounts: [AccountID]
  ) async throws(RegistryError) -> [AccountID: LibraryID] {
    let ids = accounts.map(\.rawValue)
    let pairs = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows("SELECT id, library FROM account WHERE id IN (\(ids))") {
        row throws(DatabaseError) in (AccountID(try row[0]), LibraryID(try row[1]))
      }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// What the library said of the credentials that the account had when it was read. Where it has got
  /// others meanwhile, that says nothing of it any more, and false comes back.
  @discardableResult
  package func record(
    status: Account.Status, of judged: Account
  ) async throws(RegistryError) -> Bool {
    let changed = try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE account SET status = \(status)
        WHERE id = \(judged.id.rawValue) AND version = \(judged.version)
        """)
    }
    if changed == 0 { _ = try await account(judged.id) }
    return changed == 1
  }

  /// When the account was last read from the library without a fault. An older moment that arrives
  /// late changes nothing.
  package func record(goodSync: Int64, of account: AccountID) async throws(RegistryError) {
    try await update(
      account,
      """
      last_good_sync = CASE WHEN last_good_sync > \(goodSync) THEN last_good_sync
        ELSE \(goodSync) END
      """)
  }

  /// How much the library lends at a time, where it says so.
  package func record(
    loanLimit: Int?, holdLimit: Int?, of account: AccountID
  ) async throws(RegistryError) {
    try await update(account, "loan_limit = \(loanLimit), hold_limit = \(holdLimit)")
  }

  private func update(_ account: AccountID, _ change: SQL) async throws(RegistryError) {
    let changed = try await write { tx throws(DatabaseError) in
      try tx.execute("UPDATE account SET \(change) WHERE id = \(account.rawValue)")
    }
    guard changed == 1 else { throw .noSuchAccount(account.rawValue) }
  }
}
