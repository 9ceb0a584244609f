import Database
import HTTP

/// Addresses that patrons had given before there was `http.patron_hosts`. They were judged by the operator's
/// allowances then and still are in this release; `doctor` names those that the operator has to list. The next
/// release drops the table and this file.
struct EarlierAddresses: Sendable {
  private(set) var catalogs: [Address] = []
  /// Those of them that are sent a card number.
  private(set) var catalogsWithCard: [Address] = []
  /// Of webhooks, ntfy servers and browsers' push services.
  private(set) var channels: [Address] = []
  /// Of services where each patron names the host. They stand in secrets of accounts, so each is noted when
  /// its account is asked and the host is refused.
  private(set) var services: [Address] = []
  /// Accounts that were linked before this moment may have such addresses.
  private(set) var end: Int64 = 0

  /// Filled once, when the program that knows the setting first opens the database or puts back an older
  /// backup.
  static let migration = Migration(
    "addresses-before-patron-hosts",
    [
      """
      CREATE TABLE gateway_earlier_address (
        kind \(.text) NOT NULL, address \(.text) NOT NULL, PRIMARY KEY (kind, address)
      )\(.strictTable)
      """,
      """
      INSERT INTO gateway_earlier_address (kind, address)
      SELECT DISTINCT 'catalog', library FROM account
      WHERE library LIKE 'http://%' OR library LIKE 'https://%'
      """,
      """
      INSERT INTO gateway_earlier_address (kind, address)
      SELECT DISTINCT 'card', library FROM account
      WHERE card_index IS NOT NULL AND library LIKE 'http://%'
      """,
      """
      INSERT INTO gateway_earlier_address (kind, address)
      SELECT DISTINCT 'channel', shown FROM notice_channel
      WHERE medium IN ('ntfy', 'push', 'webhook')
      """,
    ])

  init() {}

  init(_ rows: [(kind: String, address: String)]) {
    for row in rows {
      guard let address = try? Address(row.address) else { continue }
      switch row.kind {
      case "catalog": catalogs.append(address)
      case "card": catalogsWithCard.append(address)
      case "service": services.append(address)
      default: channels.append(address)
      }
    }
  }

  static func all(in store: Store) async throws(DatabaseError) -> EarlierAddresses {
    var earlier = try await rows("SELECT kind, address FROM gateway_earlier_address", in: store)
    earlier.end =
      try await store.read { tx throws(DatabaseError) in
        try tx.first(
          "SELECT applied_at FROM carrel_migration WHERE name = \(migration.name)"
        ) { row throws(DatabaseError) in try row[0] }
      } ?? 0
    return earlier
  }

  static func note(service address: Address, in store: Store) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO gateway_earlier_address (kind, address)
        VALUES ('service', \(address.origin.description)) ON CONFLICT DO NOTHING
        """)
    }
  }

  /// Without those that no patron has linked any longer.
  static func linked(in store: Store) async throws(DatabaseError) -> EarlierAddresses {
    try await rows(
      """
      SELECT kind, address FROM gateway_earlier_address
      WHERE kind = 'channel' AND address IN (SELECT shown FROM notice_channel)
        OR kind = 'service' OR address IN (SELECT library FROM account)
      """, in: store)
  }

  private static func rows(
    _ query: SQL, in store: Store
  ) async throws(DatabaseError) -> EarlierAddresses {
    EarlierAddresses(
      try await store.read { tx throws(DatabaseError) in
        try tx.rows(query) { row throws(DatabaseError) in (kind: try row[0], address: try row[1]) }
      })
  }
}
