package import Circulation
package import Database
import Machine

/// A session as its patron sees it in the list of all of them.
package struct PatronSession: Sendable, Hashable {
  package let reference: SessionReference
  package let origin: SessionOrigin
  /// Instants are milliseconds since 1970.
  package let madeAt: Int64
  /// By the hour.
  package let lastSeen: Int64?
  package let until: Int64
  /// The browser and its system, as far as they are known.
  package let agent: String?

  /// Short enough to be typed.
  package var id: String { String(reference.text.prefix(12)) }

  static let migration =
    [
      // Raised when everything that a patron has open ends at once. A session of an older epoch is none.
      "ALTER TABLE patron ADD COLUMN epoch \(.integer) NOT NULL DEFAULT 0",
      "ALTER TABLE registry_pass ADD COLUMN epoch \(.integer) NOT NULL DEFAULT 0",
      "ALTER TABLE registry_pass ADD COLUMN agent \(.text)",
      "ALTER TABLE registry_pass ADD COLUMN last_seen \(.integer)",
      "CREATE INDEX registry_pass_patron ON registry_pass (patron)",
    ] as [SQL]
}

/// Sessions that have just ended, for what is bound to them elsewhere.
package struct EndedSessions: Sendable {
  package let patron: PatronID
  package let sessions: [SessionReference]
  /// The session of the same patron in the same browser that takes the place of the one that ended.
  package let successor: SessionReference?
  /// Whether all that the patron had open was to end.
  package let isEverywhere: Bool
  package let also: Set<SignOutExtra>
}

/// What a patron may have end together with all sessions. It is no session, and stays otherwise.
package enum SignOutExtra: String, Sendable, Hashable, CaseIterable {
  case appPasswords = "passwords"
  case calendar
  /// The numbers at Adobe, and the tokens that name them. Kept outside of this service.
  case adobe
}

/// Which sessions of a patron end.
enum SessionChoice {
  case all
  case of(AccountID)
  case ofAppPassword(String)
  case one(SessionReference)

  var condition: SQL {
    switch self {
    case .all: "w.patron = w.patron"
    case .of(let account):
      "w.origin = \(SessionOrigin.cardWord) AND w.account = \(account.rawValue)"
    case .ofAppPassword(let name):
      """
      w.origin = \(SessionOrigin.appPasswordWord) AND w.device = \(AccountName.folded(name))
      """
    case .one(let session): session.condition
    }
  }

  var isAll: Bool { if case .all = self { true } else { false } }
}

extension Registry {
  /// Those that are open, the newest first, those that still owe a code among them.
  package func sessions(of patron: PatronID) async throws(RegistryError) -> [PatronSession] {
    let now = now()
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT w.mark, w.origin, w.account, w.device, w.made_at, w.last_seen, w.until, w.agent
        FROM \(SQL.openSessions(at: now)) AND w.patron = \(patron.rawValue)
        ORDER BY w.made_at DESC, w.mark
        """
      ) { row throws(DatabaseError) -> PatronSession? in
        let origin = SessionOrigin(
          try row[1], patron: patron, account: try row[2], device: try row[3])
        guard let origin else { return nil }
        return PatronSession(
          reference: SessionReference(mark: try row[0]), origin: origin, madeAt: try row[4],
          lastSeen: try row[5], until: try row[6], agent: try row[7])
      }
    }.compactMap(\.self)
  }

  /// Nil where the patron has no session of that id.
  @discardableResult
  package func endSession(
    _ id: String, of patron: PatronID, by who: String, request: String
  ) async throws(RegistryError) -> PatronSession? {
    let found = try await sessions(of: patron).first { $0.id == id }
    guard let found else { return nil }
    let asker = Asker(at: now(), who: who, request: request)
    try await write { tx throws(DatabaseError) in
      try end(.one(found.reference), of: patron, by: asker, in: tx)
    }
    return found
  }

  /// Signs the patron out everywhere, at all gateways: sessions, those that owe a code, sign-in links
  /// device cookies and notifications of browsers, and what else is chosen. Returns how many sessions
  /// there were.
  @discardableResult
  package func endSessions(
    of patron: PatronID, keeping: SessionReference? = nil, also: Set<SignOutExtra> = [],
    by who: String, request: String
  ) async throws(RegistryError) -> Int {
    let asker = Asker(at: now(), who: who, request: request)
    return try await write { tx throws(DatabaseError) in
      if also.contains(.appPasswords) { try tx.revokeDevices(of: patron, by: asker) }
      if also.contains(.calendar) { try tx.revokeCalendar(of: patron, by: asker) }
      return try end(.all, of: patron, keeping: keeping, also: also, by: asker, in: tx)
    }
  }

  /// In the same transaction as what ends them.
  @discardableResult
  func end(
    _ choice: SessionChoice, of patron: PatronID, keeping: SessionReference? = nil,
    successor: SessionReference? = nil, also: Set<SignOutExtra> = [], by asker: Asker,
    in tx: Transaction
  ) throws(DatabaseError) -> Int {
    if choice.isAll {
      try tx.execute("UPDATE patron SET epoch = epoch + 1 WHERE id = \(patron.rawValue)")
      try tx.execute("DELETE FROM sign_in_link WHERE patron = \(patron.rawValue)")
    }
    if let keeping {
      try tx.execute(
        """
        UPDATE registry_pass AS w
        SET epoch = (SELECT epoch FROM patron WHERE id = \(patron.rawValue))
        WHERE w.patron = \(patron.rawValue) AND \(keeping.condition)
        """)
    }
    let kept: SQL = keeping.map { "AND NOT (\($0.condition))" } ?? ""
    let marks = try tx.rows(
      """
      DELETE FROM registry_pass AS w
      WHERE w.patron = \(patron.rawValue) AND \(choice.condition) \(kept)
      RETURNING mark
      """
    ) { row throws(DatabaseError) -> [UInt8] in try row[0] }
    guard choice.isAll || !marks.isEmpty else { return 0 }
    try ended(
      tx,
      EndedSessions(
        patron: patron, sessions: marks.map { SessionReference(mark: $0) },
        successor: successor, isEverywhere: choice.isAll && keeping == nil, also: also))
    try tx.note(.delete, ["session"], of: SessionOrigin.auditName(of: patron), by: asker)
    return marks.count
  }

  /// By the hour only, so that a busy browser does not write with each page.
  package func noteUse(of pass: BrowserPass) async throws(RegistryError) {
    let now = now()
    if let last = pass.lastSeen, last > now - 3_600_000, last <= now { return }
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE registry_pass AS w SET last_seen = \(now)
        WHERE w.patron = \(pass.patron.rawValue) AND \(pass.reference.condition)
        """)
    }
  }
}
