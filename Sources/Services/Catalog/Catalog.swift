package import Circulation
package import Database

/// What the libraries list, kept here so that a search needs no library to answer.
///
/// Every edition is kept whole beside the few columns that are searched, filtered or sorted, and
/// belongs to a work. Which editions are one work the matcher says, in the transaction that brings
/// them; see `Kin`. An edition that left the search stays in its work, for it may come back.
package struct Catalog: Sendable {
  let store: Store
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  let shelves = ShelfKeeper()
  let memo = ShelfMemo()
  let known = KnownDossiers()

  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  /// Keeps editions that came along otherwise: from a live search, or with a shelf.
  package func take(
    _ editions: [Edition], of library: LibraryID, provider: ProviderID
  ) async throws(DatabaseError) {
    var rest = editions[...]
    let now = now()
    while !rest.isEmpty {
      // One transaction for all would shut out every other writer for as long as it takes.
      let batch = Array(rest.prefix(Intake.batch))
      rest = rest.dropFirst(Intake.batch)
      try await matching { kin throws(DatabaseError) in
        guard let row = try kin.tx.libraryRow(for: library) else { return }
        var batch = batch
        if library.isAddress {
          let admitted = try kin.tx.admitted(
            batch.map(\.item), at: row, most: (row.room ?? 0) + NamedCatalogs.mostBeside)
          batch.removeAll { !admitted.contains($0.item) }
        }
        _ = try Intake(row, from: provider, at: now, matching: kin).put(batch)
      }
    }
  }

  /// Keeps what a provider said about copies. An older answer never replaces a newer one.
  package func note(
    _ availability: [ItemID: Availability], at library: LibraryID
  ) async throws(DatabaseError) {
    guard !availability.isEmpty else { return }
    try await store.write { tx throws(DatabaseError) in
      guard let row = try tx.libraryRow(for: library) else { return }
      // A catalog that a patron named may name items without end.
      let known =
        library.isAddress ? try tx.knownItems(Array(availability.keys), at: row) : nil
      // In one order for everybody, so that two writers never wait for each other.
      try tx.note(
        availability.filter { known?.contains($0.key) ?? true }
          .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, at: row.key)
    }
  }

  /// Whether a harvest was ever begun. Asked before every search, so nothing is counted for it.
  package func wasHarvested(_ library: LibraryID) async throws(DatabaseError) -> Bool {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.libraryRow(named: library)?.started != nil
    }
  }

  package func tally(of library: LibraryID) async throws(DatabaseError) -> CatalogTally {
    try await store.read { snapshot throws(DatabaseError) in
      guard let row = try snapshot.libraryRow(named: library) else { return CatalogTally() }
      var tally = CatalogTally()
      try snapshot.forEach(
        """
        SELECT state, count(*) FROM catalog_edition WHERE library = \(row.key) GROUP BY state
        """
      ) { count throws(DatabaseError) in
        let (state, number): (EditionState, Int) = (try count[0], try count[1])
        if state != .gone { tally.editions += number }
        if state == .missing { tally.missing = number }
        return .next
      }
      tally.started = row.started
      tally.ended = row.ended
      tally.completed = row.completed
      tally.isUnderWay = row.underWay != nil
      return tally
    }
  }
}

/// What is known of one library, for a status line. Times are milliseconds since 1970.
package struct CatalogTally: Sendable, Hashable {
  /// Those that a search can find.
  package var editions = 0
  /// Of these, how many the last complete harvest did not meet.
  package var missing = 0
  /// The beginning of the harvest that is under way, or was last.
  package var started: Int64?
  package var ended: Int64?
  /// When a harvest of the whole catalogue last came to its end.
  package var completed: Int64?
  package var isUnderWay = false

  package init() {}

  package var isComplete: Bool { completed != nil }
}
