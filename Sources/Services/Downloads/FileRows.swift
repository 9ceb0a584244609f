import Circulation
import Database
import Desk

extension Snapshot {
  func hasFile(_ digest: String) throws(DatabaseError) -> Bool {
    try first("SELECT 1 FROM book_file WHERE digest = \(digest)") {
      row throws(DatabaseError) -> Int in try row[0]
    } != nil
  }

  func isHeld(_ digest: String) throws(DatabaseError) -> Bool {
    try first("SELECT 1 FROM book_holder WHERE digest = \(digest)") {
      row throws(DatabaseError) -> Int in try row[0]
    } != nil
  }

  /// What is held for loans that the desk keeps no more.
  func leftHoldings(
    on accounts: [AccountID]?
  ) throws(DatabaseError) -> [(account: AccountID, item: ItemID)] {
    let mine: SQL = accounts.map { "h.account IN (\($0.map(\.rawValue)))" as SQL } ?? "TRUE"
    return try rows(
      """
      SELECT DISTINCT h.account, h.item FROM book_holder h JOIN book_file f ON f.digest = h.digest
      WHERE \(mine) AND NOT f.open_access AND NOT \(Desk.keepsLoan)
      """
    ) { row throws(DatabaseError) in (AccountID(try row[0]), ItemID(try row[1])) }
  }

  /// Those that may go: of loans that are over, and not free for everybody. The longest unread first.
  func unheldFiles(at now: Int64) throws(DatabaseError) -> [(digest: String, size: Int)] {
    try rows(
      """
      SELECT f.digest, f.size FROM book_file f WHERE NOT f.open_access AND NOT EXISTS (
        SELECT 1 FROM book_holder h
        WHERE h.digest = f.digest AND (h.until IS NULL OR h.until > \(now)))
      ORDER BY COALESCE(f.opened_at, f.stored_at), f.digest
      """
    ) { row throws(DatabaseError) in (digest: try row[0], size: try row[1]) }
  }
}

extension Transaction {
  func write(_ arrival: Arrival, for wish: Wish, at now: Int64) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO book_file (digest, size, kind, open_access, stored_at)
      VALUES (
        \(arrival.digest), \(arrival.size), \(arrival.kind.rawValue), \(wish.isOpenAccess),
        \(now))
      ON CONFLICT (digest) DO NOTHING
      """)
    // What was said last of the same bytes counts; that nobody could say takes nothing back.
    if let mark = arrival.mark {
      let isKnown = try isExamined(arrival.digest)
      if mark == .clean || !isKnown { try self.mark(arrival.digest, mark) }
    }
    if wish.isOpenAccess {
      try execute("UPDATE book_file SET open_access = TRUE WHERE digest = \(arrival.digest)")
    }
    try execute(
      """
      INSERT INTO book_holder (patron, account, item, digest, title, authors, until, stored_at)
      VALUES (
        \(wish.patron.rawValue), \(wish.account.rawValue), \(wish.item.rawValue),
        \(arrival.digest), \(Line.clean(wish.title)), \(Line.lines(wish.authors)),
        \(wish.until), \(now))
      ON CONFLICT (patron, account, item) DO UPDATE SET digest = excluded.digest,
      title = excluded.title, authors = excluded.authors, until = excluded.until,
      stored_at = excluded.stored_at
      """)
  }

  private func isExamined(_ digest: String) throws(DatabaseError) -> Bool {
    try value(
      """
      SELECT EXISTS (SELECT 1 FROM book_file
        WHERE digest = \(digest) AND examined = \(ScanMark.clean.rawValue))
      """, as: Bool.self)
  }

  /// A file with all that was told of it. Whoever had it can ask for it anew.
  func forget(_ digest: String) throws(DatabaseError) {
    try execute("DELETE FROM download WHERE state = 'done' AND digest = \(digest)")
    try execute("DELETE FROM book_holder WHERE digest = \(digest)")
    try execute("DELETE FROM book_file WHERE digest = \(digest)")
  }

  /// The digests of files that are to go.
  func release(
    _ item: ItemID, on account: AccountID
  ) throws(DatabaseError) -> [String] {
    let digests: [String] = try rows(
      """
      SELECT DISTINCT h.digest FROM book_holder h JOIN book_file f ON f.digest = h.digest
      WHERE h.account = \(account.rawValue) AND h.item = \(item.rawValue) AND NOT f.open_access
      """
    ) { row throws(DatabaseError) in try row[0] }
    try execute(
      """
      DELETE FROM download WHERE state = 'done'
      AND account = \(account.rawValue) AND item = \(item.rawValue) AND digest IN (\(digests))
      """)
    try execute(
      """
      DELETE FROM book_holder
      WHERE account = \(account.rawValue) AND item = \(item.rawValue)
      AND digest IN (\(digests))
      """)
    var freed: [String] = []
    for digest in digests where try !isHeld(digest) { freed.append(digest) }
    for digest in freed { try forget(digest) }
    return freed
  }
}
