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
    call: @Sendable () -> Call, progress: @Sendable (HarvestTally) -> Void
  ) async throws(HarvestFailure) -> HarvestTally {
    let name = provider.describe().provider
    var tally = HarvestTally()
    var row = try await begin(library, full ? .anew : .onward, from: name, &tally)
    while row.underWay != nil {
      var page = try await page(from: provider, after: row.cursor, call())
      page = try await withCopies(page, from: provider, call())
      let step = try await settle(page, at: library, from: name, expecting: row, tally)
      row = step.row
      guard step.tally != tally else { continue }
      tally = step.tally
      progress(tally)
    }
    return tally
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
    tally.isWhole = begun.row.underWay == .whole
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

  private func page(
    from provider: any CirculationProvider, after cursor: HarvestCursor?, _ call: Call
  ) async throws(HarvestFailure) -> HarvestPage {
    do throws(CirculationError) {
      let page = try await provider.harvest(from: cursor, in: call)
      if case .more(let next) = page.progress, next == cursor {
        throw CirculationError(
          .malformedResponse(expected: "a cursor that moves on"),
          from: provider.describe().provider, during: .harvest)
      }
      return page
    } catch {
      throw .provider(error)
    }
  }

  /// A list of titles that says nothing of copies is completed by asking for them, so that a search
  /// can tell what can be had. Where that fails the titles are kept all the same.
  private func withCopies(
    _ page: HarvestPage, from provider: any CirculationProvider, _ call: Call
  ) async throws(HarvestFailure) -> HarvestPage {
    guard type(of: provider).capabilities.contains(.availability) else { return page }
    let told = Set(
      page.changes.compactMap { change in
        if case .availability(let item, _) = change { item } else { nil }
      })
    let items = page.editions.map(\.item).filter { !told.contains($0) }
    guard !items.isEmpty else { return page }
    do throws(CirculationError) {
      var page = page
      let answers = try await provider.availability(of: items, in: call)
      page.changes += answers.sorted { $0.key < $1.key }.map { .availability($0.key, $0.value) }
      return page
    } catch {
      // Whoever stops a harvest wants it stopped here, too.
      if error.reason == .cancelled { throw .provider(error) }
      return page
    }
  }

  private struct Step: Sendable {
    let row: LibraryRow
    let tally: HarvestTally
  }

  private func settle(
    _ page: HarvestPage, at library: LibraryID, from provider: ProviderID,
    expecting expected: LibraryRow, _ tally: HarvestTally
  ) async throws(HarvestFailure) -> Step {
    let now = now()
    do throws(DatabaseError) {
      // The last page of a large catalogue sweeps it, too.
      return try await store.write(by: .now + .seconds(600)) { tx throws(DatabaseError) in
        guard var row = try tx.libraryRow(for: library) else {
          return Step(row: expected, tally: tally)
        }
        // Somebody else was quicker with this page: go on where the harvest is now.
        guard row.standsWhere(expected) else { return Step(row: row, tally: tally) }
        var tally = tally
        if page.scope == .startsOver {
          (row.underWay, row.listed) = (.whole, 0)
          row.round += 1
          tally.isWhole = true
        }
        try tx.apply(page, to: row, from: provider, at: now, &tally)
        row.listed += page.editions.count
        switch page.progress {
        case .more(let cursor): row.cursor = cursor
        case .done(let next):
          if row.underWay == .whole {
            try tx.sweep(row, &tally)
            row.completed = now
          }
          row.underWay = nil
          row.cursor = next
          row.ended = now
          tally.isComplete = true
        }
        try tx.save(row)
        return Step(row: row, tally: tally)
      }
    } catch {
      throw .database(error)
    }
  }
}

extension Transaction {
  fileprivate func apply(
    _ page: HarvestPage, to row: LibraryRow, from provider: ProviderID, at now: Int64,
    _ tally: inout HarvestTally
  ) throws(DatabaseError) {
    // What the page says last about an item is what holds: it may have left and come back.
    var last: [ItemID: HarvestPage.Change] = [:]
    for change in page.changes {
      switch change {
      case .listed(let edition): last[edition.item] = change
      case .removed(let item): last[item] = change
      case .availability(let item, let answer):
        try note(answer, on: item, at: row.key)
        tally.availabilities += 1
      }
    }
    let intake = Intake(row, from: provider, at: now, in: self)
    let listed = page.editions.filter { last[$0.item] == .listed($0) }
    let outcome = try intake.put(listed)
    let removed = last.compactMap { item, change in change == .removed(item) ? item : nil }
    tally.removed += try intake.remove(removed.sorted())
    tally.added += outcome.added
    tally.changed += outcome.changed
    tally.unchanged += outcome.unchanged
    tally.refused += outcome.refused
    tally.pages += 1
    tally.warn(page.warnings)
    tally.total = page.total ?? tally.total
  }

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
