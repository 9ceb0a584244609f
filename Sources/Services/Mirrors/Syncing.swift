package import Circulation
import Database
import FoundationEssentials
import Machine
import ReadingLists

/// Whose lists are to be brought in step, and with whom.
package struct MirrorOrder: Sendable {
  package let account: AccountID
  /// Lists are called by it, as `home/to-read`.
  package let name: String
  package let patron: PatronID
  package let correspondent: Correspondent
  /// What the reader did here, of which what was said before is passed over.
  package var carried: [CarriedBook]
  /// Also where the service tells what changed.
  package var isWhole: Bool
  package var isRehearsal: Bool
  /// Whoever carries it out goes by this name while nobody else may.
  let holder = ReadingLists.newID()

  package init(
    _ account: AccountID, named name: String, of patron: PatronID,
    with correspondent: Correspondent, carried: [CarriedBook] = [], isWhole: Bool = false,
    isRehearsal: Bool = false
  ) {
    (self.account, self.name, self.patron) = (account, name, patron)
    (self.correspondent, self.carried) = (correspondent, carried)
    (self.isWhole, self.isRehearsal) = (isWhole, isRehearsal)
  }
}

package struct MirrorOutcome: Sendable {
  /// Questions asked to read.
  package var requests = 0
  /// Whether all lists were read, and not only what changed.
  package var wasWhole = false
  package var books = 0
  package var arrived: [String] = []
  package var left: [String] = []
  package var changed = 0
  /// Books that the service did not show; they stay.
  package var missed = 0
  package var conflicts: [Conflict] = []
  /// What the service has no such book for, or several.
  package var unfound: [String] = []
  /// Lists that are gone there and are the reader's own now.
  package var released: [String] = []
  /// What is to be written, where nothing is.
  package var planned: [(title: String, deed: Deed)] = []
  package var writes: [MirrorWrite] = []
  /// Why not all could be written.
  package var trouble: CirculationError?
  /// What the reader did here has to wait until the lists of the service are known.
  fileprivate var isToCarry = false
}

extension Mirrors {
  package func sync(
    _ order: MirrorOrder, progress: @Sendable (MirrorProgress) -> Void = { _ in }
  ) async throws(MirrorError) -> MirrorOutcome {
    let begun = now()
    let standing = try await started(order)
    let result: Result<MirrorOutcome, MirrorError>
    do throws(MirrorError) {
      var outcome = try await synced(order, standing, progress)
      if outcome.isToCarry, !order.isRehearsal {
        // Now that it is known which lists there are.
        var next = standing
        (next.readAt, next.wholeAt) = (begun, begun)
        var rest = order
        rest.isWhole = false
        outcome.go(on: try await synced(rest, next, progress))
      }
      result = .success(outcome)
    } catch {
      result = .failure(error)
    }
    try await ended(order, begunAt: begun, result)
    return try result.get()
  }

  private func synced(
    _ order: MirrorOrder, _ standing: MirrorStanding, _ progress: @Sendable (MirrorProgress) -> Void
  ) async throws(MirrorError) -> MirrorOutcome {
    let (correspondent, account) = (order.correspondent, order.account)
    let state = try await read { snapshot throws(DatabaseError) in
      try snapshot.mirrorState(of: account)
    }
    var told = try await hear(order, standing, state, progress)
    try await complete(&told, state, order)
    let bindings = try await bind(order, standing, state, told)
    var outcome = MirrorOutcome()
    (outcome.requests, outcome.wasWhole) = (told.requests, told.isWhole)
    outcome.unfound = bindings.unfoundTitles
    outcome.isToCarry =
      state.lists.isEmpty && order.carried.contains { $0.said(standing.carries) != nil }
    let keeping = Keeping(
      account: account, accountName: order.name, patron: order.patron,
      terms: correspondent.terms, told: told, now: now())
    if order.isRehearsal {
      var state = state
      _ = state.take(bindings, correspondent.terms)
      outcome.note(keeping.findings(state))
      return outcome
    }
    let findings = try await write { tx throws(DatabaseError) in
      // As it is by now: the reader may have gone on meanwhile.
      var state = try tx.mirrorState(of: account)
      let wishes = state.take(bindings, correspondent.terms)
      return try keeping.keep(&state, wishes, bindings, in: tx)
    }
    outcome.note(findings)
    outcome.planned = []
    (outcome.writes, outcome.trouble) = try await write(order, progress)
    outcome.books = try await read { snapshot throws(DatabaseError) in
      try snapshot.value(
        "SELECT count(*) FROM mirror_book WHERE account = \(account.rawValue)", as: Int.self)
    }
    return outcome
  }

  // MARK: - Listening

  private func hear(
    _ order: MirrorOrder, _ standing: MirrorStanding, _ state: MirrorState,
    _ progress: @Sendable (MirrorProgress) -> Void
  ) async throws(MirrorError) -> Told {
    let correspondent = order.correspondent
    var pages = 0
    func each() async throws(MirrorError) {
      pages += 1
      progress(.read(pages: pages))
      try await renewLease(order)
    }
    let isRecent = standing.wholeAt.map { now() - $0 < settings.wholeEvery.milliseconds } ?? false
    if !order.isWhole, isRecent, correspondent.can(.listChanges), let last = standing.readAt {
      // What was under way when it was asked for last is asked for again.
      let since = Date(milliseconds: last - 300_000)
      let told = try await correspondent.changes(since: since, each: each)
      let names = Set(state.remote.keys)
      let isKnown = told.books.values.allSatisfy { names.isSuperset(of: $0.entry.lists) }
      // A list that nobody knows was made meanwhile.
      if isKnown { return told }
    }
    return try await correspondent.everything(known: state.remote.mapValues(\.remote), each: each)
  }

  /// The rest of reviews that lists cut, some at a time.
  private func complete(
    _ told: inout Told, _ state: MirrorState, _ order: MirrorOrder
  ) async throws(MirrorError) {
    let correspondent = order.correspondent
    guard correspondent.can(.remarks) else { return }
    let cut = told.books.values.filter { book in
      guard book.entry.isReviewCut else { return false }
      let known = state.books[book.entry.item]?.told
      return known == nil || known?.isReviewCut == true || known?.changedAt != book.entry.changedAt
    }
    for book in cut.sorted(by: { $0.entry.item < $1.entry.item }).prefix(settings.mostReviews) {
      try await renewLease(order)
      told.requests += 1
      let whole = try await Self.unlessAboutOneBook { () throws(MirrorError) in
        try await correspondent.asked { provider, call throws(CirculationError) in
          try await provider.entry(of: book.entry.item, in: call)
        }
      }
      guard let review = whole??.review else { continue }
      told.books[book.entry.item]?.entry.review = review
      told.books[book.entry.item]?.entry.isReviewCut = false
    }
  }
}

package enum MirrorProgress: Sendable, Hashable {
  case read(pages: Int)
  case written(done: Int, of: Int)
}

extension MirrorOutcome {
  fileprivate mutating func note(_ findings: Findings) {
    (arrived, left, changed) = (findings.arrived, findings.left, findings.changed)
    (missed, conflicts, released) = (findings.missed, findings.conflicts, findings.released)
    planned = findings.deeds.map { (title: $0.title, deed: $0.deed) }
  }

  fileprivate mutating func go(on rest: MirrorOutcome) {
    requests += rest.requests
    (arrived, left) = (arrived + rest.arrived, left + rest.left)
    (changed, books) = (changed + rest.changed, rest.books)
    (unfound, writes, trouble) = (unfound + rest.unfound, rest.writes, rest.trouble)
    conflicts += rest.conflicts
  }
}
