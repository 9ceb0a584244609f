package import Circulation
package import Database

/// One line of the audit: who touched which secret, when and on whose behalf. Never what was in it.
package struct AuditEntry: Sendable, Hashable {
  package enum Action: String, Sendable, Hashable {
    case read, write, delete, fail
  }

  package let at: Int64
  /// The patron, or the job that did it.
  package let who: String
  package let account: AccountID
  package let field: String
  package let action: Action
  /// Which request it was, or, for what was counted, why.
  package let request: String
  /// More than one where openings of a month are counted; `at` is the last one then.
  package let count: Int

  init(_ row: borrowing Row) throws(DatabaseError) {
    (at, who, account) = (try row[0], try row[1], AccountID(rawValue: try row[2]))
    (field, action, request, count) = (try row[3], try row[4], try row[5], try row[6])
  }
}

/// Why a program opened a secret by itself. It does so all day long, and each time says no more than
/// the first of the month.
package enum Opening: String, Sendable, Hashable {
  /// To ask the library, for a reader or when it is time.
  case library
  case signIn = "sign-in"
}

extension AuditEntry.Action: Storable {}

extension Registry {
  /// What was done with the secrets of an account, oldest first, and behind it what was counted; also
  /// after it was unlinked.
  package func audit(of account: AccountID) async throws(RegistryError) -> [AuditEntry] {
    try await read { snapshot throws(DatabaseError) in
      let written = try snapshot.rows(
        """
        SELECT at, who, account, field, action, request, 1 FROM registry_audit
        WHERE account = \(account.rawValue) ORDER BY number
        """
      ) { row throws(DatabaseError) in try AuditEntry(row) }
      let counted = try snapshot.rows(
        """
        SELECT last_at, who, account, fields, action, reason, times FROM registry_audit_month
        WHERE account = \(account.rawValue) ORDER BY month, first_at, reason\(.bytewise)
        """
      ) { row throws(DatabaseError) in try AuditEntry(row) }
      return written + counted
    }
  }

  /// How many whole months of the audit stay beside this one; nil when all do.
  package func auditMonths() async throws(RegistryError) -> Int? {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.one("SELECT months FROM registry_audit_kept") {
        row throws(DatabaseError) in try row[0]
      }
    }
  }

  /// Keeps the audit as long as the operator wants, and deletes the months from before. What goes is
  /// settled in one transaction; the rows follow in small ones, so that nothing waits for them.
  package func keepAudit(months: Int?) async throws(RegistryError) {
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE registry_audit_kept SET months = \(months)
        WHERE months IS DISTINCT FROM \(months)
        """)
      guard let months else { return }
      let end = Self.end(keeping: months)
      try tx.execute("UPDATE registry_audit_kept SET ended = \(end) WHERE ended < \(end)")
    }
    guard months != nil else { return }
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        DELETE FROM registry_audit_month WHERE month < (SELECT ended FROM registry_audit_kept)
        """)
    }
    // The oldest have the smallest numbers.
    while try await deleteOldest() > 0 {}
  }

  private func deleteOldest() async throws(RegistryError) -> Int {
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        DELETE FROM registry_audit WHERE at < (SELECT ended FROM registry_audit_kept)
          AND number IN (SELECT number FROM registry_audit ORDER BY number LIMIT 5000)
        """)
    }
  }
}

/// Who is asking, for the audit.
struct Asker: Sendable {
  let at: Int64
  let who: String
  let request: String
}

extension Transaction {
  func note(
    _ action: AuditEntry.Action, _ fields: some Collection<String>, of account: AccountID,
    by asker: Asker
  ) throws(DatabaseError) {
    for field in fields {
      try execute(
        """
        INSERT INTO registry_audit (at, who, account, field, action, request)
        VALUES (\(asker.at), \(asker.who), \(account.rawValue), \(field), \(action),
          \(asker.request))
        """)
    }
  }
  /// What a program opened, or could not open, by itself: one more of this month.
  func count(
    _ action: AuditEntry.Action, _ fields: [String], of account: AccountID, by asker: Asker,
    _ reason: Opening
  ) throws(DatabaseError) {
    let names = fields.joined(separator: ", ")
    let month = Registry.month(of: asker.at)
    let known = try execute(
      """
      UPDATE registry_audit_month SET times = times + 1, last_at = \(asker.at)
      WHERE account = \(account.rawValue) AND month = \(month) AND who = \(asker.who)
        AND action = \(action) AND reason = \(reason.rawValue) AND fields = \(names)
      """)
    guard known == 0 else { return }
    // Another gateway may have begun the month at the same time.
    try execute(
      """
      INSERT INTO registry_audit_month
        (account, month, who, action, reason, fields, times, first_at, last_at)
      VALUES (\(account.rawValue), \(month), \(asker.who), \(action), \(reason.rawValue),
        \(names), 1, \(asker.at), \(asker.at))
      ON CONFLICT (account, month, who, action, reason, fields)
      DO UPDATE SET times = registry_audit_month.times + 1, last_at = \(asker.at)
      """)
  }
}
