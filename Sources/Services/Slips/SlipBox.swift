package import Circulation
import Crypto
package import Database
import Machine
package import Secrets
package import Vault

/// Slips, written and taken. A slip that nobody hands over leaves no trace: it is signed, not stored.
/// What became of one that was handed over is kept in the database, so that the same address shows the
/// same at every gateway.
package struct SlipBox: Sendable {
  package struct Settings: Sendable {
    /// How long a slip may lie about before it is handed over.
    package var life = Duration.seconds(20 * 60)
    /// How long it is told what became of it: as long as the desk remembers the command.
    package var memory = Duration.seconds(7 * 86_400)

    package init() {}
  }

  let store: Store
  let settings: Settings
  let now: @Sendable () -> Int64
  private let key: @Sendable () async throws(VaultError) -> Secret

  /// `key` is asked for each time, so that a vault that is locked meanwhile stays locked; `now` is
  /// in milliseconds since 1970.
  package init(
    store: Store, settings: Settings = Settings(), now: @escaping @Sendable () -> Int64,
    key: @escaping @Sendable () async throws(VaultError) -> Secret
  ) {
    (self.store, self.settings, self.now, self.key) = (store, settings, now, key)
  }

  /// What to derive the key from a vault with.
  package static var keyLabel: String { "carrel/slips" }

  /// Texts for slips that will be offered to this reader, in their order. Nothing is written down.
  package func write(_ slips: [Slip], for patron: PatronID) async throws(SlipError) -> [String] {
    let key = try await signingKey()
    let until = now() + settings.life.milliseconds
    return slips.map { slip in
      SlipText(slip: slip, number: Chance.system.bytes(SlipText.numberLength), until: until)
        .signed(for: patron, key)
    }
  }

  /// Takes a slip over the desk. Whoever takes it and finds no outcome does what it asks for, under
  /// the name of its attempt, and then keeps the outcome.
  package func take(_ text: String, from patron: PatronID) async throws(SlipError) -> HandedSlip {
    guard let given = SlipText(text, for: patron, try await signingKey()) else { throw .notYours }
    let now = now()
    let (oldest, life) = (now - settings.memory.milliseconds, settings.life.milliseconds)
    // Written by a clock that was ahead it would live too long.
    let isFresh = given.until > now && given.until <= now + life
    let found: String?? = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) -> String?? in
        try tx.execute("DELETE FROM slip WHERE taken_at < \(oldest)")
        if isFresh {
          try tx.execute(
            """
            INSERT INTO slip (number, patron, taken_at)
            VALUES (\(given.number), \(patron.rawValue), \(now)) ON CONFLICT (number) DO NOTHING
            """)
        }
        return try tx.first("SELECT outcome FROM slip WHERE number = \(given.number)") {
          row throws(DatabaseError) -> String? in try row[0]
        }
      }
    }
    guard let outcome = found else { throw .expired }
    return HandedSlip(slip: given.slip, attempt: Self.attempt(given.number), outcome: outcome)
  }

  /// Keeps what became of it for good, and answers with it; where somebody was faster with the same
  /// slip, with what that one kept, unless it tells less: who only saw that it was done may come
  /// before who did it.
  package func keep(
    _ outcome: String, of handed: HandedSlip, from patron: PatronID,
    over tellsLess: @escaping @Sendable (String) -> Bool = { _ in false }
  ) async throws(SlipError) -> String {
    let number = Self.number(handed.attempt)
    return try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        let kept: String?? = try tx.first("SELECT outcome FROM slip WHERE number = \(number)") {
          row throws(DatabaseError) -> String? in try row[0]
        }
        if let known = kept ?? nil, !tellsLess(known) { return known }
        try tx.execute(
          """
          UPDATE slip SET outcome = \(outcome)
          WHERE number = \(number) AND patron = \(patron.rawValue)
          """)
        return outcome
      }
    }
  }

  private static func attempt(_ number: [UInt8]) -> String { "slip-" + Hex.encode(number) }

  private static func number(_ attempt: String) -> [UInt8] {
    (try? Hex.decode(String(attempt.drop { $0 != "-" }.dropFirst()))) ?? []
  }

  private func signingKey() async throws(SlipError) -> Secret {
    do throws(VaultError) { return try await key() } catch { throw .locked(error) }
  }

  func database<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(SlipError) -> T {
    do throws(DatabaseError) { return try await body() } catch { throw .database(error) }
  }
}

extension SlipBox {
  package static let migrations = MigrationList(
    "slips",
    [
      Migration(
        "handed-over",
        [
          """
          CREATE TABLE slip (
            number \(.blob) PRIMARY KEY, patron \(.text) NOT NULL, taken_at \(.integer) NOT NULL,
            outcome \(.text), done_at \(.integer))\(.strictTable)
          """,
          "CREATE INDEX slip_taken ON slip (taken_at)",
        ]),
      // When it was done is never asked.
      Migration("drop-done-at", ["ALTER TABLE slip DROP COLUMN done_at"]),
      // A key of the client's own stands for a slip that is kept here, as the client never had it.
      Migration(
        "keys",
        [
          "ALTER TABLE slip ADD COLUMN request \(.blob)",
          "ALTER TABLE slip ADD COLUMN body \(.blob)",
        ]),
    ])
}
