package import Database

extension Catalog {
  /// Puts the runs of words together that harvests have left in SQLite's index, for a search looks
  /// into each of them. Done in small steps, so that whoever else writes waits for none of them
  /// long; stopped at any time, it goes on when it is called again. The other engine has no runs.
  package func gatherWords() async throws(DatabaseError) {
    var runs = try await store.read { snapshot throws(DatabaseError) in try snapshot.wordRuns() }
    guard runs > WordRuns.few else { return }
    // Below zero: all of them at once, and not only those of a size.
    var pages = -WordRuns.step
    while runs > 1, !Task.isCancelled {
      let next = pages
      let moved = try await store.write { tx throws(DatabaseError) in try tx.gather(next) }
      guard moved else { return }
      pages = WordRuns.step
      runs = try await store.read { snapshot throws(DatabaseError) in try snapshot.wordRuns() }
    }
  }
}

private enum WordRuns {
  /// So many cost a search next to nothing.
  static let few: Int64 = 4
  /// Pages of the index that are written at a time.
  static let step: Int64 = 1000
}

extension Snapshot {
  func wordRuns() throws(DatabaseError) -> Int64 {
    guard dialect == .sqlite else { return 0 }
    return try value("SELECT count(DISTINCT segid) FROM catalog_words_idx")
  }
}

extension Transaction {
  /// Tells whether there was anything left to do.
  fileprivate func gather(_ pages: Int64) throws(DatabaseError) -> Bool {
    let before: Int64 = try value("SELECT total_changes()")
    try execute("INSERT INTO catalog_words (catalog_words, rank) VALUES ('merge', \(pages))")
    let after: Int64 = try value("SELECT total_changes()")
    // The command itself is one.
    return after - before > 1
  }
}
