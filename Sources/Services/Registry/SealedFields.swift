package import Circulation
import Database
package import ProviderKit
import Secrets
import Vault

/// One field of an account's credentials as it is stored.
struct SealedField: Sendable {
  let account: AccountID
  let name: RecordName
  let version: Int64
  let blob: [UInt8]
}

extension Registry {
  /// What the library knows the reader by, opened for a person; noted in the audit before anybody gets
  /// to see it.
  package func credentials(
    of id: AccountID, request: String
  ) async throws(RegistryError) -> Credentials {
    try await credentials(of: id, request: request) {
      tx, action, names, asker throws(DatabaseError) in
      try tx.note(action, names, of: id, by: asker)
    }
  }

  /// The same for a program, which tells nobody; counted in the audit.
  package func credentials(
    of id: AccountID, for reason: Opening
  ) async throws(RegistryError) -> Credentials {
    try await credentials(of: id, request: "") {
      tx, action, names, asker throws(DatabaseError) in
      try tx.count(action, names, of: id, by: asker, reason)
    }
  }

  private func credentials(
    of id: AccountID, request: String,
    noting note:
      @escaping @Sendable (Transaction, AuditEntry.Action, [String], Asker)
      throws(DatabaseError) -> Void
  ) async throws(RegistryError) -> Credentials {
    let (owner, fields) = try await sealed(of: id)
    guard !fields.isEmpty else { return Credentials([:]) }
    let vault = try await vault()
    let asker = Asker(at: now(), who: owner.rawValue, request: request)
    let names = fields.map(\.name.field)
    do throws(RegistryError) {
      let credentials = try await open(fields, of: id, vault)
      try await write { tx throws(DatabaseError) in
        try note(tx, .read, names, asker)
      }
      return credentials
    } catch {
      if case .vault = error {
        try await write { tx throws(DatabaseError) in
          try note(tx, .fail, names, asker)
        }
      }
      throw error
    }
  }

  /// Which fields are kept, without opening one.
  package func fieldNames(of id: AccountID) async throws(RegistryError) -> [String] {
    try await sealed(of: id).fields.map(\.name.field)
  }

  private func open(
    _ fields: [SealedField], of id: AccountID, _ vault: Vault
  ) async throws(RegistryError) -> Credentials {
    do throws(VaultError) {
      return try fields.opened(by: vault)
    } catch {
      guard case .unknownKey = error else { throw .vault(error) }
    }
    // Another gateway made a new key; it may also have retired the one these were sealed with.
    try await refresh(vault)
    let (_, fields) = try await sealed(of: id)
    do throws(VaultError) {
      return try fields.opened(by: vault)
    } catch {
      throw .vault(error)
    }
  }

  private func sealed(
    of id: AccountID
  ) async throws(RegistryError) -> (owner: PatronID, fields: [SealedField]) {
    let found = try await read { snapshot throws(DatabaseError) -> (PatronID, [SealedField])? in
      guard let row = try snapshot.account(id) else { return nil }
      let fields = try snapshot.rows(
        """
        SELECT field, version, sealed FROM account_secret WHERE account = \(id.rawValue)
        ORDER BY field\(.bytewise)
        """
      ) { stored throws(DatabaseError) in
        SealedField(
          account: id, name: row.account.recordName(try stored[0]), version: try stored[1],
          blob: try stored[2])
      }
      return (row.account.patron, fields)
    }
    guard let found else { throw .noSuchAccount(id.rawValue) }
    return found
  }

  /// Runs a transaction that seals. Where the vault here has not heard that its key was retired, it is
  /// told, and the transaction runs once more.
  func withVault<T: Sendable>(
    _ body:
      @escaping @Sendable (Vault, Transaction) throws(DatabaseError) -> Result<T, RegistryError>
  ) async throws(RegistryError) -> T {
    let vault = try await vault()
    do throws(RegistryError) {
      return try await decide { tx throws(DatabaseError) in try body(vault, tx) }
    } catch {
      guard case .vault(.unknownKey) = error else { throw error }
    }
    try await refresh(vault)
    return try await decide { tx throws(DatabaseError) in try body(vault, tx) }
  }

  func refresh(_ vault: Vault) async throws(RegistryError) {
    do throws(VaultError) {
      try await vault.refresh()
    } catch {
      throw .vault(error)
    }
  }
}

extension [SealedField] {
  fileprivate func opened(by vault: Vault) throws(VaultError) -> Credentials {
    var opened: [String: Secret] = [:]
    for field in self {
      opened[field.name.field] = try vault.open(field.blob, as: field.name, version: field.version)
    }
    return Credentials(opened)
  }
}

extension Account {
  /// Both ids, so that a row does not open under another account of the patron, nor under another
  /// patron who was made the account's owner.
  func recordName(_ field: String) -> RecordName {
    RecordName(
      owner: "\(patron.rawValue)/\(id.rawValue)", provider: provider.rawValue, field: field)
  }
}

extension Transaction {
  func fields(of account: AccountID) throws(DatabaseError) -> [String] {
    try rows(
      """
      SELECT field FROM account_secret WHERE account = \(account.rawValue)
      ORDER BY field\(.bytewise)
      """
    ) { row throws(DatabaseError) in try row[0] }
  }

  /// Seals every field and puts it in the place of what was there.
  func seal(
    _ credentials: Credentials, of account: Account, version: Int64, _ vault: Vault?,
    _ asker: Asker
  ) throws(DatabaseError) -> Result<Void, RegistryError> {
    guard let vault else { return .success(()) }
    for (field, secret) in credentials.fields.sorted(by: { $0.key < $1.key }) {
      switch try seal(secret, as: account.recordName(field), version: version, vault) {
      case .failure(let error): return .failure(error)
      case .success(let blob):
        try execute(
          """
          INSERT INTO account_secret (account, field, version, sealed)
          VALUES (\(account.id.rawValue), \(field), \(version), \(blob))
          ON CONFLICT (account, field) DO UPDATE SET version = \(version), sealed = \(blob)
          """)
      }
    }
    try note(.write, credentials.fields.keys.sorted(), of: account.id, by: asker)
    return .success(())
  }

  /// Refused with a key that was retired: what it seals would be lost.
  func seal(
    _ secret: Secret, as name: RecordName, version: Int64, _ vault: Vault
  ) throws(DatabaseError) -> Result<[UInt8], RegistryError> {
    let sealed = Result { () throws(VaultError) in
      let blob = try vault.seal(secret, as: name, version: version)
      return (blob, try Vault.keyNumber(of: blob))
    }
    switch sealed {
    case .failure(let error): return .failure(.vault(error))
    case .success(let (blob, number)):
      return try isRetired(number, vault) ? .failure(.vault(.unknownKey(number))) : .success(blob)
    }
  }

  /// Overwritten at the same length first, so that the page of the file no longer has it either.
  func erase(
    _ fields: [String], of account: AccountID, by asker: Asker
  ) throws(DatabaseError) {
    for field in fields {
      let place: SQL = "WHERE account = \(account.rawValue) AND field = \(field)"
      let length = try value("SELECT length(sealed) FROM account_secret \(place)", as: Int.self)
      let zeros = [UInt8](repeating: 0, count: length)
      try execute("UPDATE account_secret SET sealed = \(zeros) \(place)")
      try execute("DELETE FROM account_secret \(place)")
    }
    try note(.delete, fields, of: account, by: asker)
  }
}
