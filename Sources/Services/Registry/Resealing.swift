package import Circulation
import Database
import Vault

/// What a run over all sealed rows did.
package struct Resealing: Sendable, Hashable {
  package internal(set) var resealed = 0
  /// Rows that do not open, by account and field; a reader's app stands as `factor/` and the reader.
  /// Their key is kept.
  package internal(set) var unreadable: [Row] = []
  package internal(set) var retired: [Int] = []

  package struct Row: Sendable, Hashable {
    package let account: AccountID
    package let field: String
  }

  /// The last row looked at. Rows that are done no longer have an old key and are not met again, so a
  /// run that was interrupted goes on without it; within a run it leads past what is unreadable.
  var cursor: Row?
  var factorCursor: PatronID?
}

extension Resealing {
  fileprivate mutating func count(_ row: Row, isDone: Bool) {
    if isDone { resealed += 1 } else { unreadable.append(row) }
  }
}

extension Registry {
  /// Seals everything with the active key that was sealed with an older one, cards and PINs and then
  /// the keys of apps, some rows in each transaction, and retires the keys that nothing needs any more. Others may read and write meanwhile.
  package func reseal(
    request: String, rowsAtOnce: Int = 50
  ) async throws(RegistryError) -> Resealing {
    let vault = try await vault()
    try await refresh(vault)
    var progress = Resealing()
    while try await resealSome(rowsAtOnce, &progress, vault, request) {}
    while try await resealFactors(rowsAtOnce, &progress, vault, request) {}
    for number in vault.keyNumbers where number != vault.activeKey {
      if try await retire(number, vault) { progress.retired.append(number) }
    }
    return progress
  }

  /// False when there is nothing left.
  func resealSome(
    _ limit: Int, _ progress: inout Resealing, _ vault: Vault, _ request: String
  ) async throws(RegistryError) -> Bool {
    try await step(&progress, vault, request) { after, tx, active, asker throws(DatabaseError) in
      let rows = try tx.fields(sealedBefore: active, after: after.cursor, limit)
      for row in rows {
        let place = Resealing.Row(account: row.account, field: row.name.field)
        after.cursor = place
        after.count(place, isDone: try tx.reseal(row, vault, asker))
      }
      return rows.count == limit
    }
  }

  func resealFactors(
    _ limit: Int, _ progress: inout Resealing, _ vault: Vault, _ request: String
  ) async throws(RegistryError) -> Bool {
    try await step(&progress, vault, request) { after, tx, active, asker throws(DatabaseError) in
      let factors = try tx.factors(sealedBefore: active, after: after.factorCursor, limit)
      for factor in factors {
        after.factorCursor = factor.patron
        let place = Resealing.Row(
          account: AccountID("factor/\(factor.patron.rawValue)"), field: "code")
        after.count(place, isDone: try tx.reseal(factor, vault, asker))
      }
      return factors.count == limit
    }
  }

  private func step(
    _ progress: inout Resealing, _ vault: Vault, _ request: String,
    _ body:
      @escaping @Sendable (inout Resealing, Transaction, Int, Asker) throws(DatabaseError) -> Bool
  ) async throws(RegistryError) -> Bool {
    let (before, asker) = (progress, Asker(at: now(), who: "reseal", request: request))
    let active = vault.activeKey
    let (after, isMore) = try await decide {
      tx throws(DatabaseError) -> Result<(Resealing, Bool), RegistryError> in
      // Another gateway may have made yet another key, and retired this one.
      guard try !tx.isRetired(active, vault) else {
        return .failure(.vault(.unknownKey(active)))
      }
      var after = before
      let isMore = try body(&after, tx, active, asker)
      return .success((after, isMore))
    }
    progress = after
    return isMore
  }

  /// The database learns of it first. A gateway that still has the key seals nothing with it from then
  /// on, so the key may go; and until it goes, the next run comes by again.
  private func retire(_ number: Int, _ vault: Vault) async throws(RegistryError) -> Bool {
    let mark = vault.mark
    let isUnused = try await write { tx throws(DatabaseError) in
      let uses = try tx.value(
        """
        SELECT (SELECT COUNT(*) FROM account_secret WHERE \(.keyNumber) = \(keyBytes(number)))
          + (SELECT COUNT(*) FROM registry_factor
            WHERE version IS NOT NULL AND \(.keyNumber) = \(keyBytes(number)))
        """, as: Int.self)
      guard uses == 0 else { return false }
      try tx.execute(
        """
        INSERT INTO vault_retired_key (vault, number) VALUES (\(mark), \(number))
        ON CONFLICT (vault, number) DO NOTHING
        """)
      return true
    }
    guard isUnused else { return false }
    do throws(VaultError) {
      try await vault.retire(number)
    } catch {
      throw .vault(error)
    }
    return true
  }
}

extension SQL {
  /// The number of the key, as it stands in the record itself.
  static var keyNumber: SQL { "substr(sealed, 3, 2)" }
}

func keyBytes(_ number: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
}

extension Transaction {
  /// Whether what is written with that key now would be lost.
  func isRetired(_ number: Int, _ vault: Vault) throws(DatabaseError) -> Bool {
    try value(
      """
      SELECT COUNT(*) FROM vault_retired_key
      WHERE vault = \(vault.mark) AND number = \(number)
      """, as: Int.self) > 0
  }

  fileprivate func fields(
    sealedBefore key: Int, after cursor: Resealing.Row?, _ limit: Int
  ) throws(DatabaseError) -> [SealedField] {
    let (account, field) = (cursor?.account.rawValue ?? "", cursor?.field ?? "")
    return try rows(
      """
      SELECT s.account, s.field, s.version, s.sealed, a.patron, a.provider
      FROM account_secret s JOIN account a ON a.id = s.account
      WHERE \(.keyNumber) < \(keyBytes(key))
        AND (s.account\(.bytewise), s.field\(.bytewise)) > (\(account), \(field))
      ORDER BY s.account\(.bytewise), s.field\(.bytewise) LIMIT \(limit)
      """
    ) { row throws(DatabaseError) in
      let account = AccountID(rawValue: try row[0])
      let owner = Account(
        id: account, patron: PatronID(rawValue: try row[4]), name: "",
        provider: ProviderID(rawValue: try row[5]), library: LibraryID(rawValue: ""), linkedAt: 0)
      return SealedField(
        account: account, name: owner.recordName(try row[1]), version: try row[2],
        blob: try row[3])
    }
  }

  /// False where the row does not open. The version stays: it counts contents, and this is the same.
  fileprivate func reseal(
    _ row: SealedField, _ vault: Vault, _ asker: Asker
  ) throws(DatabaseError) -> Bool {
    let field = row.name.field
    let anew = Result { () throws(VaultError) in
      try vault.seal(
        try vault.open(row.blob, as: row.name, version: row.version), as: row.name,
        version: row.version)
    }
    guard case .success(let blob) = anew else {
      try note(.fail, [field], of: row.account, by: asker)
      return false
    }
    try execute(
      """
      UPDATE account_secret SET sealed = \(blob)
      WHERE account = \(row.account.rawValue) AND field = \(field)
      """)
    try note(.write, [field], of: row.account, by: asker)
    return true
  }
}
