import Circulation
import Crypto
import Database
import Machine
import ProviderKit
import Secrets

/// Of the PIN of a card that was found right last, a mark, for as long as something is open by it: a
/// session, or a pair of number and PIN that a gateway remembers. It is a hash with a key of the vault
/// over the account and the PIN, so that the database alone tells no PIN.
///
/// It shows two things: that a library takes another PIN now, so that what stands on the old one ends,
/// and that the patron in a session knows the PIN. Neither has to open a PIN, or to have one stored.
enum FoundPINs {
  static let keyLabel = "carrel/found-pins"
  /// Longer than any gateway remembers a pair. Milliseconds.
  static let span: Int64 = 30 * 60_000

  static let migration =
    [
      """
      CREATE TABLE sign_in_pin (
        account \(.text) PRIMARY KEY REFERENCES account (id),
        mark \(.blob) NOT NULL,
        until \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX sign_in_pin_until ON sign_in_pin (until)",
      // When the patron last proved in this session who they are. Those of before ask for it at once.
      "ALTER TABLE registry_pass ADD COLUMN fresh_at \(.integer)",
    ] as [SQL]
}

extension Registry {
  /// Nil while the vault is locked.
  func mark(ofPIN pin: Secret, at account: AccountID) async -> [UInt8]? {
    guard !pin.isEmpty, let key = await subkey(FoundPINs.keyLabel) else { return nil }
    return SignInMarks.mark("pin", [Secret(account.rawValue), pin], key)
  }

  /// The library has just found this PIN right. Where it is another one than before, the patron has
  /// changed it there: sessions that began with the old one end, and no gateway takes the old pair for
  /// right any more. Of sessions that began before there were marks nothing is known, so they end too,
  /// once.
  func found(
    pin: Secret, of account: AccountID, _ patron: PatronID, request: String
  ) async throws(RegistryError) {
    guard let mark = await mark(ofPIN: pin, at: account) else { return }
    let asker = Asker(at: now(), who: patron.rawValue, request: request)
    let until = asker.at + FoundPINs.span
    let isKnown = try await read { snapshot throws(DatabaseError) in
      try snapshot.foundPIN(of: account, at: asker.at + FoundPINs.span / 2) == mark
    }
    guard !isKnown else { return }
    try await write { tx throws(DatabaseError) in
      let known = try tx.foundPIN(of: account, at: asker.at)
      if known != mark {
        if known != nil {
          try tx.execute(
            "UPDATE account SET version = version + 1 WHERE id = \(account.rawValue)")
        }
        try end(.of(account), of: patron, by: asker, in: tx)
      }
      try tx.keep(foundPIN: mark, of: account, until: until, at: asker.at)
    }
  }

  /// Whether this is the PIN that is good for the account now.
  func knows(
    pin: Secret, of account: AccountID, request: String
  ) async throws(RegistryError) -> Bool {
    guard !pin.isEmpty, let mark = await mark(ofPIN: pin, at: account) else { return false }
    let now = now()
    let known = try await read { snapshot throws(DatabaseError) in
      try snapshot.foundPIN(of: account, at: now)
    }
    if let known { return constantTimeEqual(known, mark) }
    // A session of before there were marks.
    return try await credentials(of: account, request: request)["pin"]?.matches(pin) == true
  }
}

extension Snapshot {
  func foundPIN(of account: AccountID, at now: Int64) throws(DatabaseError) -> [UInt8]? {
    try first(
      "SELECT mark FROM sign_in_pin WHERE account = \(account.rawValue) AND until > \(now)"
    ) { row throws(DatabaseError) -> [UInt8] in try row[0] }
  }
}

extension Transaction {
  /// In place of the one of before; the same for as long as anything stands on it.
  func keep(
    foundPIN mark: [UInt8], of account: AccountID, until: Int64, at now: Int64
  ) throws(DatabaseError) {
    try execute("DELETE FROM sign_in_pin WHERE until <= \(now)")
    try execute(
      """
      INSERT INTO sign_in_pin (account, mark, until)
      VALUES (\(account.rawValue), \(mark), \(until))
      ON CONFLICT (account) DO UPDATE SET mark = excluded.mark, until = CASE
        WHEN sign_in_pin.mark = excluded.mark AND sign_in_pin.until > excluded.until
        THEN sign_in_pin.until ELSE excluded.until END
      """)
  }

  /// For a session that begins with it. False where another PIN was found right meanwhile.
  func takes(
    foundPIN mark: [UInt8]?, of account: AccountID, until: Int64, at now: Int64
  ) throws(DatabaseError) -> Bool {
    let known = try foundPIN(of: account, at: now)
    guard let mark = mark ?? known else { return true }
    guard known == nil || known == mark else { return false }
    try keep(foundPIN: mark, of: account, until: until, at: now)
    return true
  }
}
