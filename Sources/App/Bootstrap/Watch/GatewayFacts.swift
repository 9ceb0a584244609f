import Database

/// Single numbers that gateways leave in the database, for one another and for monitoring. A backup
/// leaves them out: they tell of this database and not of what is in it.
enum GatewayFacts {
  enum Name: String {
    /// The newest time at which a gateway wrote here, in milliseconds since 1970.
    case newestTime = "newest_time"
    /// When a backup was last written whole, in milliseconds since 1970.
    case lastBackup = "last_backup"
  }

  static let table = "gateway_fact"

  static let migrations = MigrationList(
    "gateway",
    [
      Migration(
        "facts",
        [
          """
          CREATE TABLE gateway_fact (
            name \(.text) PRIMARY KEY, value \(.integer) NOT NULL)\(.strictTable)
          """
        ]), EarlierAddresses.migration,
    ])
}

extension Snapshot {
  func fact(_ name: GatewayFacts.Name) throws(DatabaseError) -> Int64? {
    try first("SELECT value FROM gateway_fact WHERE name = \(name.rawValue)") {
      row throws(DatabaseError) in try row[0]
    }
  }
}

extension Transaction {
  func set(_ name: GatewayFacts.Name, to value: Int64) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO gateway_fact (name, value) VALUES (\(name.rawValue), \(value))
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """)
  }
}
