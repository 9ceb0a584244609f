package import Circulation
import Crypto
import Database

/// Names one session without being good for signing in: the beginning of the mark that is stored of it.
/// What is bound to it ends with the session.
package struct SessionReference: Sendable, Hashable {
  private static let length = 16

  let prefix: [UInt8]

  init(mark: [UInt8]) { prefix = Array(mark.prefix(Self.length)) }

  /// Nil for text that `text` did not make.
  package init?(_ text: String) {
    guard let bytes = try? Hex.decode(text), bytes.count == Self.length else { return nil }
    prefix = bytes
  }

  package var text: String { Hex.encode(prefix) }

  /// The row `w` whose mark begins so; a step in the index of marks on both engines.
  var condition: SQL {
    let last = prefix + [UInt8](repeating: 0xFF, count: 32 - Self.length)
    return "w.mark >= \(prefix) AND w.mark <= \(last)"
  }
}

extension Registry {
  /// Whether this session of the patron's is open now and owes no code.
  package func isOpen(
    _ session: SessionReference, of patron: PatronID
  ) async throws(RegistryError) -> Bool {
    let now = now()
    return try await read { snapshot throws(DatabaseError) in
      let found = try snapshot.first(
        """
        SELECT w.proved_at, (SELECT f.confirmed_at FROM registry_factor f WHERE f.patron = w.patron)
        FROM \(SQL.openSessions(at: now)) AND w.patron = \(patron.rawValue)
          AND \(session.condition)
        """
      ) { row throws(DatabaseError) -> BrowserPass.Proof in
        BrowserPass.Proof(since: try row[1], try row[0])
      }
      return found.map { $0 != .owed } ?? false
    }
  }
}
