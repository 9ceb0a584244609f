package import Circulation
package import Database

/// What may be known of a patron by whoever looks after the gateway: never what they read.
package struct PatronSight: Sendable, Hashable {
  package let patron: Patron
  /// Instants are milliseconds since 1970.
  package let madeAt: Int64
  package let cards: Int
  package let devices: Int
  /// The last sign-in of a browser or app that is still known; nil where there is none.
  package let lastSeen: Int64?
  package let isOperator: Bool
}

extension Registry {
  /// By a part of the name, or by the last digits of a card; all where nothing is given. By name.
  package func sights(
    of words: String, from offset: Int = 0, atMost limit: Int
  ) async throws(RegistryError) -> [PatronSight] {
    let word = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !word.utf8.contains(0) else { return [] }
    let folded = word.lowercased()
    let choice: SQL =
      word.isEmpty
      ? "1 = 1"
      : """
      \(.contains)(lower(p.name), \(folded)) > 0 OR EXISTS (
        SELECT 1 FROM account a WHERE a.patron = p.id AND a.card_ending = \(word.uppercased()))
      """
    return try await sights(where: choice, offset, limit)
  }

  /// Nil for one that is no more.
  package func sight(of patron: PatronID) async throws(RegistryError) -> PatronSight? {
    try await sights(where: "p.id = \(patron.rawValue)", 0, 1).first
  }

  private func sights(
    where condition: SQL, _ offset: Int, _ limit: Int
  ) async throws(RegistryError) -> [PatronSight] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT p.id, p.name, p.made_at,
          (SELECT count(*) FROM account a WHERE a.patron = p.id),
          (SELECT count(*) FROM registry_device d WHERE d.patron = p.id),
          (SELECT max(d.last_used) FROM registry_device d WHERE d.patron = p.id),
          (SELECT max(w.made_at) FROM registry_pass w WHERE w.patron = p.id),
          (SELECT max(c.last_used) FROM registry_calendar c WHERE c.patron = p.id),
          (SELECT count(*) FROM registry_operator o WHERE o.patron = p.id)
        FROM patron p WHERE \(condition)
        ORDER BY p.name\(.bytewise) LIMIT \(max(0, limit)) OFFSET \(max(0, offset))
        """
      ) { row throws(DatabaseError) in
        let seen: [Int64?] = [try row[5], try row[6], try row[7]]
        let roles: Int = try row[8]
        return PatronSight(
          patron: Patron(id: PatronID(try row[0]), name: try row[1]), madeAt: try row[2],
          cards: try row[3], devices: try row[4], lastSeen: seen.compactMap(\.self).max(),
          isOperator: roles > 0)
      }
    }
  }
}

extension SQL {
  /// Where one text begins in another, from 1.
  fileprivate static var contains: SQL { .either(sqlite: "instr", postgres: "strpos") }
}
