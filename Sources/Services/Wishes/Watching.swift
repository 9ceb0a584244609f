package import Circulation
package import Database

extension Wishes {
  /// Keeps what was seen of wishes. One that was changed by somebody else meanwhile stays as that one
  /// left it. Returns them as they are now.
  package func note(
    _ seen: [(wish: Wish, watch: Watch)]
  ) async throws(DatabaseError) -> [Wish] {
    var kept: [Wish] = []
    for part in seen.filter({ $0.wish.watch != $0.watch }).parts(of: 500) {
      kept += try await store.write { tx throws(DatabaseError) in
        for (wish, watch) in part {
          try tx.execute(
            """
            UPDATE wish SET state = \(watch.state.rawValue), seen_at = \(watch.seenAt),
              since = \(watch.since), turn = \(watch.turn), version = version + 1
            WHERE id = \(wish.id) AND version = \(wish.version)
            """)
        }
        return try tx.wishes(where: "w.id IN (\(part.map(\.wish.id)))")
      }
    }
    return kept
  }

  /// This time is dealt with: the reader was told, or need not be. `deed` is what was done by rule.
  package func close(
    _ wish: Wish, isTold: Bool, deed: WishDeed? = nil
  ) async throws(DatabaseError) {
    let now = now()
    let told: Int64? = isTold ? now : nil
    let done: Int64? = deed == nil ? nil : now
    let turn = wish.watch.turn
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE wish SET told_at = COALESCE(\(told), told_at), version = version + 1,
          deed = COALESCE(\(deed?.rawValue),
            CASE WHEN deed IN ('borrowing', 'holding') THEN NULL ELSE deed END),
          deed_at = COALESCE(\(done), deed_at),
          done_turn = CASE WHEN done_turn < \(turn) THEN \(turn) ELSE done_turn END
        WHERE id = \(wish.id)
        """)
    }
  }

  /// Written before a library is asked to do it.
  package func begin(_ deed: WishDeed, of wish: Wish) async throws(DatabaseError) {
    try await setDeed(deed, of: wish)
  }

  /// It came to nothing.
  package func abandonDeed(of wish: Wish) async throws(DatabaseError) {
    try await setDeed(nil, of: wish)
  }

  private func setDeed(_ deed: WishDeed?, of wish: Wish) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE wish SET deed = \(deed?.rawValue), deed_at = \(now), version = version + 1
        WHERE id = \(wish.id)
        """)
    }
  }
}
