package import Circulation
package import Database

/// Somebody who looks after the gateway.
package struct Operator: Sendable, Hashable {
  package let patron: Patron
  /// Milliseconds since 1970.
  package let since: Int64
}

/// Who looks after the gateway. The role is looked up at each request, so that it ends at once.
extension Registry {
  /// By name.
  package func operators() async throws(RegistryError) -> [Operator] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT p.id, p.name, o.made_at FROM registry_operator o JOIN patron p ON p.id = o.patron
        ORDER BY p.name\(.bytewise)
        """
      ) { row throws(DatabaseError) in
        Operator(patron: Patron(id: PatronID(try row[0]), name: try row[1]), since: try row[2])
      }
    }
  }

  /// False where the patron is one already.
  @discardableResult
  package func makeOperator(
    _ patron: PatronID, by who: String, request: String
  ) async throws(RegistryError) -> Bool {
    let now = now()
    return try await decide { tx throws(DatabaseError) -> Result<Bool, RegistryError> in
      let known = try tx.value(
        "SELECT count(*) FROM patron WHERE id = \(patron.rawValue)", as: Int.self)
      guard known > 0 else { return .failure(.noSuchPatron(patron.rawValue)) }
      let added = try tx.execute(
        """
        INSERT INTO registry_operator (patron, made_at) VALUES (\(patron.rawValue), \(now))
        ON CONFLICT (patron) DO NOTHING
        """)
      guard added == 1 else { return .success(false) }
      try tx.note(OfficeDeed(.write, "operator", patron.rawValue, by: who, request), at: now)
      return .success(true)
    }
  }

  /// False where the patron is none.
  @discardableResult
  package func endOperator(
    _ patron: PatronID, by who: String, request: String
  ) async throws(RegistryError) -> Bool {
    let now = now()
    return try await write { tx throws(DatabaseError) in
      let gone = try tx.execute(
        "DELETE FROM registry_operator WHERE patron = \(patron.rawValue)")
      guard gone == 1 else { return false }
      try tx.note(OfficeDeed(.delete, "operator", patron.rawValue, by: who, request), at: now)
      return true
    }
  }
}
