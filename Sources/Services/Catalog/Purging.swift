package import Circulation
package import Database

/// Deletes what catalogs that patrons named have left behind. Editions of other libraries stay for the
/// shelves that they may be on; these could grow without end.
extension Catalog {
  /// After a pass over a catalog that a patron named: where it was cut short, what two passes did not
  /// meet leaves the search; what has left is deleted after one more. Returns how many left the search.
  /// Written in small steps, with pauses for other writers.
  func sweepNamed(_ library: LibraryID) async throws(DatabaseError) -> Int {
    guard let row = try await row(of: library), row.listed > 0 else { return 0 }
    let dropped =
      row.cutShort == 0
      ? 0 : try await withdraw(where: "library = \(row.key) AND seen < \(row.round - 1)")
    try await purge(
      where: """
        library = \(row.key) AND state = \(EditionState.gone) AND seen < \(row.round - 2)
        """, tellsLists: true)
    return dropped
  }

  /// Deletes what is left of catalogs that no patron has any longer. Returns how many there were.
  package func deleteNamed(besides linked: Set<LibraryID>) async throws(DatabaseError) -> Int {
    let names = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows("SELECT name FROM catalog_library WHERE name LIKE '%://%' ORDER BY id") {
        row throws(DatabaseError) in LibraryID(try row[0])
      }
    }
    var count = 0
    for library in names where !linked.contains(library) {
      guard let row = try await row(of: library) else { continue }
      _ = try await withdraw(where: "library = \(row.key)")
      // Shelf lists need not be told: no patron's page shows this library any more.
      try await purge(where: "library = \(row.key)", tellsLists: false)
      if try await delete(row) { count += 1 }
    }
    return count
  }

  private func row(of library: LibraryID) async throws(DatabaseError) -> LibraryRow? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.libraryRow(named: library)
    }
  }

  private func withdraw(where condition: SQL) async throws(DatabaseError) -> Int {
    var count = 0
    while true {
      let done = try await yielding { () throws(DatabaseError) in
        try await store.write { tx throws(DatabaseError) in
          try tx.withdraw(
            where: """
              id IN (SELECT id FROM catalog_edition
                WHERE \(condition) AND state <> \(EditionState.gone)
                ORDER BY id LIMIT \(NamedCatalogs.batch))
              """)
        }
      }
      count += done
      if done < NamedCatalogs.batch { return count }
    }
  }

  private func purge(where condition: SQL, tellsLists: Bool) async throws(DatabaseError) {
    while true {
      let done = try await yielding { () throws(DatabaseError) in
        try await matching { kin throws(DatabaseError) in
          let editions = try kin.tx.rows(
            """
            SELECT id FROM catalog_edition WHERE \(condition)
            ORDER BY id LIMIT \(NamedCatalogs.batch)
            """
          ) { row throws(DatabaseError) -> Int64 in try row[0] }
          try kin.purge(editions, tellsLists: tellsLists)
          return editions.count
        }
      }
      if done < NamedCatalogs.batch { return }
    }
  }

  /// False where an edition has come meanwhile.
  private func delete(_ row: LibraryRow) async throws(DatabaseError) -> Bool {
    try await store.write { tx throws(DatabaseError) in
      guard try tx.held(at: row) == 0 else { return false }
      for table: SQL in ["catalog_availability", "catalog_movement"] {
        try tx.execute("DELETE FROM \(table) WHERE library = \(row.key)")
      }
      try tx.execute("DELETE FROM catalog_library WHERE id = \(row.key)")
      return true
    }
  }

  /// Does one step of many that write, and then leaves the database to others for as long as it took.
  func yielding<T: Sendable, E: Error>(
    _ step: () async throws(E) -> T
  ) async throws(E) -> T {
    let start = ContinuousClock.now
    let value = try await step()
    try? await Task.sleep(for: min(.now - start, .seconds(2)))
    return value
  }
}

extension Kin {
  /// Deletes editions with all that is kept beside them. `tellsLists` where a shelf list may have missed
  /// that they left the search: one that did is read anew.
  fileprivate func purge(_ editions: [Int64], tellsLists: Bool) throws(DatabaseError) {
    guard !editions.isEmpty else { return }
    try leave(editions)
    if tellsLists {
      try tx.execute(
        """
        UPDATE catalog_pulse SET purged_to = \(.either(sqlite: "max", postgres: "GREATEST"))(
          purged_to,
          (SELECT COALESCE(max(stamp), 0) FROM catalog_face WHERE edition \(.among(editions))))
        """)
    }
    for table: SQL in ["catalog_availability", "catalog_movement"] {
      try tx.execute(
        """
        DELETE FROM \(table) WHERE (library, item) IN
          (SELECT library, item FROM catalog_edition WHERE id \(.among(editions)))
        """)
    }
    for table: SQL in ["catalog_unmatched", "catalog_face", "catalog_record"] {
      try tx.execute("DELETE FROM \(table) WHERE edition \(.among(editions))")
    }
    let works = try tx.rows(
      "DELETE FROM catalog_edition WHERE id \(.among(editions)) RETURNING work"
    ) { row throws(DatabaseError) -> Int64 in try row[0] }
    try tx.execute(
      """
      DELETE FROM catalog_work WHERE id \(.among(Set(works).sorted()))
        AND NOT EXISTS (SELECT 1 FROM catalog_edition e WHERE e.work = catalog_work.id)
      """)
  }
}
