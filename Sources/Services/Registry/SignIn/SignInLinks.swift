package import Circulation
import Crypto
import Database
import Machine
package import Secrets

/// A link that signs its patron in once. The secret in it is told when it is made, and never again.
package struct SignInLink: Sendable {
  package let secret: Secret
  /// Milliseconds since 1970.
  package let until: Int64

  static let span: Int64 = 24 * 3_600_000

  /// Only a mark of the secret is kept: so much chance needs neither a slow hash nor a key, and the
  /// operator can make one while the vault is locked.
  static let migration =
    [
      """
      CREATE TABLE sign_in_link (
        mark \(.blob) PRIMARY KEY,
        patron \(.text) NOT NULL REFERENCES patron (id),
        made_at \(.integer) NOT NULL,
        until \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX sign_in_link_patron ON sign_in_link (patron)",
    ] as [SQL]

  static func mark(of secret: Secret) -> [UInt8] {
    secret.revealBytes { Digest.sha256.hash(Array("carrel/sign-in-link\0".utf8) + $0) }
  }
}

extension Registry {
  /// Good for a day and for one sign-in. The patron's older link is void from now on.
  package func newSignInLink(
    for patron: PatronID, by who: String, request: String
  ) async throws(RegistryError) -> SignInLink {
    let secret = Secret(Base64.urlSafe.encode(Chance.system.bytes(32)))
    let (mark, now) = (SignInLink.mark(of: secret), now())
    let link = SignInLink(secret: secret, until: now + SignInLink.span)
    try await decide { tx throws(DatabaseError) -> Result<Void, RegistryError> in
      guard try tx.base(of: .link(patron)) != nil else {
        return .failure(.noSuchPatron(patron.rawValue))
      }
      try tx.execute(
        "DELETE FROM sign_in_link WHERE patron = \(patron.rawValue) OR until <= \(now)")
      try tx.execute(
        """
        INSERT INTO sign_in_link (mark, patron, made_at, until)
        VALUES (\(mark), \(patron.rawValue), \(now), \(link.until))
        """)
      try tx.note(OfficeDeed(.write, "sign-in-link", patron.rawValue, by: who, request), at: now)
      return .success(())
    }
    return link
  }

  /// Whom this link would sign in; nil for one that is used, over, void or unknown. Asking uses
  /// nothing up: mail programs follow links by themselves.
  package func owner(ofSignInLink secret: Secret) async throws(RegistryError) -> Patron? {
    guard secret.count <= 256 else { return nil }
    let (mark, now) = (SignInLink.mark(of: secret), now())
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT p.id, p.name FROM sign_in_link l JOIN patron p ON p.id = l.patron
        WHERE l.mark = \(mark) AND l.until > \(now) AND l.made_at <= \(now)
        """, Self.patron)
    }
  }

  /// Uses the link up and begins a session, both or neither; nil for one that is good no more.
  package func newPass(
    bySignInLink secret: Secret, for span: BrowserPass.Span, as name: BrowserPass.Name,
    agent: String? = nil, request: String
  ) async throws(RegistryError) -> Secret? {
    guard secret.count <= 256 else { return nil }
    let (mark, now) = (SignInLink.mark(of: secret), now())
    let new = NewPass(
      span: span, name: name, isProved: false, at: now, agent: agent, request: request)
    return try await write { tx throws(DatabaseError) in
      let patron = try tx.first(
        """
        DELETE FROM sign_in_link WHERE mark = \(mark) AND until > \(now) AND made_at <= \(now)
        RETURNING patron
        """
      ) { row throws(DatabaseError) -> PatronID in PatronID(try row[0]) }
      guard let patron else { return nil }
      return try tx.insert(new, by: .link(patron))
    }
  }
}
