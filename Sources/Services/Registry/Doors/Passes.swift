package import Circulation
import Crypto
import Database
import Machine
package import Secrets

/// What a browser keeps after its patron signed in. The secret in it is told once.
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
  package let origin: SessionOrigin
  package let reference: SessionReference
  package let span: Span
  /// Instants are milliseconds since 1970.
  package let until: Int64
  /// When it was given out.
  package let madeAt: Int64
  /// By the hour.
  package let lastSeen: Int64?
  package let proof: Proof
  /// When the patron last proved in this session who they are, at its beginning or since.
  let freshAt: Int64?
  /// Whose card and PIN it was given for; nil for a session without a card.
  package var account: AccountID? { origin.account }
  /// Whether the patron looks after the gateway, as of now.
  package let isOperator: Bool

  /// How long a pass is good for giving the code that it owes.
  static let patience: Int64 = 15 * 60_000
}

/// A session that is about to begin.
struct NewPass: Sendable {
  let secret = Secret(Base64.urlSafe.encode(Chance.system.bytes(32)))
  let span: BrowserPass.Span
  let name: BrowserPass.Name
  let isProved: Bool
  /// The mark of the PIN that was given, where it was one.
  var pin: [UInt8]?
  let at: Int64
  let agent: String?
  let request: String
}

extension Registry {
  /// A pass for whoever signed in so; nil where that has gone meanwhile. It ends with the PIN or the
  /// app password it was given for. A patron with a second factor still owes the code, unless that
  /// was just `proved`. With the `pin` that was given, the session is nil where another was found right
  /// meanwhile.
  package func newPass(
    by origin: SessionOrigin, for span: BrowserPass.Span, as name: BrowserPass.Name = .plain,
    pin: Secret? = nil, agent: String? = nil, proved: Bool = false, request: String
  ) async throws(RegistryError) -> Secret? {
    var new = NewPass(
      span: span, name: name, isProved: proved, at: now(), agent: agent, request: request)
    if let pin, let account = origin.account { new.pin = await mark(ofPIN: pin, at: account) }
    let begun = new
    return try await write { tx throws(DatabaseError) in try tx.insert(begun, by: origin) }
  }

  /// Whose pass this is. The read is a step in an index, so that what was ended anywhere is ended
  /// here at once.
  package func pass(
    with secret: Secret, as name: BrowserPass.Name = .plain
  ) async throws(RegistryError) -> BrowserPass? {
    guard secret.count <= 256 else { return nil }
    let (mark, now) = (Self.passMark(of: secret), now())
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT w.patron, p.name, w.account, w.made_at, w.until,
          (SELECT count(*) FROM registry_operator o WHERE o.patron = w.patron), w.proved_at,
          (SELECT f.confirmed_at FROM registry_factor f WHERE f.patron = w.patron),
          w.origin, w.device, w.last_seen, w.fresh_at
        FROM \(SQL.openSessions(at: now)) AND w.mark = \(mark)
          AND (w.guarded = FALSE OR \(name == .guarded))
        """
      ) { row throws(DatabaseError) -> BrowserPass? in
        let patron = PatronID(try row[0])
        let origin = SessionOrigin(
          try row[8], patron: patron, account: try row[2], device: try row[9])
        guard let origin else { return nil }
        let (madeAt, until, roles): (Int64, Int64, Int) = (try row[3], try row[4], try row[5])
        let isLong = until - madeAt > Int64(BrowserPass.Span.day.seconds) * 1000
        let (provedAt, since): (Int64?, Int64?) = (try row[6], try row[7])
        return BrowserPass(
          patron: patron, owner: try row[1], origin: origin,
          reference: SessionReference(mark: mark),
          span: isLong ? .month : .day, until: until, madeAt: madeAt,
          lastSeen: try row[10], proof: BrowserPass.Proof(since: since, provedAt),
          freshAt: try row[11], isOperator: roles > 0)
      }
    }
    return found ?? nil
  }

  /// With the `successor` that the same browser has now, if there is one.
  package func endPass(
    with secret: Secret, successor: Secret? = nil, request: String
  ) async throws(RegistryError) {
    let session = SessionReference(mark: Self.passMark(of: secret))
    let next = successor.map { SessionReference(mark: Self.passMark(of: $0)) }
    let now = now()
    try await write { tx throws(DatabaseError) in
      guard let patron = try tx.owner(of: session) else { return }
      let isSame = try next.map { next throws(DatabaseError) in
        try tx.owner(of: next) == patron
      }
      let asker = Asker(at: now, who: patron.rawValue, request: request)
      try end(
        .one(session), of: patron, successor: isSame == true ? next : nil, by: asker, in: tx)
    }
  }

  /// What is kept instead of the secret: so much chance needs neither a slow hash nor a key.
  static func passMark(of secret: Secret) -> [UInt8] {
    secret.revealBytes { Digest.sha256.hash(Array("carrel/pass\0".utf8) + $0) }
  }
}

extension Snapshot {
  fileprivate func owner(of session: SessionReference) throws(DatabaseError) -> PatronID? {
    try first("SELECT w.patron FROM registry_pass w WHERE \(session.condition)") {
      row throws(DatabaseError) in PatronID(try row[0])
    }
  }
}

extension Transaction {
  /// Nil where what it was to begin with has gone.
  func insert(_ new: NewPass, by origin: SessionOrigin) throws(DatabaseError) -> Secret? {
    let now = new.at
    try execute("DELETE FROM registry_pass WHERE until <= \(now)")
    guard let base = try base(of: origin) else { return nil }
    let owes = try hasFactor(base.patron) && !new.isProved
    let until = now + (owes ? BrowserPass.patience : Int64(new.span.seconds) * 1000)
    if let account = origin.account,
      try !takes(foundPIN: new.pin, of: account, until: until, at: now)
    {
      return nil
    }
    try execute(
      """
      INSERT INTO registry_pass
        (mark, patron, account, pin_version, made_at, until, guarded, proved_at, origin, device,
          agent, last_seen, fresh_at, epoch)
      VALUES (\(Registry.passMark(of: new.secret)), \(base.patron.rawValue),
        \(origin.account?.rawValue ?? ""), \(base.version), \(now), \(until),
        \(new.name == .guarded), \(new.isProved ? now : nil), \(base.word), \(base.device),
        \(new.agent), \(now), \(owes ? nil : now), (SELECT epoch FROM patron WHERE id = \(base.patron.rawValue)))
      """)
    try note(
      .write, ["pass"], of: base.auditName, by: Asker(at: now, who: "door", request: new.request))
    return new.secret
  }
}

extension BrowserPass.Proof {
  /// A proof of before the factor that there is now is none.
  init(since: Int64?, _ provedAt: Int64?) {
    guard let since else {
      self = .none
      return
    }
    self = provedAt.map { $0 >= since } == true ? .given : .owed
  }
}
