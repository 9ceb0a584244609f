import Circulation
import Crypto
import Database
import Secrets
import Vault

/// The key of a reader's app as it is stored: a record like those of cards.
struct SealedFactor: Sendable {
  let patron: PatronID
  /// Nil for one of before: it was sealed under a sub-key of the vault's seed, which no rotation changes.
  let version: Int64?
  let blob: [UInt8]

  static let columns: SQL = "patron, version, sealed"

  init(_ row: borrowing Row) throws(DatabaseError) {
    (patron, version, blob) = (PatronID(rawValue: try row[0]), try row[1], try row[2])
  }

  /// No account has such an owner: theirs are two ids.
  static func name(_ patron: PatronID) -> RecordName {
    RecordName(owner: patron.rawValue, provider: "", field: "second-factor")
  }

  func opened(by vault: Vault) throws(VaultError) -> Secret {
    if let version {
      return try vault.open(blob, as: Self.name(patron), version: version)
    }
    let name = Array("factor\0\(patron.rawValue)".utf8)
    let key = try vault.subkey("carrel/second-factor")
    do throws(CryptoError) { return try FieldSealing.open(blob, as: name, key) } catch {
      throw .damaged(.record)
    }
  }
}

extension Registry {
  /// Nil for one that does not open: sealed by another vault, or changed. Nobody gets in by it.
  func factorKey(
    of patron: PatronID, isConfirmed: Bool
  ) async throws(RegistryError) -> Secret? {
    guard let sealed = try await sealedFactor(of: patron, isConfirmed) else { return nil }
    let vault = try await vault()
    do throws(VaultError) { return try sealed.opened(by: vault) } catch {
      guard case .unknownKey = error else { return nil }
    }
    // Another gateway made a new key; it may also have retired the one this was sealed with.
    try await refresh(vault)
    return try await sealedFactor(of: patron, isConfirmed).flatMap { try? $0.opened(by: vault) }
  }

  private func sealedFactor(
    of patron: PatronID, _ isConfirmed: Bool
  ) async throws(RegistryError) -> SealedFactor? {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT \(SealedFactor.columns) FROM registry_factor
        WHERE patron = \(patron.rawValue) AND (confirmed_at IS NOT NULL) = \(isConfirmed)
        """, SealedFactor.init)
    }
  }
}

extension Transaction {
  /// False where there is one that counts, which stays.
  func begin(
    factor key: Secret, of patron: PatronID, _ vault: Vault, _ asker: Asker
  ) throws(DatabaseError) -> Result<Bool, RegistryError> {
    let (id, version) = (patron.rawValue, asker.at)
    let sealed: [UInt8]
    switch try seal(key, as: SealedFactor.name(patron), version: version, vault) {
    case .failure(let error): return .failure(error)
    case .success(let blob): sealed = blob
    }
    let changed = try execute(
      """
      INSERT INTO registry_factor (patron, sealed, version, made_at, last_step)
      VALUES (\(id), \(sealed), \(version), \(asker.at), 0)
      ON CONFLICT (patron) DO UPDATE SET sealed = \(sealed), version = \(version),
        made_at = \(asker.at), last_step = 0
      WHERE registry_factor.confirmed_at IS NULL
      """)
    guard changed == 1 else { return .success(false) }
    try note(.write, ["begun"], patron, asker)
    return .success(true)
  }

  /// Those that the active key has not sealed.
  func factors(
    sealedBefore key: Int, after cursor: PatronID?, _ limit: Int
  ) throws(DatabaseError) -> [SealedFactor] {
    try rows(
      """
      SELECT \(SealedFactor.columns) FROM registry_factor
      WHERE (version IS NULL OR \(.keyNumber) < \(keyBytes(key)))
        AND patron\(.bytewise) > \(cursor?.rawValue ?? "")
      ORDER BY patron\(.bytewise) LIMIT \(limit)
      """, SealedFactor.init)
  }

  /// False where it does not open. The version stays, where it has one.
  func reseal(
    _ factor: SealedFactor, _ vault: Vault, _ asker: Asker
  ) throws(DatabaseError) -> Bool {
    let version = factor.version ?? asker.at
    let anew = Result { () throws(VaultError) in
      try vault.seal(
        try factor.opened(by: vault), as: SealedFactor.name(factor.patron), version: version)
    }
    guard case .success(let blob) = anew else {
      try note(.fail, ["code"], factor.patron, asker)
      return false
    }
    try execute(
      """
      UPDATE registry_factor SET sealed = \(blob), version = \(version)
      WHERE patron = \(factor.patron.rawValue)
      """)
    try note(.write, ["code"], factor.patron, asker)
    return true
  }
}
