package import Circulation
package import Database

/// One line of the audit about what an operator changed: the lanes, a list, a reader's going.
package struct OfficeDeed: Sendable, Hashable {
  package let action: AuditEntry.Action
  /// What sort of thing it was done to.
  package let kind: String
  /// Which one of them, by its id.
  package let subject: String
  /// The operator's id, or the command line's word for itself.
  package let who: String
  package let request: String

  package init(
    _ action: AuditEntry.Action, _ kind: String, _ subject: String, by who: String,
    _ request: String
  ) {
    (self.action, self.kind, self.subject) = (action, kind, subject)
    (self.who, self.request) = (who, request)
  }

  /// No account is called like this: their ids have no slash.
  static let prefix = "office/"
}

extension Transaction {
  /// In the same transaction as what was done.
  package func note(_ deed: OfficeDeed, at now: Int64) throws(DatabaseError) {
    try note(
      deed.action, [String(deed.subject.prefix(200))],
      of: AccountID(OfficeDeed.prefix + deed.kind),
      by: Asker(at: now, who: deed.who, request: deed.request))
  }
}

extension Registry {
  package func note(_ deed: OfficeDeed) async throws(RegistryError) {
    let now = now()
    try await write { tx throws(DatabaseError) in try tx.note(deed, at: now) }
  }

  /// What operators did, the latest first.
  package func officeDeeds(
    atMost limit: Int
  ) async throws(RegistryError) -> [(at: Int64, deed: OfficeDeed)] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT at, who, account, field, action, request FROM registry_audit
        WHERE account >= \(OfficeDeed.prefix) AND account < \(Self.pastOffice)
        ORDER BY number DESC LIMIT \(limit)
        """
      ) { row throws(DatabaseError) -> (at: Int64, deed: OfficeDeed) in
        let account: String = try row[2]
        return (
          at: try row[0],
          deed: OfficeDeed(
            try row[4], String(account.dropFirst(OfficeDeed.prefix.count)), try row[3],
            by: try row[1], try row[5])
        )
      }
    }
  }

  /// The first text after all that begin with the prefix.
  private static var pastOffice: String { "office0" }
}
