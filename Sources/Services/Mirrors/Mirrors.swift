package import Circulation
package import Database
package import ReadingLists

/// Lists that a reader keeps at another service, in step with the lists of the same name here.
///
/// Both sides may change. What was last agreed upon is kept for each book, so that it can be told who
/// changed what since then. What the service tells is taken over; what the reader did here is written
/// there, one write after the other, each noted with its undo before it is sent and read back after.
package struct Mirrors: Sendable {
  let store: Store
  let settings: Settings
  let now: @Sendable () -> Int64

  package struct Settings: Sendable {
    /// All of a service is read at least so often, also where it tells what changed.
    package var wholeEvery = Duration.seconds(24 * 3600)
    /// How long one who syncs may be silent before another may.
    package var lease = Duration.seconds(120)
    /// How many cut reviews are asked for in one go.
    package var mostReviews = 20
    /// How often friends are looked in on, how many of them, and how long what they said is kept: it
    /// is theirs, and services want it forgotten within a day.
    package var friendsEvery = Duration.seconds(20 * 3600)
    package var friendsKept = Duration.seconds(24 * 3600)
    package var mostFriends = 10

    package init() {}
  }

  /// `now` is in milliseconds since 1970.
  package init(
    store: Store, settings: Settings = Settings(),
    now: @escaping @Sendable () -> Int64
  ) {
    (self.store, self.settings, self.now) = (store, settings, now)
  }

  // MARK: - What is mirrored

  package func mirrored(_ list: ListID) async throws(DatabaseError) -> MirroredList? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first(
        "SELECT \(MirroredList.columns) FROM mirror_list WHERE list = \(list.rawValue)",
        MirroredList.init(row:))
    }
  }

  /// Those of these accounts.
  package func mirrored(
    of accounts: [AccountID]
  ) async throws(DatabaseError) -> [MirroredList] {
    guard !accounts.isEmpty else { return [] }
    return try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(MirroredList.columns) FROM mirror_list
        WHERE account IN (\(accounts.map(\.rawValue))) ORDER BY account, remote
        """, MirroredList.init(row:))
    }
  }

  package func standing(of account: AccountID) async throws(DatabaseError) -> MirrorStanding {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT carries, read_at, whole_at, trouble,
          (SELECT count(*) FROM mirror_book b WHERE b.account = a.account AND b.edits <> '')
            + (SELECT count(*) FROM reading_list_member m
               JOIN mirror_list l ON l.list = m.list AND l.account = a.account
               WHERE NOT EXISTS (
                 SELECT 1 FROM mirror_place p WHERE p.list = m.list AND p.member = m.id))
            + (SELECT count(*) FROM mirror_place p WHERE p.account = a.account
               AND NOT EXISTS (
                 SELECT 1 FROM reading_list_member m WHERE m.list = p.list AND m.id = p.member))
        FROM mirror_account a WHERE account = \(account.rawValue)
        """, MirrorStanding.init(row:)) ?? MirrorStanding()
    }
  }

  /// What is done here and shall be said there, too.
  package func carry(
    _ carried: Set<CarriedPart>, to account: AccountID, of patron: PatronID
  ) async throws(DatabaseError) {
    let words = carried.map(\.rawValue).sorted().joined(separator: " ")
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO mirror_account (account, patron, carries)
        VALUES (\(account.rawValue), \(patron.rawValue), \(words))
        ON CONFLICT (account) DO UPDATE SET carries = excluded.carries
        """)
    }
  }

  /// When an account is unlinked, within that transaction: its lists go with it, since nobody would
  /// keep them in step.
  package static func forget(_ account: AccountID, in tx: Transaction) throws(DatabaseError) {
    let account = account.rawValue
    let lists: [String] = try tx.rows(
      """
      SELECT list FROM mirror_list WHERE account = \(account)
      UNION ALL SELECT list FROM mirror_friend WHERE account = \(account)
      """
    ) { row throws(DatabaseError) in try row[0] }
    for list in lists { try tx.drop(ListID(list)) }
    for table: SQL in [
      "mirror_place", "mirror_list", "mirror_friend", "mirror_book", "mirror_write",
      "mirror_carried",
      "mirror_account",
    ] {
      try tx.execute("DELETE FROM \(table) WHERE account = \(account)")
    }
  }
}

/// A list here that stands for one elsewhere.
package struct MirroredList: Sendable, Hashable {
  package let list: ListID
  package let account: AccountID
  /// As the service has it.
  package let remote: ReadingList
  /// How many full reads in a row did not bring it.
  let missed: Int

  static let columns: SQL = """
    list, account, remote, name, state, other_state, is_exclusive, is_open, count, changed_at,
    missed
    """

  init(row: borrowing Row) throws(DatabaseError) {
    list = ListID(try row[0])
    account = AccountID(try row[1])
    let state: String? = try row[4]
    let other: String? = try row[5]
    let changed: Int64? = try row[9]
    remote = ReadingList(
      id: ListID(try row[2]), name: try row[3], count: try row[8], isExclusive: try row[6],
      state: other.map { .other($0) } ?? state.map { ReadingState(word: $0) },
      isOpen: try row[7], changedAt: changed.map { .init(milliseconds: $0) })
    missed = try row[10]
  }
}

/// What a reader may want to have said elsewhere as well.
package enum CarriedPart: String, Sendable, Hashable, CaseIterable { case finished, rated, saved }

/// How it stands between here and a service.
package struct MirrorStanding: Sendable, Hashable {
  package var carries: Set<CarriedPart> = []
  package var readAt: Int64?
  package var wholeAt: Int64?
  package var trouble: String?
  /// Changes made here that the service does not know yet.
  package var waiting = 0

  init() {}

  init(row: borrowing Row) throws(DatabaseError) {
    let words: String = try row[0]
    carries = Set(words.split(separator: " ").compactMap { CarriedPart(rawValue: String($0)) })
    (readAt, wholeAt, trouble) = (try row[1], try row[2], try row[3])
    waiting = try row[4]
  }
}
