package import Circulation
import Database

extension Catalog {
  /// Reads on where the last run stopped, then from where the provider says that changes start;
  /// all from the beginning when asked to, at the first time, or when there is no such place.
  ///
  /// A page and its cursor are kept in one transaction: a run that is killed loses no page and
  /// repeats none. Two runs at once share the pages between them.
  package func harvest(
    _ library: LibraryID, from provider: any CirculationProvider, full: Bool,
    call: @escaping @Sendable () -> Call, progress: @Sendable (HarvestTally) -> Void
  ) async throws(HarvestFailure) -> HarvestTally {
    let name = provider.describe().provider
    var tally = HarvestTally()
    let row = try await begin(library, full ? .anew : .onward, from: name, &tally)
    let reader = HarvestReader(provider: provider, call: call)
    defer { known.forget() }
    let course = HarvestCourse(row, tally, reader) { leaf, row, tally throws(HarvestFailure) in
      try await self.settle(
        leaf.answer.page.get(), leaf.drafts, at: library, from: name, expecting: row, tally)
    }
    return try await course.run(progress)
  }

  private enum Beginning { case anew, onward }

  private func begin(
    _ library: LibraryID, _ beginning: Beginning, from provider: ProviderID,
    _ tally: inout HarvestTally
  ) async throws(HarvestFailure) -> LibraryRow {
    let begun: Begun?
    do throws(DatabaseError) {
      begun = try await opened(library, beginning)
    } catch {
      throw .database(error)
    }
    guard let begun else {
      throw .provider(
        CirculationError(.notConfigured(what: "library"), from: provider, during: .harvest))
    }
    tally.wasResumed = begun.isResumed
    tally.isWhole = begun.row.underWay != .changes
    return begun.row
  }

  private struct Begun: Sendable {
    let row: LibraryRow
    let isResumed: Bool
  }

  private func opened(
    _ library: LibraryID, _ beginning: Beginning
  ) async throws(DatabaseError) -> Begun? {
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      guard var row = try tx.libraryRow(for: library) else { return nil }
      if beginning == .onward, row.underWay != nil { return Begun(row: row, isResumed: true) }
      let isOnward = beginning == .onward && row.cursor != nil
      row.underWay = isOnward ? .changes : .whole
      if !isOnward {
        row.cursor = nil
        row.round += 1
      }
      row.listed = 0
      row.started = now
      row.ended = nil
      try tx.save(row)
      return Begun(row: row, isResumed: false)
    }
  }

  /// What is read of a catalog that a patron named: any patron can name one that never ends, and all
  /// patrons' searches share the tables.
  fileprivate static let mostOfPatrons = 20_000
  fileprivate static let longestOfPatrons: Int64 = 15 * 60_000

  private static let cutShort =
    "more is listed than was read, so nothing is taken to have left"

  private func settle(
    _ page: HarvestPage, _ drafts: [ItemID: Draft], at library: LibraryID,
    from provider: ProviderID, expecting expected: LibraryRow, _ tally: HarvestTally
  ) async throws(HarvestFailure) -> HarvestCourse.Step {
    let now = now()
    do throws(DatabaseError) {
      // The last page of a large catalogue sweeps it, too.
      return try await matching(by: .now + .seconds(600)) { kin throws(DatabaseError) in
        let tx = kin.tx
        guard var row = try tx.libraryRow(for: library) else {
          return HarvestCourse.Step(row: expected, tally: tally)
        }
        // Somebody else was quicker with this page: go on where the harvest is now.
        guard row.standsWhere(expected) else { return HarvestCourse.Step(row: row, tally: tally) }
        var tally = tally
        if page.scope == .startsOver {
          (row.underWay, row.listed) = (.whole, 0)
          row.round += 1
          tally.isWhole = true
        }
        let isPastEnd =
          library.isAddress ? try tx.isPastEnd(row, page.editions.count, at: now) : false
        if page.isCut || isPastEnd { row.underWay = .part }
        if !isPastEnd {
          try kin.apply(page, drafts, to: row, from: provider, at: now, &tally)
          row.listed += page.editions.count
        }
        switch isPastEnd ? .done(next: nil) : page.progress {
        case .more(let cursor): row.cursor = cursor
        case .done(let next):
          row.cursor = next
          switch row.underWay {
          case .whole:
            try tx.sweep(row, &tally)
            row.completed = now
          case .part:
            // All is looked at again the next time, as nobody knows what was left out.
            row.cursor = nil
            tally.warn([Self.cutShort])
          case .changes, nil: break
          }
          row.underWay = nil
          row.ended = now
          tally.isComplete = true
        }
        try tx.save(row)
        return HarvestCourse.Step(row: row, tally: tally)
      }
    } catch {
      throw .database(error)
    }
  }
}

extension Transaction {
  /// Whether a catalog that a patron named has been read for long enough, or has as many titles as one may.
  fileprivate func isPastEnd(
    _ row: LibraryRow, _ count: Int, at now: Int64
  ) throws(DatabaseError) -> Bool {
    if now - (row.started ?? now) > Catalog.longestOfPatrons { return true }
    let held: Int =
      try first(
        "SELECT count(*) FROM catalog_edition WHERE library = \(row.key)"
      ) { row throws(DatabaseError) in try row[0] } ?? 0
    // More are held than are listed where a catalog names its titles anew each time.
    return row.listed + count > Catalog.mostOfPatrons || held > 2 * Catalog.mostOfPatrons
  }
}

extension Kin {
  fileprivate func apply(
    _ page: HarvestPage, _ drafts: [ItemID: Draft], to row: LibraryRow, from provider: ProviderID,
    at now: Int64, _ tally: inout HarvestTally
  ) throws(DatabaseError) {
    // What the page says last about an item is what holds: it may have left and come back.
    var last: [ItemID: Int] = [:]
    var told: [(ItemID, Availability)] = []
    for (place, change) in page.changes.enumerated() {
      switch change {
      case .listed(let edition): last[edition.item] = place
      case .removed(let item): last[item] = place
      case .availability(let item, let answer):
        told.append((item, answer))
      }
    }
    var listed: [Edition] = []
    var leaving: [ItemID] = []
    for (place, change) in page.changes.enumerated() {
      switch change {
      case .listed(let edition) where last[edition.item] == place: listed.append(edition)
      case .removed(let item) where last[item] == place: leaving.append(item)
      default: break
      }
    }
    try tx.note(told, at: row.key)
    tally.availabilities += told.count
    let intake = Intake(row, from: provider, at: now, drafts: drafts, matching: self)
    let outcome = try intake.put(listed)
    tally.removed += try intake.remove(leaving.sorted())
    tally.added += outcome.added
    tally.changed += outcome.changed
    tally.unchanged += outcome.unchanged
    tally.refused += outcome.refused
    tally.pages += 1
    tally.warn(page.warnings)
    tally.total = page.total ?? tally.total
  }
}

extension Transaction {
  /// After the last page of a whole catalogue. Absence alone is weak proof: it takes two harvests,
  /// and catalogues that shrink by more than a twentieth at once are taken for broken answers.
  fileprivate func sweep(_ row: LibraryRow, _ tally: inout HarvestTally) throws(DatabaseError) {
    guard row.listed > 0 else { return }
    let present: Int = try value(
      """
      SELECT count(*) FROM catalog_edition
      WHERE library = \(row.key) AND state <> \(EditionState.gone)
      """)
    let missedAgain: SQL = """
      library = \(row.key) AND state = \(EditionState.missing) AND seen < \(row.round)
      """
    let going: Int = try value("SELECT count(*) FROM catalog_edition WHERE \(missedAgain)")
    if going > 20, going * 20 > present {
      tally.heldBack = going
    } else {
      tally.dropped = try withdraw(where: missedAgain)
    }
    tally.missing = try execute(
      """
      UPDATE catalog_edition SET state = \(EditionState.missing)
      WHERE library = \(row.key) AND state = \(EditionState.listed) AND seen < \(row.round)
      """)
  }
}
