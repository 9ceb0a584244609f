package import Circulation
import Database
import FoundationEssentials
import ReadingLists

extension Mirrors {
  /// Sends what is planned, one after the other. Ends early where the service refuses us as such: the
  /// rest is planned anew the next time.
  func write(
    _ order: MirrorOrder, _ progress: @Sendable (MirrorProgress) -> Void
  ) async throws(MirrorError) -> ([MirrorWrite], CirculationError?) {
    let planned = try await writes(of: order.account, in: [.planned])
    var outcomes: [MirrorWrite] = []
    var failed: Set<ItemID> = []
    for (index, write) in planned.enumerated() {
      progress(.written(done: index, of: planned.count))
      // What is said of a book that did not get there has no place to be said.
      if failed.contains(write.item) { continue }
      try await renewLease(order)
      guard try await claim(write) else { continue }
      let result: Result<ListEntry?, CirculationError>
      do throws(MirrorError) {
        result = .success(try await send(write, order.correspondent))
      } catch {
        guard case .service(let reason) = error else { throw error }
        result = .failure(reason)
      }
      switch result {
      case .success(let kept):
        let note = write.shortfall(kept, order.correspondent.terms)
        let state: MirrorWrite.State = note == nil ? .done : .roughly
        try await agree(write, kept, state, note)
      case .failure(let reason):
        failed.insert(write.item)
        try await settle(write, .failed, reason.reason.code)
      }
      outcomes += try await writes(of: order.account, id: write.id)
      if case .failure(let reason) = result, !reason.isAboutOneBook { return (outcomes, reason) }
    }
    return (outcomes, nil)
  }

  /// What the service has of the book afterwards; nil where it has nothing of it.
  private func send(
    _ write: MirrorWrite, _ correspondent: Correspondent
  ) async throws(MirrorError) -> ListEntry? {
    var entry = write.wanted
    // By an earlier write of this round the book may have got a name there.
    if entry.record == nil, correspondent.can(.remarks), write.deed.turn > 0 {
      entry.record = try await correspondent.asked { provider, call throws(CirculationError) in
        try await provider.entry(of: write.item, in: call)
      }?.record
    }
    let sent = entry
    try await correspondent.asked { provider, call throws(CirculationError) in
      switch write.deed {
      case .add(let list): try await provider.add(sent, to: list, in: call)
      case .remove(let list): try await provider.remove(sent, from: list, in: call)
      case .move(let from, let to): try await provider.move(sent, from: from, to: to, in: call)
      case .rate: try await provider.rate(sent, in: call)
      case .note(let parts): try await provider.note(parts, of: sent, in: call)
      }
    }
    guard correspondent.can(.remarks) else { return write.assumed }
    return try await correspondent.asked { provider, call throws(CirculationError) in
      try await provider.entry(of: write.item, in: call)
    }
  }

  /// Whether it is still to be sent, and by us.
  private func claim(_ write: MirrorWrite) async throws(MirrorError) -> Bool {
    try await self.write { tx throws(DatabaseError) in
      try tx.execute(
        "UPDATE mirror_write SET state = 'sent' WHERE id = \(write.id) AND state = 'planned'") == 1
    }
  }

  private func settle(
    _ write: MirrorWrite, _ state: MirrorWrite.State, _ note: String?
  ) async throws(MirrorError) {
    let ended = now()
    _ = try await self.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE mirror_write SET state = \(state.rawValue), note = \(note), ended_at = \(ended)
        WHERE id = \(write.id)
        """)
    }
  }

  /// Both sides have it now: a later read finds nothing that changed.
  private func agree(
    _ write: MirrorWrite, _ kept: ListEntry?, _ state: MirrorWrite.State, _ note: String?
  ) async throws(MirrorError) {
    let now = now()
    try await self.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE mirror_write SET state = \(state.rawValue), note = \(note), ended_at = \(now)
        WHERE id = \(write.id)
        """)
      try tx.agree(write, kept)
    }
  }

  // MARK: - What was written

  /// The latest first.
  package func writes(
    of accounts: [AccountID], atMost limit: Int
  ) async throws(MirrorError) -> [MirrorWrite] {
    guard !accounts.isEmpty else { return [] }
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(MirrorWrite.columns) FROM mirror_write
        WHERE account IN (\(accounts.map(\.rawValue))) AND state <> 'planned'
        ORDER BY id DESC LIMIT \(limit)
        """, MirrorWrite.init(row:))
    }
  }

  private func writes(
    of account: AccountID, in states: [MirrorWrite.State]
  ) async throws(MirrorError) -> [MirrorWrite] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(MirrorWrite.columns) FROM mirror_write
        WHERE account = \(account.rawValue) AND state IN (\(states.map(\.rawValue))) ORDER BY id
        """, MirrorWrite.init(row:))
    }
  }

  func writes(of account: AccountID, id: Int64) async throws(MirrorError) -> [MirrorWrite] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(MirrorWrite.columns) FROM mirror_write
        WHERE account = \(account.rawValue) AND id = \(id)
        """, MirrorWrite.init(row:))
    }
  }
}

extension Transaction {
  fileprivate func agree(_ write: MirrorWrite, _ kept: ListEntry?) throws(DatabaseError) {
    let (account, item) = (write.account.rawValue, write.item.rawValue)
    let (gone, come): (ListID?, ListID?) =
      switch write.deed {
      case .add(let list): (nil, list)
      case .remove(let list): (list, nil)
      case .move(let from, let to): (from, to)
      case .rate, .note: (nil, nil)
      }
    let home: (ListID) -> SQL = { remote in
      "(SELECT list FROM mirror_list WHERE account = \(account) AND remote = \(remote.rawValue))"
    }
    if let gone {
      try execute("DELETE FROM mirror_place WHERE item = \(item) AND list = \(home(gone))")
    }
    if let come {
      try execute(
        """
        UPDATE mirror_place SET is_agreed = \(true), missed = 0
        WHERE item = \(item) AND list = \(home(come))
        """)
    }
    guard
      let row = try first(
        "SELECT mine, edits FROM mirror_book WHERE account = \(account) AND item = \(item)",
        { row throws(DatabaseError) -> (String, String) in (try row[0], try row[1]) })
    else { return }
    let mine = KeptEntry.entry(row.0, of: write.item)
    let places = try value(
      "SELECT count(*) FROM mirror_place WHERE account = \(account) AND item = \(item)",
      as: Int.self)
    guard places > 0 else {
      // It stands on no list any more, and what was said of it went with it.
      try execute("DELETE FROM mirror_book WHERE account = \(account) AND item = \(item)")
      return
    }
    // A service that is asked too soon does not know yet what it took.
    guard let kept = kept ?? write.assumed else { return }
    let settled: Set<ListEntry.Part> =
      switch write.deed {
      case .rate: [.rating]
      case .note(let parts): parts
      case .add, .remove, .move: []
      }
    let edits = Set(row.1.split(separator: " ").compactMap { ListEntry.Part(rawValue: String($0)) })
    var ours = kept
    for part in ListEntry.Part.allCases { part.copy(from: mine, to: &ours) }
    (ours.lists, ours.state) = (mine.lists, mine.state)
    try keep(
      MirrorRow(
        account: write.account, item: write.item, told: kept, mine: ours,
        edits: edits.subtracting(settled), editedAt: write.at))
  }
}

extension MirrorWrite {
  static let columns: SQL = """
    id, account, item, title, deed, before, wanted, state, note, at, ended_at
    """

  init(row: borrowing Row) throws(DatabaseError) {
    let item = ItemID(try row[2])
    let title: String = try row[3]
    let deed: String = try row[4]
    let state: String = try row[7]
    let (before, wanted): (String, String) = (try row[5], try row[6])
    self.init(
      id: try row[0], account: AccountID(try row[1]), item: item, title: title,
      deed: Deed(read: deed) ?? .note([]), before: KeptEntry.entry(before, of: item),
      wanted: KeptEntry.entry(wanted, of: item),
      state: State(rawValue: state) ?? .failed, note: try row[8], at: try row[9],
      endedAt: try row[10])
  }

  /// What a service has that cannot be asked for one book.
  fileprivate var assumed: ListEntry? {
    var entry = before
    switch deed {
    case .add(let list): entry.lists = (entry.lists + [list]).distinct
    case .remove(let list): entry.lists.removeAll { $0 == list }
    case .move(let from, let to): entry.lists = (entry.lists.filter { $0 != from } + [to]).distinct
    case .rate: entry.rating = wanted.rating
    case .note(let parts): for part in parts { part.copy(from: wanted, to: &entry) }
    }
    return entry
  }

  /// What the service keeps less of than it was told; nil where all is as it should be.
  fileprivate func shortfall(_ kept: ListEntry?, _ terms: ListTerms) -> String? {
    switch deed {
    case .add(let list), .move(_, let list):
      guard let kept else { return "the book is not there" }
      // Some say only that it is on one of several.
      return kept.lists.isEmpty || kept.lists.contains(list) ? nil : "it stands elsewhere"
    case .remove: return nil
    case .rate:
      guard kept?.rating != wanted.rating else { return nil }
      return "kept as \(ListEntry.Part.rating.words(kept ?? before))"
    case .note(let parts):
      let less = parts.filter { part in !part.isSame(kept ?? before, wanted) }
      // One date of several is what such a service can keep.
      let odd = less.filter { part in
        !(part == .readings && !terms.severalReadings
          && kept?.readings.last == wanted.readings.last)
      }
      if odd.isEmpty { return less.isEmpty ? nil : "only the last time of reading is kept" }
      return odd.map { "the \($0.rawValue) is kept otherwise" }.sorted().joined(separator: ", ")
    }
  }
}

extension CirculationError {
  /// Whether the next book may fare better.
  var isAboutOneBook: Bool {
    switch reason {
    case .credentialsRejected, .accountExpired, .accountBlocked, .providerBusy,
      .providerUnavailable, .networkFailure, .deadlineExceeded, .cancelled, .notConfigured:
      false
    default: true
    }
  }
}
