package import Circulation
import Crypto
import Database
import Machine
package import Secrets

/// What a browser keeps after its reader came in with card and PIN. The secret in it is told once.
package struct BrowserPass: Sendable, Hashable {
  /// How long it opens the door.
  package enum Span: Sendable, Hashable, CaseIterable {
    /// For a machine that others use too.
    case day
    case month

    package var seconds: Int { self == .day ? 12 * 3_600 : 30 * 86_400 }
  }

  /// What a browser keeps it under. A guarded name is one that only the gateway's own host can set,
  /// over TLS; a pass that was given out under such a name counts under no other, so that nobody's
  /// neighbor can put theirs in its place.
  package enum Name: Sendable, Hashable {
    case plain, guarded
  }

  /// Whether its reader was asked for a code.
  package enum Proof: Sendable, Hashable {
    /// The reader signs in with card and PIN alone.
    case none
    /// It opens nothing until a code was given.
    case owed
    case given
  }

  package let patron: PatronID
  /// The patron's own name.
  package let owner: String
  /// Whose card and PIN it was given for.
  package let account: AccountID
  package let span: Span
  /// Instants are milliseconds since 1970.
  package let until: Int64
  /// When it was given out.
  package let madeAt: Int64
  package let proof: Proof
  /// Whether the patron looks after the gateway, as of now.
  package let isOperator: Bool

  /// How long a pass is good for giving the code that it owes.
  static let patience: Int64 = 15 * 60_000
}

extension Registry {
  /// A pass for whoever came in with this account's card and PIN; nil where the account has gone
  /// meanwhile. It ends with the PIN it was given for. A reader with a second factor still owes the
  /// code, unless that was just `proved`.
  package func newPass(
    by account: AccountID, for span: BrowserPass.Span, as name: BrowserPass.Name = .plain,
    proved: Bool = false, request: String
  ) async throws(RegistryError) -> Secret? {
    let secret = Secret(Base64.urlSafe.encode(Chance.system.bytes(32)))
    let (mark, now) = (Self.passMark(of: secret), now())
    let whole = now + Int64(span.seconds) * 1000
    return try await write { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM registry_pass WHERE until <= \(now)")
      let owner = try tx.account(account)?.account.patron
      guard let owner else { return nil }
      let owes = try tx.hasFactor(owner) && !proved
      let until = owes ? now + BrowserPass.patience : whole
      let provedAt = proved ? now : nil
      let added = try tx.execute(
        """
        INSERT INTO registry_pass
          (mark, patron, account, pin_version, made_at, until, guarded, proved_at)
        SELECT \(mark), patron, id, version, \(now), \(until), \(name == .guarded), \(provedAt)
        FROM account WHERE id = \(account.rawValue)
        """)
      guard added == 1 else { return nil }
      try tx.note(.write, ["pass"], of: account, by: Asker(at: now, who: "door", request: request))
      return secret
    }
  }

  /// Whose pass this is. The read is a step in an index, so that what was ended anywhere is ended
  /// here at once: by the reader, by the card's going, by another PIN.
  package func pass(
    with secret: Secret, as name: BrowserPass.Name = .plain
  ) async throws(RegistryError) -> BrowserPass? {
    guard secret.count <= 256 else { return nil }
    let (mark, now) = (Self.passMark(of: secret), now())
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT w.patron, p.name, w.account, w.made_at, w.until,
          (SELECT count(*) FROM registry_operator o WHERE o.patron = w.patron), w.proved_at,
          (SELECT f.confirmed_at FROM registry_factor f WHERE f.patron = w.patron)
        FROM registry_pass w
          JOIN patron p ON p.id = w.patron
          JOIN account a ON a.id = w.account AND a.patron = w.patron
        WHERE w.mark = \(mark) AND w.until > \(now) AND w.made_at <= \(now)
          AND (w.guarded = FALSE OR \(name == .guarded))
          AND a.version = w.pin_version AND a.status <> \(Account.Status.rejected)
        """
      ) { row throws(DatabaseError) in
        let (madeAt, until, roles): (Int64, Int64, Int) = (try row[3], try row[4], try row[5])
        let isLong = until - madeAt > Int64(BrowserPass.Span.day.seconds) * 1000
        let (provedAt, since): (Int64?, Int64?) = (try row[6], try row[7])
        return BrowserPass(
          patron: PatronID(try row[0]), owner: try row[1], account: AccountID(try row[2]),
          span: isLong ? .month : .day, until: until, madeAt: madeAt,
          proof: BrowserPass.Proof(since: since, provedAt), isOperator: roles > 0)
      }
    }
  }

  package func endPass(with secret: Secret) async throws(RegistryError) {
    let mark = Self.passMark(of: secret)
    try await write { tx throws(DatabaseError) in
      _ = try tx.execute("DELETE FROM registry_pass WHERE mark = \(mark)")
    }
  }

  /// What is kept instead of the secret: so much chance needs neither a slow hash nor a key.
  static func passMark(of secret: Secret) -> [UInt8] {
    secret.revealBytes { Digest.sha256.hash(Array("carrel/pass\0".utf8) + $0) }
  }
}

extension BrowserPass.Proof {
  /// A proof of before the factor that there is now is none.
  fileprivate init(since: Int64?, _ provedAt: Int64?) {
    guard let since else {
      self = .none
      return
    }
    self = provedAt.map { $0 >= since } == true ? .given : .owed
  }
}
