package import Circulation
package import Database

extension Catalog {
  /// Reads on where the last run stopped, then from where the provider says that changes start;
  /// all from the beginning when asked to, at the first time, or when there is no such place.
  ///
  /// A page and its cursor are kept in one transaction: a run that is killed loses no page and
  /// repeats none. Two runs at once share the pages between them.
  ///
  /// Of a catalog that a patron named at most `room` editions are kept.
  package func harvest(
    _ library: LibraryID, from provider: any CirculationProvider, full: Bool,
    room: Int = NamedCatalogs.mostTitlesInSum, call: @escaping @Sendable () -> Call,
    progress: @Sendable (HarvestTally) -> Void
  ) async throws(HarvestFailure) -> HarvestTally {
    let name = provider.describe().provider
    var tally = HarvestTally()
    let row = try await begin(library, full ? .anew : .onward, from: name, room: room, &tally)
    let reader = HarvestReader(provider: provider, call: call)
    defer { known.forget() }
    let course = HarvestCourse(row, tally, reader) { leaf, row, tally throws(HarvestFailure) in
      let page = try leaf.answer.page.get()
      guard library.isAddress else {
        return try await self.settle(
          page, leaf.drafts, at: library, from: name, expecting: row, tally)
      }
      return try await self.settleSlowly(
        page, leaf.drafts, at: library, from: name, expecting: row, tally)
    }
    tally = try await course.run(progress)
    guard library.isAddress, tally.isComplete, tally.isWhole else { return tally }
    do throws(DatabaseError) {
      tally.dropped += try await sweepNamed(library)
    } catch {
      throw .database(error)
    }
    return tally
  }

  private enum Beginning { case anew, onward }

  private func begin(
    _ library: LibraryID, _ beginning: Beginning, from provider: ProviderID, room: Int,
    _ tally: inout HarvestTally
  ) async throws(HarvestFailure) -> LibraryRow {
    let begun: Begun?
    do throws(DatabaseError) {
      begun = try await opened(library, beginning, room)
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
    _ library: LibraryID, _ beginning: Beginning, _ room: Int
  ) async throws(DatabaseError) -> Begun? {
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      guard var row = try tx.libraryRow(for: library) else { return nil }
      if library.isAddress { row.room = room }
      if beginning == .onward, row.underWay != nil {
        try tx.save(row)
        return Begun(row: row, isResumed: true)
      }
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

  /// A page in small portions, each in a transaction of its own and with a pause behind it: any patron
  /// can name a catalog, and what others do meanwhile must not wait for it. Where that is broken off
  /// the page is read again.
  private func settleSlowly(
    _ page: HarvestPage, _ drafts: [ItemID: Draft], at library: LibraryID,
    from provider: ProviderID, expecting expected: LibraryRow, _ tally: HarvestTally
  ) async throws(HarvestFailure) -> HarvestCourse.Step {
    var step = HarvestCourse.Step(row: expected, tally: tally)
    var part = page
    var rest = page.changes[...]
    repeat {
      part.changes = Array(rest.prefix(NamedCatalogs.batch))
      rest = rest.dropFirst(NamedCatalogs.batch)
      let (portion, former, isLast) = (part, step, rest.isEmpty)
      step = try await yielding { () throws(HarvestFailure) in
        try await settle(
          portion, drafts, at: library, from: provider, expecting: former.row, former.tally,
          isLast: isLast)
      }
      (part.scope, part.warnings) = (.asAsked, [])
      if step.row.underWay == nil || step.row.cursor != expected.cursor { return step }
    } while !rest.isEmpty
    return step
  }

  private static let cutShort =
    "more is listed than was read, so nothing is taken to have left"

  private func settle(
    _ page: HarvestPage, _ drafts: [ItemID: Draft], at library: LibraryID,
    from provider: ProviderID, expecting expected: LibraryRow, _ tally: HarvestTally,
    isLast: Bool = true
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
        let isPastEnd = library.isAddress && row.isPastEnd(page.editions.count, at: now)
        if page.isCut || isPastEnd { row.underWay = .part }
        if !isPastEnd {
          let admitted =
            try row.room.map { room throws(DatabaseError) in
              try page.narrow(to: tx.admitted(page.items, at: row, most: room))
            } ?? page
          if admitted.editions.count < page.editions.count { row.underWay = .part }
          try kin.apply(admitted, drafts, to: row, from: provider, at: now, &tally)
          row.listed += page.editions.count
          if isLast { tally.pages += 1 }
        }
        switch isPastEnd ? .done(next: nil) : page.progress {
        case _ where !isLast && !isPastEnd: break
        case .more(let cursor): row.cursor = cursor
        case .done(let next):
          row.cursor = next
          switch row.underWay {
          case .whole:
            try tx.sweep(row, &tally)
            row.completed = now
            row.cutShort = 0
          case .part:
            // All is looked at again the next time, as nobody knows what was left out.
            row.cursor = nil
            row.cutShort += 1
            tally.isWhole = tally.isWhole || library.isAddress
            tally.warn([library.isAddress ? NamedCatalogs.cutShort : Self.cutShort])
          case .changes, nil: row.cutShort = 0
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

extension LibraryRow {
  /// Whether a catalog that a patron named has been read for long enough, or has as many titles as one
  /// may.
  fileprivate func isPastEnd(_ count: Int, at now: Int64) -> Bool {
    now - (started ?? now) > NamedCatalogs.longest || listed + count > NamedCatalogs.mostTitles
  }
}

extension HarvestPage {
  fileprivate var items: [ItemID] { editions.map(\.item) }

  /// Without availability of other items.
  fileprivate func narrow(to items: Set<ItemID>) -> HarvestPage {
    var page = self
    page.changes.removeAll { change in
      switch change {
      case .listed(let edition): !items.contains(edition.item)
      case .availability(let item, _): !items.contains(item)
      case .removed: false
      }
    }
    return page
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
