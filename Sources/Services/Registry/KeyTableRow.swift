package import Database
package import Vault

extension KeyTablePlace {
  /// The key table in the database, where all gateways that share it find the same keys.
  package static func row(in store: Store) -> KeyTablePlace {
    KeyTablePlace(
      load: { () async throws(VaultError) in
        try await inPlace { () async throws(DatabaseError) in
          try await store.read { snapshot throws(DatabaseError) in
            try snapshot.first("SELECT bytes FROM vault_key_table WHERE id = 1") {
              row throws(DatabaseError) -> [UInt8] in try row[0]
            }
          }
        }
      },
      replace: { old, new async throws(VaultError) in
        try await inPlace { () async throws(DatabaseError) in
          try await store.write { tx throws(DatabaseError) in
            guard let old else {
              return try tx.execute(
                """
                INSERT INTO vault_key_table (id, bytes) VALUES (1, \(new))
                ON CONFLICT (id) DO NOTHING
                """) == 1
            }
            return try tx.execute(
              "UPDATE vault_key_table SET bytes = \(new) WHERE id = 1 AND bytes = \(old)") == 1
          }
        }
      })
  }
}

private func inPlace<R>(
  _ body: () async throws(DatabaseError) -> R
) async throws(VaultError) -> R {
  do throws(DatabaseError) {
    return try await body()
  } catch {
    throw .placeFailed(error.description)
  }
}

/// The same within a transaction, for whoever copies all there is.
package enum KeyTableRow {
  package static let table = "vault_key_table"

  package static func bytes(_ snapshot: Snapshot) throws(DatabaseError) -> [UInt8]? {
    try snapshot.first("SELECT bytes FROM vault_key_table WHERE id = 1") {
      row throws(DatabaseError) in try row[0]
    }
  }

  package static func put(_ bytes: [UInt8], _ tx: Transaction) throws(DatabaseError) {
    try tx.execute("DELETE FROM vault_key_table")
    try tx.execute("INSERT INTO vault_key_table (id, bytes) VALUES (1, \(bytes))")
  }
}
