import Circulation
import Crypto
import Database
import Secrets
import Vault

/// Codes as they are used up, and the keys and marks behind them.
extension Registry {
  /// Whether this is a code of the reader's, and uses it up. Counting guesses is the doorkeeper's.
  func useCode(
    _ code: Secret, of patron: PatronID, request: String
  ) async throws(RegistryError) -> FactorProof? {
    let asker = Asker(at: now(), who: patron.rawValue, request: request)
    let plain = Self.plain(code)
    let proof: FactorProof? =
      switch plain.count {
      case TimedCode.digits: try await useTimed(plain, of: patron, asker) ? .timed : nil
      case Self.spareLength: try await useSpare(plain, of: patron, asker) ? .spare : nil
      default: nil
      }
    if proof == nil { try await noteWrongCode(of: patron, request: request) }
    return proof
  }

  /// Those who guess are slowed long before they fill the audit.
  func noteWrongCode(of patron: PatronID, request: String) async throws(RegistryError) {
    let asker = Asker(at: now(), who: patron.rawValue, request: request)
    try await write { tx throws(DatabaseError) in try tx.note(.fail, ["code"], patron, asker) }
  }

  /// Whether it looks like a code of the app, of which there are few.
  static func isTimed(_ code: Secret) -> Bool { plain(code).count == TimedCode.digits }

  /// Whether this is a recovery code of the patron's, and uses it up. A wrong one leaves no line.
  func useRecoveryCode(
    _ code: Secret, of patron: PatronID, request: String
  ) async throws(RegistryError) -> Bool {
    let plain = Self.plain(code)
    guard plain.count == Self.spareLength else { return false }
    return try await useSpare(
      plain, of: patron, Asker(at: now(), who: patron.rawValue, request: request))
  }

  private func useTimed(
    _ code: Secret, of patron: PatronID, _ asker: Asker
  ) async throws(RegistryError) -> Bool {
    guard let key = try await factorKey(of: patron, isConfirmed: true),
      let step = code.revealBytes({ TimedCode.step(of: $0, key, at: asker.at) })
    else { return false }
    // A step that lies ahead of every clock was written by one that was wrong.
    let ahead = TimedCode.step(at: asker.at) + 1
    return try await write { tx throws(DatabaseError) in
      let used = try tx.execute(
        """
        UPDATE registry_factor SET last_step = \(step)
        WHERE patron = \(patron.rawValue) AND confirmed_at IS NOT NULL
          AND (last_step < \(step) OR last_step > \(ahead))
        """)
      guard used == 1 else { return false }
      try tx.note(.read, ["code"], patron, asker)
      return true
    }
  }

  private func useSpare(
    _ code: Secret, of patron: PatronID, _ asker: Asker
  ) async throws(RegistryError) -> Bool {
    let mark = Self.spareMark(of: code, patron, try await spareKey())
    // Those who guess on and on cause no writes.
    let isThere = try await read { snapshot throws(DatabaseError) in
      try snapshot.value(
        """
        SELECT count(*) FROM registry_spare
        WHERE patron = \(patron.rawValue) AND mark = \(mark)
        """, as: Int.self) > 0
    }
    guard isThere else { return false }
    return try await write { tx throws(DatabaseError) in
      let used = try tx.execute(
        "DELETE FROM registry_spare WHERE patron = \(patron.rawValue) AND mark = \(mark)")
      guard used == 1 else { return false }
      try tx.note(.delete, ["recovery"], patron, asker)
      return true
    }
  }
}

extension Registry {
  /// Six groups of four: over 112 bits, so that a mark is as good as a slow hash.
  static var spareLength: Int { 24 }
  private static var spareCount: Int { 10 }

  static var factors: [SQL] {
    [
      """
      CREATE TABLE registry_factor (
        patron \(.text) PRIMARY KEY REFERENCES patron (id),
        sealed \(.blob) NOT NULL,
        made_at \(.integer) NOT NULL,
        confirmed_at \(.integer),
        last_step \(.integer) NOT NULL)\(.strictTable)
      """,
      """
      CREATE TABLE registry_spare (
        patron \(.text) NOT NULL REFERENCES patron (id),
        mark \(.blob) NOT NULL,
        PRIMARY KEY (patron, mark))\(.strictTable)
      """,
      "ALTER TABLE registry_pass ADD COLUMN proved_at \(.integer)",
    ]
  }

  private func spareKey() async throws(RegistryError) -> Secret {
    let vault = try await vault()
    do throws(VaultError) { return try vault.subkey("carrel/recovery-code") } catch {
      throw .vault(error)
    }
  }

  func newSpares(
    for patron: PatronID
  ) async throws(RegistryError) -> (shown: [Secret], marks: [[UInt8]]) {
    let key = try await spareKey()
    let codes = (0..<Self.spareCount).map { _ in DevicePassword.new(length: Self.spareLength) }
    return (
      codes.map { $0.revealText { Secret(spaced($0, by: "-")) } },
      codes.map { Self.spareMark(of: $0, patron, key) }
    )
  }

  private static func spareMark(of code: Secret, _ patron: PatronID, _ key: Secret) -> [UInt8] {
    code.revealBytes { bytes in
      var whole = Array("\(patron.rawValue)\0".utf8) + bytes
      defer { wipe(&whole) }
      return Digest.sha256.authenticate(whole, key: key)
    }
  }

  /// As it was given out, however it was typed.
  static func plain(_ code: Secret) -> Secret {
    code.count <= 100 ? DevicePassword.plain(code) : Secret("")
  }
}

/// In groups of four.
func spaced(_ text: String, by blank: String) -> String {
  let signs = Array(text)
  return stride(from: 0, to: signs.count, by: 4).map {
    String(signs[$0..<min($0 + 4, signs.count)])
  }.joined(separator: blank)
}

extension Snapshot {
  /// Whether the patron signs in with codes.
  func hasFactor(_ patron: PatronID) throws(DatabaseError) -> Bool {
    try value(
      """
      SELECT count(*) FROM registry_factor
      WHERE patron = \(patron.rawValue) AND confirmed_at IS NOT NULL
      """, as: Int.self) > 0
  }
}

extension Transaction {
  func exchangeSpares(
    of patron: PatronID, for marks: [[UInt8]]
  ) throws(DatabaseError) {
    try execute("DELETE FROM registry_spare WHERE patron = \(patron.rawValue)")
    for mark in marks {
      try execute(
        "INSERT INTO registry_spare (patron, mark) VALUES (\(patron.rawValue), \(mark))")
    }
  }

  func note(
    _ action: AuditEntry.Action, _ fields: [String], _ patron: PatronID, _ asker: Asker
  ) throws(DatabaseError) {
    try note(action, fields, of: AccountID("factor/\(patron.rawValue)"), by: asker)
  }
}
