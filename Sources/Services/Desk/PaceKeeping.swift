package import Circulation
package import Database

/// What a reader wants of the pace of their holds, and which rests are of our making.
package struct KeptPace: Sendable, Hashable {
  /// How many may be ready at a time; nil for any number.
  package var mostReady: Int?
  /// The first day on which each is wanted, counted from 1970.
  package var notBefore: [HeldItem: Int]
  /// Those that pacing put to rest.
  package var rests: Set<HeldItem>

  package var isEmpty: Bool { mostReady == nil && notBefore.isEmpty && rests.isEmpty }
}

/// One hold, by its account.
package struct HeldItem: Sendable, Hashable {
  package let account: AccountID
  package let item: ItemID

  package init(_ account: AccountID, _ item: ItemID) { (self.account, self.item) = (account, item) }
}

extension Desk {
  package func pace(of patron: PatronID, with accounts: [AccountID])
    async throws(DeskError) -> KeptPace
  {
    let names = accounts.map(\.rawValue)
    return try await kept { snapshot throws(DatabaseError) in
      let most: Int? =
        try snapshot.first(
          "SELECT most_ready FROM desk_pace WHERE patron = \(patron.rawValue)"
        ) { row throws(DatabaseError) -> Int in try row[0] }
      let days = try snapshot.rows(
        "SELECT account, item, day FROM desk_not_before WHERE account IN (\(names))"
      ) { row throws(DatabaseError) -> (HeldItem, Int) in (try HeldItem(row), try row[2]) }
      let rests = try snapshot.rows(
        "SELECT account, item FROM desk_rest WHERE account IN (\(names))"
      ) { row throws(DatabaseError) in try HeldItem(row) }
      return KeptPace(
        mostReady: most, notBefore: Dictionary(days, uniquingKeysWith: { $1 }), rests: Set(rests))
    }
  }

  /// For whom there is anything to keep to.
  package func paced() async throws(DeskError) -> (
    patrons: Set<PatronID>, accounts: Set<AccountID>
  ) {
    try await kept { snapshot throws(DatabaseError) in
      let patrons = try snapshot.rows("SELECT patron FROM desk_pace") {
        row throws(DatabaseError) in PatronID(try row[0])
      }
      let accounts = try snapshot.rows(
        "SELECT account FROM desk_not_before UNION SELECT account FROM desk_rest"
      ) { row throws(DatabaseError) in AccountID(try row[0]) }
      return (Set(patrons), Set(accounts))
    }
  }

  /// Nil for any number.
  package func keep(mostReady: Int?, of patron: PatronID) async throws(DeskError) {
    try await saving { tx throws(DatabaseError) in
      guard let mostReady else {
        try tx.execute("DELETE FROM desk_pace WHERE patron = \(patron.rawValue)")
        return
      }
      try tx.execute(
        """
        INSERT INTO desk_pace (patron, most_ready) VALUES (\(patron.rawValue), \(mostReady))
        ON CONFLICT (patron) DO UPDATE SET most_ready = excluded.most_ready
        """)
    }
  }

  /// The day is counted from 1970; nil for whenever it comes.
  package func keep(notBefore day: Int?, for hold: HeldItem) async throws(DeskError) {
    let now = now()
    try await saving(of: hold.account) { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM desk_not_before WHERE \(hold.condition)")
      guard let day else { return }
      try tx.execute(
        """
        INSERT INTO desk_not_before (account, item, day, set_at)
        VALUES (\(hold.account.rawValue), \(hold.item.rawValue), \(day), \(now))
        """)
    }
  }

  /// Notes whether a rest is of our making. What a reader does by hand makes it theirs.
  package func note(rest hold: HeldItem, isOurs: Bool) async throws(DeskError) {
    try await saving(of: hold.account) { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM desk_rest WHERE \(hold.condition)")
      guard isOurs else { return }
      try tx.execute(
        """
        INSERT INTO desk_rest (account, item)
        VALUES (\(hold.account.rawValue), \(hold.item.rawValue))
        """)
    }
  }

  /// Drops what was said of holds that are no more. One that was placed lately may not be on the
  /// shelf yet.
  package func tidyPace(of accounts: [AccountID]) async throws(DeskError) {
    let names = accounts.map(\.rawValue)
    let yesterday = now() - 86_400_000
    try await saving { tx throws(DatabaseError) in
      try tx.execute(
        """
        DELETE FROM desk_not_before
        WHERE account IN (\(names)) AND set_at < \(yesterday) AND NOT EXISTS (
          SELECT 1 FROM desk_hold
          WHERE desk_hold.account = desk_not_before.account
            AND desk_hold.item = desk_not_before.item)
        """)
      try tx.execute(
        """
        DELETE FROM desk_rest
        WHERE account IN (\(names)) AND NOT EXISTS (
          SELECT 1 FROM desk_hold
          WHERE desk_hold.account = desk_rest.account AND desk_hold.item = desk_rest.item)
        """)
    }
  }

  static var pacingTables: [SQL] {
    [
      "CREATE TABLE desk_pace (patron \(.text) PRIMARY KEY, most_ready \(.integer) NOT NULL)\(.strictTable)",
      """
      CREATE TABLE desk_not_before (
        account \(.text) NOT NULL, item \(.text) NOT NULL, day \(.integer) NOT NULL,
        set_at \(.integer) NOT NULL, PRIMARY KEY (account, item))\(.strictTable)
      """,
      """
      CREATE TABLE desk_rest (
        account \(.text) NOT NULL, item \(.text) NOT NULL, PRIMARY KEY (account, item)
      )\(.strictTable)
      """,
    ]
  }
}

extension HeldItem {
  fileprivate init(_ row: borrowing Row) throws(DatabaseError) {
    self.init(AccountID(try row[0]), ItemID(try row[1]))
  }

  fileprivate var condition: SQL {
    "account = \(account.rawValue) AND item = \(item.rawValue)"
  }
}
