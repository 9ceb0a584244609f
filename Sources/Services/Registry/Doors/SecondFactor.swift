package import Circulation
import Crypto
import Database
import Machine
package import Secrets

/// That a reader signs in at the pages with a code from an app besides card and PIN.
package struct SecondFactor: Sendable, Hashable {
  /// Milliseconds since 1970.
  package let since: Int64
  /// Recovery codes that were not used.
  package let spares: Int
}

/// What an authenticator app is given, told this once.
package struct FactorKey: Sendable {
  /// RFC 4648 base32.
  package let text: Secret
  /// The same as an address that apps read (`otpauth://`).
  package let address: Secret

  init(_ key: Secret, owner: String, issuer: String) {
    text = Base32.encode(key)
    let (label, house) = (Self.encoded(owner), Self.encoded(issuer))
    address = text.revealText { text in
      Secret(
        "otpauth://totp/\(house):\(label)?secret=\(text)&issuer=\(house)&algorithm=SHA1&digits=6&period=30"
      )
    }
  }

  /// In groups of four, for whoever types it.
  package var grouped: Secret { text.revealText { Secret(spaced($0, by: " ")) } }

  /// RFC 3986 unreserved signs as they are; some apps know no `+`.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
    }.joined()
  }
}

/// The second factor of readers: begun with a key that is told once, counting from the first right
/// code on. The key is sealed like a PIN; each code counts once, whichever gateway it comes to.
extension Registry {
  /// What a right code was.
  package enum FactorProof: Sendable, Hashable { case timed, spare }

  package enum FactorBeginning: Sendable {
    case begun(FactorKey)
    /// There is one already, and it stays.
    case there
  }

  /// Nil for whoever has none, or has only begun.
  package func secondFactor(
    of patron: PatronID
  ) async throws(RegistryError) -> SecondFactor? {
    try await factorRows(of: patron).first?.factor
  }

  /// Of all who have one, by name.
  package func secondFactors() async throws(RegistryError) -> [(owner: String, SecondFactor)] {
    try await factorRows().map { ($0.owner, $0.factor) }
  }

  private struct FactorRow: Sendable {
    let owner: String
    let factor: SecondFactor
  }

  private func factorRows(
    of patron: PatronID? = nil
  ) async throws(RegistryError) -> [FactorRow] {
    let isAll = patron == nil
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT p.name, f.confirmed_at,
          (SELECT count(*) FROM registry_spare s WHERE s.patron = f.patron)
        FROM registry_factor f JOIN patron p ON p.id = f.patron
        WHERE f.confirmed_at IS NOT NULL AND (\(isAll) OR f.patron = \(patron?.rawValue ?? ""))
        ORDER BY p.name\(.bytewise)
        """
      ) { row throws(DatabaseError) in
        FactorRow(owner: try row[0], factor: SecondFactor(since: try row[1], spares: try row[2]))
      }
    }
  }

  /// Draws a key; one that was begun and never confirmed is void from then on.
  package func beginFactor(
    of patron: Patron, issuer: String, by who: String, request: String
  ) async throws(RegistryError) -> FactorBeginning {
    let key = Secret(Chance.system.bytes(TimedCode.keyLength))
    let asker = Asker(at: now(), who: who, request: request)
    let isBegun = try await withVault { vault, tx throws(DatabaseError) in
      try tx.begin(factor: key, of: patron.id, vault, asker)
    }
    return isBegun
      ? .begun(FactorKey(key, owner: patron.name, issuer: issuer)) : .there
  }

  /// Counts from now on, if this is a code of the key that was begun: the recovery codes, told this
  /// once. The browser it was done in needs no other code. Nil for a wrong one.
  package func confirmFactor(
    of patron: PatronID, with code: Secret, in pass: Secret? = nil, by who: String, request: String
  ) async throws(RegistryError) -> [Secret]? {
    guard let key = try await factorKey(of: patron, isConfirmed: false),
      let step = Self.plain(code).revealBytes({ TimedCode.step(of: $0, key, at: now()) })
    else { return nil }
    let (spares, marks) = try await newSpares(for: patron)
    let passMark = pass.map(Self.passMark)
    let asker = Asker(at: now(), who: who, request: request)
    let isConfirmed = try await write { tx throws(DatabaseError) in
      let changed = try tx.execute(
        """
        UPDATE registry_factor SET confirmed_at = \(asker.at), last_step = \(step)
        WHERE patron = \(patron.rawValue) AND confirmed_at IS NULL
        """)
      guard changed == 1 else { return false }
      try tx.exchangeSpares(of: patron, for: marks)
      if let passMark {
        try tx.execute(
          """
          UPDATE registry_pass SET proved_at = \(asker.at)
          WHERE mark = \(passMark) AND patron = \(patron.rawValue)
          """)
      }
      try tx.note(.write, ["code", "recovery"], patron, asker)
      return true
    }
    return isConfirmed ? spares : nil
  }

  /// Ten new recovery codes; the old ones are void. Nil for whoever has no second factor.
  package func renewSpares(
    of patron: PatronID, by who: String, request: String
  ) async throws(RegistryError) -> [Secret]? {
    let (spares, marks) = try await newSpares(for: patron)
    let asker = Asker(at: now(), who: who, request: request)
    let isThere = try await write { tx throws(DatabaseError) in
      guard try tx.hasFactor(patron) else { return false }
      try tx.exchangeSpares(of: patron, for: marks)
      try tx.note(.write, ["recovery"], patron, asker)
      return true
    }
    return isThere ? spares : nil
  }

  /// False where there was none, and none begun. Sessions end with it, except the one that is kept: a
  /// factor ends when the device that it was on is lost, and one that still owes a code must not open
  /// because nothing is asked for any more.
  @discardableResult
  package func endFactor(
    of patron: PatronID, keeping: SessionReference? = nil, by who: String, request: String
  ) async throws(RegistryError) -> Bool {
    let asker = Asker(at: now(), who: who, request: request)
    return try await write { tx throws(DatabaseError) in
      if try tx.hasFactor(patron) {
        try end(.all, of: patron, keeping: keeping, by: asker, in: tx)
      }
      try tx.execute("DELETE FROM registry_spare WHERE patron = \(patron.rawValue)")
      let gone = try tx.execute("DELETE FROM registry_factor WHERE patron = \(patron.rawValue)")
      guard gone == 1 else { return false }
      try tx.note(.delete, ["code", "recovery"], patron, asker)
      return true
    }
  }
}
