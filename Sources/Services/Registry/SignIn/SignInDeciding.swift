package import Circulation
import Database
import ProviderKit

/// An account of which it is not known yet whether its library found the PIN right.
package struct UndecidedAccount: Sendable, Hashable {
  package let account: Account
  package let keepsPIN: Bool
  /// Whether its patron came by being a member of that library, which was asked each time.
  package let isMember: Bool
}

/// What became of the wish to sign in by a card.
package enum SignInClaim: Sendable, Hashable {
  case claimed
  /// Another patron signs in by this card at this library.
  case taken
  /// There is no number, or nobody found its PIN right.
  case unproved
}

extension Registry {
  /// Notes whether the library found the PIN of an account right. Where it did, the account's card signs
  /// its patron in, unless it already signs in another.
  @discardableResult
  package func decideSignIn(
    of id: AccountID, isVerified: Bool, request: String
  ) async throws(RegistryError) -> SignInClaim {
    guard isVerified else {
      try await write { tx throws(DatabaseError) in
        try tx.execute("UPDATE account SET pin_verified = FALSE WHERE id = \(id.rawValue)")
        try tx.releaseSignIn(of: id)
      }
      return .unproved
    }
    // Read before the secrets: what was found right is the PIN that is kept now.
    let before = try await read { snapshot throws(DatabaseError) in try snapshot.account(id) }
    let credentials = try await credentials(of: id, request: request)
    let now = now()
    return try await withVault { vault, tx throws(DatabaseError) in
      guard let row = try tx.account(id) else { return .failure(.noSuchAccount(id.rawValue)) }
      guard row.version == before?.version else { return .success(.unproved) }
      let account = row.account
      let card = Card(
        credentials, at: account.library, of: account.provider, patron: account.patron, vault)
      guard card.subject != nil else { return .success(.unproved) }
      try tx.execute("UPDATE account SET pin_verified = TRUE WHERE id = \(id.rawValue)")
      let isClaimed = try tx.claim(card.subject, for: account, at: now)
      return .success(isClaimed ? .claimed : .taken)
    }
  }

  /// Whether the account's card signs its patron in.
  package func signsIn(_ id: AccountID) async throws(RegistryError) -> Bool {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT 1 FROM sign_in_way WHERE account = \(id.rawValue)") {
        _ throws(DatabaseError) in true
      } ?? false
    }
  }

  /// The oldest first, since the first patron with a card keeps it.
  package func undecidedAccounts(
    at libraries: [LibraryID], atMost limit: Int
  ) async throws(RegistryError) -> [UndecidedAccount] {
    let libraries = libraries.map(\.rawValue)
    guard !libraries.isEmpty else { return [] }
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(AccountRow.joinedColumns),
          (SELECT count(*) FROM account_secret s WHERE s.account = a.id AND s.field = 'pin'),
          (SELECT count(*) FROM registry_member m
            WHERE m.patron = a.patron AND m.library = a.library)
        FROM account a
        WHERE \(.undecided) AND a.library IN (\(libraries))
        ORDER BY a.linked_at, a.id\(.bytewise) LIMIT \(limit)
        """
      ) { row throws(DatabaseError) in
        let (pins, memberships): (Int, Int) = (try row[13], try row[14])
        return UndecidedAccount(
          account: try AccountRow(row).account, keepsPIN: pins > 0, isMember: memberships > 0)
      }
    }
  }

  /// How many accounts with a card are not decided yet.
  package func undecidedCount() async throws(RegistryError) -> Int {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.value("SELECT count(*) FROM account a WHERE \(.undecided)", as: Int.self)
    }
  }

  /// No card of these libraries, or of a catalog that a patron named by its address, signs in.
  package func decideAgainst(_ libraries: [LibraryID]) async throws(RegistryError) -> Int {
    let libraries = libraries.map(\.rawValue)
    // No library of the settings has a colon in its name, and every address has one.
    let chosen: SQL =
      libraries.isEmpty
      ? "a.library LIKE '%:%'" : "(a.library LIKE '%:%' OR a.library IN (\(libraries)))"
    return try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE account SET pin_verified = FALSE WHERE id IN (
          SELECT a.id FROM account a WHERE \(.undecided) AND \(chosen))
        """)
    }
  }
}

extension SQL {
  /// Of account `a`.
  static var undecided: SQL { "a.pin_verified IS NULL AND a.card_index IS NOT NULL" }
}
