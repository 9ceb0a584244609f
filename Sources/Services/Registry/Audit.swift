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
  package let request: String
}

extension AuditEntry.Action: Storable {}

extension Registry {
  /// What was done with the secrets of an account, oldest first; also after it was unlinked.
  package func audit(of account: AccountID) async throws(RegistryError) -> [AuditEntry] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT at, who, account, field, action, request FROM registry_audit
        WHERE account = \(account.rawValue) ORDER BY number
        """
      ) { row throws(DatabaseError) in
        AuditEntry(
          at: try row[0], who: try row[1], account: AccountID(rawValue: try row[2]),
          field: try row[3], action: try row[4], request: try row[5])
      }
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
}
