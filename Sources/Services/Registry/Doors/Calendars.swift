package import Circulation
import Crypto
import Database
import Machine
package import Secrets

/// The address of a reader's calendar feed, as far as it is known: the secret in it is told once.
package struct CalendarAddress: Sendable, Hashable {
  package let patron: PatronID
  /// Instants are milliseconds since 1970.
  package let madeAt: Int64
  /// By the hour only.
  package let lastUsed: Int64?
}

extension Registry {
  /// A new address; the one there was opens nothing any more.
  package func newCalendar(
    of patron: PatronID, request: String
  ) async throws(RegistryError) -> (address: CalendarAddress, secret: Secret) {
    // 160 bits, in signs that are themselves in every address.
    let secret = Secret(Base64.urlSafe.encode(Chance.system.bytes(20)))
    let (mark, now) = (Self.calendarMark(of: secret), now())
    try await decide { tx throws(DatabaseError) -> Result<Void, RegistryError> in
      let isKnown =
        try tx.value(
          "SELECT count(*) FROM patron WHERE id = \(patron.rawValue)", as: Int.self) > 0
      guard isKnown else { return .failure(.noSuchPatron(patron.rawValue)) }
      try tx.execute(
        """
        INSERT INTO registry_calendar (patron, mark, made_at)
        VALUES (\(patron.rawValue), \(mark), \(now))
        ON CONFLICT (patron) DO UPDATE SET mark = excluded.mark, made_at = excluded.made_at,
          last_used = NULL
        """)
      try tx.note(.write, patron, Asker(at: now, who: patron.rawValue, request: request))
      return .success(())
    }
    return (CalendarAddress(patron: patron, madeAt: now, lastUsed: nil), secret)
  }

  package func calendar(of patron: PatronID) async throws(RegistryError) -> CalendarAddress? {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT patron, made_at, last_used FROM registry_calendar WHERE patron = \(patron.rawValue)
        """, CalendarAddress.init(row:))
    }
  }

  /// Nil where there was none.
  @discardableResult
  package func revokeCalendar(
    of patron: PatronID, request: String
  ) async throws(RegistryError) -> CalendarAddress? {
    let now = now()
    return try await write { tx throws(DatabaseError) in
      try tx.revokeCalendar(
        of: patron, by: Asker(at: now, who: patron.rawValue, request: request))
    }
  }

  func calendar(with secret: Secret) async throws(RegistryError) -> CalendarAddress? {
    let mark = Self.calendarMark(of: secret)
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        "SELECT patron, made_at, last_used FROM registry_calendar WHERE mark = \(mark)",
        CalendarAddress.init(row:))
    }
  }

  func noteUse(of calendar: CalendarAddress) async throws(RegistryError) {
    let now = now()
    if let last = calendar.lastUsed, last > now - 3_600_000, last <= now { return }
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE registry_calendar SET last_used = \(now)
        WHERE patron = \(calendar.patron.rawValue) AND made_at = \(calendar.madeAt)
        """)
    }
  }

  /// What is kept instead of the secret. So much chance needs neither a slow hash nor a key: a feed
  /// is read also while the vault is locked.
  private static func calendarMark(of secret: Secret) -> [UInt8] {
    secret.revealBytes { Digest.sha256.hash(Array("carrel/calendar\0".utf8) + $0) }
  }
}

extension CalendarAddress {
  fileprivate init(row: borrowing Row) throws(DatabaseError) {
    self.init(patron: PatronID(try row[0]), madeAt: try row[1], lastUsed: try row[2])
  }
}

extension Transaction {
  @discardableResult
  func revokeCalendar(
    of patron: PatronID, by asker: Asker
  ) throws(DatabaseError) -> CalendarAddress? {
    let gone = try first(
      """
      DELETE FROM registry_calendar WHERE patron = \(patron.rawValue)
      RETURNING patron, made_at, last_used
      """, CalendarAddress.init(row:))
    if gone != nil { try note(.delete, patron, asker) }
    return gone
  }

  fileprivate func note(
    _ action: AuditEntry.Action, _ patron: PatronID, _ asker: Asker
  ) throws(DatabaseError) {
    try note(action, ["address"], of: AccountID("calendar/\(patron.rawValue)"), by: asker)
  }
}
