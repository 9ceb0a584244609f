import Circulation
import Database

/// How a patron signs in. One row of `sign_in_way` for each, unique over the whole gateway: `kind`,
/// `authority` (who says so) and `subject` (about whom). An account for loans is something else, and
/// linking one makes no row by itself.
enum SignInKind: String, Storable {
  /// A card number and its PIN, at a library that the operator configured and that found the PIN right.
  case card
}

extension Registry {
  /// The number of a card is kept as a mark that no key makes but the vault's. It is the same for every
  /// patron and library, so that one look finds all libraries that a number may be of.
  ///
  /// `pin_verified` says whether the library found the PIN of an account right: NULL for accounts that
  /// were linked before this was noted.
  static var signInWays: [SQL] {
    [
      """
      CREATE TABLE sign_in_way (
        kind \(.text) NOT NULL,
        authority \(.text) NOT NULL,
        subject \(.blob) NOT NULL,
        patron \(.text) NOT NULL REFERENCES patron (id),
        account \(.text) REFERENCES account (id),
        made_at \(.integer) NOT NULL,
        PRIMARY KEY (kind, authority, subject))\(.strictTable)
      """,
      "CREATE INDEX sign_in_way_subject ON sign_in_way (subject)",
      "CREATE INDEX sign_in_way_patron ON sign_in_way (patron)",
      "CREATE INDEX sign_in_way_account ON sign_in_way (account)",
      "ALTER TABLE account ADD COLUMN pin_verified \(.boolean)",
    ]
  }
}

extension Transaction {
  /// Lets the patron of this account sign in by its card. False where another patron does so already:
  /// families share a card for loans, and it signs in one of them.
  @discardableResult
  func claim(
    _ subject: [UInt8]?, for account: Account, at now: Int64
  ) throws(DatabaseError) -> Bool {
    guard let subject else { return false }
    return try execute(
      """
      INSERT INTO sign_in_way (kind, authority, subject, patron, account, made_at)
      VALUES (\(SignInKind.card), \(account.library.rawValue), \(subject),
        \(account.patron.rawValue), \(account.id.rawValue), \(now))
      ON CONFLICT (kind, authority, subject) DO UPDATE SET account = excluded.account
        WHERE sign_in_way.patron = excluded.patron
      """) == 1
  }

  func releaseSignIn(of account: AccountID) throws(DatabaseError) {
    try execute("DELETE FROM sign_in_way WHERE account = \(account.rawValue)")
  }
}
