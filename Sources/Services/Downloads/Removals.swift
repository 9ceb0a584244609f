package import Circulation
package import Database

extension DownloadQueue {
  /// A reader's place in the line, and what they hold, with the files that nobody holds then.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let patron = leaver.patron.rawValue
    return [
      Removal("downloads", from: "download", where: "patron = \(patron)"),
      Removal("claims to files", from: "book_holder", where: "patron = \(patron)"),
      // The files themselves are strays then, and swept.
      Removal(
        "book files", from: "book_file",
        where: "NOT EXISTS (SELECT 1 FROM book_holder h WHERE h.digest = book_file.digest)"),
    ]
  }
}

extension DownloadQueue {
  /// When an account is unlinked, within that transaction: what is under way for it is called off, and
  /// nobody holds its files any more. Those are strays then, and swept.
  package func forget(_ account: AccountID, in tx: Transaction) throws(DatabaseError) {
    let asked = try tx.rows("SELECT item FROM download WHERE account = \(account.rawValue)") {
      row throws(DatabaseError) in ItemID(try row[0])
    }
    for item in asked { try withdraw(account, item, in: tx) }
    let held = try tx.rows("SELECT item FROM book_holder WHERE account = \(account.rawValue)") {
      row throws(DatabaseError) in ItemID(try row[0])
    }
    for item in held { _ = try tx.release(item, on: account) }
    try tx.execute("DELETE FROM book_holder WHERE account = \(account.rawValue)")
  }

  /// Which files these readers hold.
  package static func takings(of readers: [PatronID]) -> Removal {
    Removal(
      "book files", from: "book_file",
      where: """
        EXISTS (SELECT 1 FROM book_holder h
          WHERE h.digest = book_file.digest AND h.patron IN (\(readers.map(\.rawValue))))
        """)
  }

  /// The same with the names that people would give them, each once.
  package static func files(
    of readers: [PatronID], _ snapshot: Snapshot
  ) throws(DatabaseError) -> [BookStore.Book] {
    var seen: Set<String> = []
    return try snapshot.rows(
      """
      SELECT \(BookStore.Book.columns) WHERE h.patron IN (\(readers.map(\.rawValue)))
      ORDER BY h.title, h.digest
      """, BookStore.Book.init
    ).filter { seen.insert($0.digest).inserted }
  }
}
