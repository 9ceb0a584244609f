package import Circulation
package import Database
import Machine

/// What readers wish for. A list of theirs can be a wish list; each book on it is then recognized
/// among the works of the catalogue and watched until it can be had.
///
/// Everything here may be done twice, or by two at once: a wish changes only from the version that
/// was looked at.
package struct Wishes: Sendable {
  let store: Store
  let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  // MARK: - Lists

  /// By list.
  package func lists(of patron: PatronID? = nil) async throws(DatabaseError) -> [WishList] {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.wishLists(of: patron) }
  }

  /// Makes the books of a list wishes, or changes their rule; nil leaves the rule as it is.
  package func mark(
    _ list: ListID, of patron: PatronID, rule: WishRule? = nil
  ) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO wish_list (list, patron, rule, marked_at)
        VALUES (\(list.rawValue), \(patron.rawValue), \((rule ?? .tell).rawValue), \(now))
        ON CONFLICT (list) DO UPDATE SET rule = COALESCE(\(rule?.rawValue), wish_list.rule)
        """)
    }
  }

  /// The list stays, and what was wished for on it is no wish any more.
  package func unmark(_ list: ListID, of patron: PatronID) async throws(DatabaseError) -> Bool {
    try await store.write { tx throws(DatabaseError) in
      let unmarked = try tx.execute(
        "DELETE FROM wish_list WHERE list = \(list.rawValue) AND patron = \(patron.rawValue)")
      guard unmarked == 1 else { return false }
      try tx.execute("DELETE FROM wish WHERE list = \(list.rawValue)")
      return true
    }
  }

  // MARK: - Wishes

  /// In the order in which they came.
  package func wishes(of patron: PatronID? = nil) async throws(DatabaseError) -> [Wish] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.wishes(where: patron.map { "w.patron = \($0.rawValue)" } ?? "1 = 1")
    }
  }

  package func wish(_ id: String) async throws(DatabaseError) -> Wish? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.wishes(where: "w.id = \(id)").first
    }
  }

  package func wish(
    for member: String, on list: ListID
  ) async throws(DatabaseError) -> Wish? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.wishes(where: "w.list = \(list.rawValue) AND w.member = \(member)").first
    }
  }

  /// A rule of its own; nil gives it the one of its list again. Where it can be had at this moment and
  /// shall be borrowed from now on, that is news once more.
  package func setRule(
    _ rule: WishRule?, for wish: String, of patron: PatronID
  ) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE wish SET version = version + 1,
          done_turn = CASE WHEN \(rule?.rawValue ?? "") = 'borrow' AND COALESCE(rule, '') <> 'borrow'
            AND state = 'available' AND deed IS NULL THEN turn - 1 ELSE done_turn END,
          rule = \(rule?.rawValue)
        WHERE id = \(wish) AND patron = \(patron.rawValue)
        """)
    }
  }

}

extension Snapshot {
  func wishLists(of patron: PatronID?) throws(DatabaseError) -> [WishList] {
    let condition: SQL = patron.map { "patron = \($0.rawValue)" } ?? "1 = 1"
    return try rows(
      "SELECT list, patron, rule FROM wish_list WHERE \(condition) ORDER BY marked_at, list"
    ) { row throws(DatabaseError) in
      let rule: String = try row[2]
      return WishList(
        list: ListID(try row[0]), patron: PatronID(try row[1]),
        rule: WishRule(rawValue: rule) ?? .tell)
    }
  }

  func wishes(where condition: SQL) throws(DatabaseError) -> [Wish] {
    try rows(
      """
      SELECT \(Wish.columns) FROM wish w JOIN wish_list l ON l.list = w.list
      WHERE \(condition) ORDER BY l.marked_at, w.list, w.id
      """, Wish.init(row:))
  }
}
