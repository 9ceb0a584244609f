package import Database

/// How many there are, for whoever watches the house.
package struct Headcount: Sendable, Hashable {
  package let readers: Int
  package let accounts: Int
}

extension Registry {
  package func headcount() async throws(DatabaseError) -> Headcount {
    try await store.read { tx throws(DatabaseError) in
      Headcount(
        readers: try tx.value("SELECT count(*) FROM patron"),
        accounts: try tx.value("SELECT count(*) FROM account"))
    }
  }

  /// Whether anything is sealed here: without that, a gateway needs no vault.
  package func hasSecrets(
    by deadline: ContinuousClock.Instant
  ) async throws(DatabaseError) -> Bool {
    try await store.read(by: deadline) { tx throws(DatabaseError) in
      for table in ["account_secret", "registry_factor"] as [SQLName] {
        let found = try tx.first("SELECT 1 FROM \(name: table) LIMIT 1") {
          _ throws(DatabaseError) in true
        }
        if found != nil { return true }
      }
      return false
    }
  }
}
