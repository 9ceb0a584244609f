package import Database
import Machine
package import Secrets

/// What names and signatures of this gateway are made with. It guards no reader's secret, only that
/// nobody makes addresses of pictures up; so it stands in the database, where all gateways that share
/// it find the same.
package enum GatewayKey {
  package static let migrations = MigrationList(
    "facade",
    [
      Migration(
        "gateway-key",
        [
          """
          CREATE TABLE facade_key (
            id \(.integer) PRIMARY KEY CHECK (id = 1), key \(.blob) NOT NULL)\(.strictTable)
          """
        ])
    ])

  /// Made when there is none.
  package static func key(in store: Store) async throws(DatabaseError) -> Secret {
    let known = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT key FROM facade_key") { row throws(DatabaseError) -> [UInt8] in
        try row[0]
      }
    }
    if let known { return Secret(known) }
    let fresh = Chance.system.bytes(32)
    return try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        "INSERT INTO facade_key (id, key) VALUES (1, \(fresh)) ON CONFLICT (id) DO NOTHING")
      let key: [UInt8] = try tx.value("SELECT key FROM facade_key")
      return Secret(key)
    }
  }
}
