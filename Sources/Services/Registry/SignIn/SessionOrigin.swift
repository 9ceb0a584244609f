package import Circulation
import Database

/// What a session was begun with. It ends with that: a card's session with the PIN, an app
/// password's with the password.
package enum SessionOrigin: Sendable, Hashable {
  case card(AccountID)
  /// An app password of the patron's, by its name.
  case appPassword(PatronID, String)
  /// A sign-in link that the operator made.
  case link(PatronID)

  /// The account whose card and PIN it was.
  package var account: AccountID? {
    guard case .card(let account) = self else { return nil }
    return account
  }

  static let migration =
    [
      "ALTER TABLE registry_pass ADD COLUMN origin \(.text) NOT NULL DEFAULT 'card'",
      "ALTER TABLE registry_pass ADD COLUMN device \(.text)",
    ] as [SQL]

  static let cardWord = "card"
  static let appPasswordWord = "app-password"
  static let linkWord = "link"

  /// As the audit names what a session without a card belongs to.
  static func auditName(of patron: PatronID) -> AccountID {
    AccountID("session/\(patron.rawValue)")
  }
}

/// What a session stands on, as it is at the moment when the session begins.
struct SessionBase: Sendable {
  let patron: PatronID
  let origin: SessionOrigin
  /// Of the card's PIN, or when the app password was made.
  let version: Int64

  var word: String {
    switch origin {
    case .card: SessionOrigin.cardWord
    case .appPassword: SessionOrigin.appPasswordWord
    case .link: SessionOrigin.linkWord
    }
  }

  /// The folded name of the app password.
  var device: String? {
    guard case .appPassword(_, let name) = origin else { return nil }
    return AccountName.folded(name)
  }

  var auditName: AccountID { origin.account ?? SessionOrigin.auditName(of: patron) }
}

extension Snapshot {
  /// Nil where the card, the app password or the patron is no more.
  func base(of origin: SessionOrigin) throws(DatabaseError) -> SessionBase? {
    switch origin {
    case .card(let id):
      guard let row = try account(id) else { return nil }
      return SessionBase(patron: row.account.patron, origin: origin, version: row.version)
    case .appPassword(let patron, let name):
      let madeAt = try first(
        """
        SELECT made_at FROM registry_device
        WHERE patron = \(patron.rawValue) AND folded_name = \(AccountName.folded(name))
        """
      ) { row throws(DatabaseError) -> Int64 in try row[0] }
      return madeAt.map { SessionBase(patron: patron, origin: origin, version: $0) }
    case .link(let patron):
      let known = try first("SELECT id FROM patron WHERE id = \(patron.rawValue)") {
        row throws(DatabaseError) -> String in try row[0]
      }
      return known.map { _ in SessionBase(patron: patron, origin: origin, version: 0) }
    }
  }
}

extension SessionOrigin {
  /// Nil for what a newer release wrote.
  init?(
    _ word: String, patron: PatronID, account: String, device: String?
  ) {
    switch (word, device) {
    case (Self.cardWord, _): self = .card(AccountID(account))
    case (Self.appPasswordWord, let name?): self = .appPassword(patron, name)
    case (Self.linkWord, _): self = .link(patron)
    default: return nil
    }
  }
}

extension SQL {
  /// The rows of sessions that are open, as `w`, with their patrons as `p`: what was ended anywhere is
  /// ended everywhere at once, by the patron, by another PIN, by the going of a card or of an app
  /// password.
  static func openSessions(at now: Int64) -> SQL {
    """
    registry_pass w
      JOIN patron p ON p.id = w.patron
      LEFT JOIN account a ON a.id = w.account AND a.patron = w.patron
      LEFT JOIN registry_device d ON d.patron = w.patron AND d.folded_name = w.device
    WHERE w.until > \(now) AND w.made_at <= \(now) AND w.epoch = p.epoch
      AND (w.origin = \(SessionOrigin.linkWord)
        OR (w.origin = \(SessionOrigin.cardWord) AND a.version = w.pin_version
          AND a.status <> \(Account.Status.rejected))
        OR (w.origin = \(SessionOrigin.appPasswordWord) AND d.made_at = w.pin_version))
    """
  }
}
