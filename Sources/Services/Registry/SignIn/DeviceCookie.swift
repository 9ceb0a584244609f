import Circulation
import Crypto
import Database
import Machine
import Secrets

/// What a browser keeps after a card signed in there, so that it is told from strangers who guess at the
/// same number, or at the codes of the same patron: OWASP's device cookie. Nothing is stored for it;
/// each token in it is a chance number and the month, with a keyed hash over them, the account and what
/// it stands at: after another PIN, unlinking, signing out everywhere, and after codes at sign-in begin
/// or end, its browser is a stranger. Where a code is owed it is given after the code. It opens nothing.
package struct DeviceCookie: Sendable {
  struct Token: Sendable, Hashable {
    let nonce: [UInt8]
    let month: UInt16
    let proof: [UInt8]
    let library: LibraryID
  }

  static let keyLabel = "carrel/device-cookies"
  package static let seconds = 365 * 86_400
  /// Of one browser: a family shares it.
  static let most = 5

  let tokens: [Token]

  init(tokens: [Token]) { self.tokens = Array(tokens.prefix(Self.most)) }

  /// As a browser brought it. What cannot be read is left out.
  package init(_ text: String?) {
    let parts = text.map { $0.utf8.count <= 2_000 ? $0.split(separator: ".") : [] } ?? []
    self.init(tokens: parts.compactMap { Token(String($0)) })
  }

  package var text: String { tokens.map(\.text).joined(separator: ".") }

  /// What a token is made for; another one after each event that ends it.
  struct Base: Sendable, Hashable {
    let library: LibraryID
    let account: AccountID
    let version: Int64
    let epoch: Int64
    /// Since when the patron signs in with codes; nil without. A token that was given for card and PIN
    /// alone is worth nothing where a code is asked for.
    let codesSince: Int64?

    fileprivate var text: String {
      "\(account.rawValue)\0\(version)\0\(epoch)\0\(codesSince.map { "\($0)" } ?? "")"
    }
  }

  /// The newest token that was made on one of these and is no older than a year.
  func valid(on bases: some Sequence<Base>, at now: Int64, _ key: Secret) -> Token? {
    let month = Self.month(now)
    return tokens.first { token in
      token.month <= month && month - token.month <= 12
        && bases.contains { token.isMade(on: $0, key) }
    }
  }

  /// With a new token in front, in place of those that were valid there.
  func adding(_ base: Base, _ now: Int64, _ key: Secret) -> DeviceCookie {
    let (nonce, month) = (Chance.system.bytes(Token.nonceLength), Self.month(now))
    let new = Token(
      nonce: nonce, month: month, proof: Token.proof(nonce, month, base, key),
      library: base.library)
    return DeviceCookie(tokens: [new] + tokens.filter { !$0.isMade(on: base, key) })
  }

  /// Since 1970, of thirty days each.
  private static func month(_ now: Int64) -> UInt16 {
    UInt16(clamping: now / (30 * 86_400_000))
  }
}

extension DeviceCookie.Token {
  static let nonceLength = 12
  private static let proofLength = 16

  init?(_ text: String) {
    guard let bytes = try? Base64.urlSafe.decode(text) else { return nil }
    let fixed = Self.nonceLength + 2 + Self.proofLength
    guard bytes.count >= fixed, bytes.count <= fixed + 200,
      let library = String(validating: bytes[fixed...], as: UTF8.self)
    else { return nil }
    nonce = Array(bytes.prefix(Self.nonceLength))
    month = UInt16(bytes[Self.nonceLength]) << 8 | UInt16(bytes[Self.nonceLength + 1])
    proof = Array(bytes[(Self.nonceLength + 2)..<fixed])
    self.library = LibraryID(library)
  }

  var text: String {
    Base64.urlSafe.encode(nonce + Self.bytes(month) + proof + Array(library.rawValue.utf8))
  }

  fileprivate func isMade(on base: DeviceCookie.Base, _ key: Secret) -> Bool {
    library == base.library
      && constantTimeEqual(proof, Self.proof(nonce, month, base, key))
  }

  fileprivate static func proof(
    _ nonce: [UInt8], _ month: UInt16, _ base: DeviceCookie.Base, _ key: Secret
  ) -> [UInt8] {
    let parts = [
      Secret(base.library.rawValue), Secret(nonce), Secret(bytes(month)), Secret(base.text),
    ]
    return Array(SignInMarks.mark("card", parts, key).prefix(proofLength))
  }

  private static func bytes(_ month: UInt16) -> [UInt8] {
    [UInt8(month >> 8), UInt8(truncatingIfNeeded: month)]
  }
}

extension DeviceCookie.Base {
  static let columns: SQL = """
    a.library, a.id, a.version, p.epoch,
      (SELECT f.confirmed_at FROM registry_factor f WHERE f.patron = p.id)
    """

  fileprivate init(_ row: borrowing Row) throws(DatabaseError) {
    (library, account) = (LibraryID(try row[0]), AccountID(try row[1]))
    (version, epoch, codesSince) = (try row[2], try row[3], try row[4])
  }
}

extension Registry {
  /// What tokens for this number stand on, at each of the libraries where it signs a patron in.
  func deviceBases(
    of number: Secret, at libraries: [LibraryID]
  ) async throws(RegistryError) -> [LibraryID: DeviceCookie.Base] {
    let subject = Card.subject(of: number, try await vault())
    let authorities = libraries.map(\.rawValue)
    let bases = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(DeviceCookie.Base.columns) FROM sign_in_way w
          JOIN account a ON a.id = w.account AND a.patron = w.patron AND a.library = w.authority
          JOIN patron p ON p.id = w.patron
        WHERE w.subject = \(subject) AND w.kind = \(SignInKind.card)
          AND w.authority IN (\(authorities))
        """
      ) { row throws(DatabaseError) in try DeviceCookie.Base(row) }
    }
    return Dictionary(bases.map { ($0.library, $0) }) { one, _ in one }
  }

  /// What tokens of this patron's stand on, whichever sign-in they were given for: those of the accounts,
  /// and first that of sign-ins without a card, which is of no library.
  func deviceBases(of patron: PatronID) async throws(RegistryError) -> [DeviceCookie.Base] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(DeviceCookie.Base.columns) FROM patron p
          JOIN (
            SELECT id AS patron, '' AS library, id, 0 AS version FROM patron
            UNION ALL SELECT patron, library, id, version FROM account
          ) a ON a.patron = p.id
        WHERE p.id = \(patron.rawValue) ORDER BY a.library\(.bytewise)
        """
      ) { row throws(DatabaseError) in try DeviceCookie.Base(row) }
    }
  }
}
