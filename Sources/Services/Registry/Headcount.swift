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
}
