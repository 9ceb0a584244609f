package import Circulation
import FoundationEssentials
import Machine

/// What a service said of a reader's lists in one visit.
struct Told: Sendable {
  /// Nil where it was not asked for.
  var lists: [ReadingList]?
  var books: [ItemID: ToldBook] = [:]
  /// Lists that were read to their end while nothing moved: what they lack is not on them.
  var whole: Set<ListID> = []
  var requests = 0
  /// Whether everything was read.
  var isWhole = false

  struct ToldBook: Sendable {
    var entry: ListEntry
    /// Where it was seen.
    var places: Set<ListID>
  }

  mutating func note(_ entry: ListEntry, on list: ListID?) {
    let places = Set(entry.lists).union(list.map { [$0] } ?? [])
    if var known = books[entry.item] {
      known.places.formUnion(places)
      // What was said last of a book that moves under one's eyes is the truest.
      if (entry.changedAt ?? .distantPast) >= (known.entry.changedAt ?? .distantPast) {
        known.entry = entry
      }
      books[entry.item] = known
    } else {
      books[entry.item] = ToldBook(entry: entry, places: places)
    }
  }
}

/// One side of a sync: whom to ask, and with what patience each time.
package struct Correspondent: Sendable {
  let provider: any CirculationProvider
  let terms: ListTerms
  let call: @Sendable () -> Call

  /// Nil where the provider keeps no lists. Each question gets a call of its own, since a long list
  /// takes longer than one answer may.
  package init?(_ provider: any CirculationProvider, call: @escaping @Sendable () -> Call) {
    guard let terms = provider.describe().lists else { return nil }
    (self.provider, self.terms, self.call) = (provider, terms, call)
  }

  func can(_ capability: Capability) -> Bool {
    type(of: provider).capabilities.contains(capability)
  }

  package var takesBooks: Bool { terms.entries == .kept && can(.listWriting) }
}

extension Correspondent {
  /// What changed since a moment.
  func changes(
    since moment: Date, each: () async throws(MirrorError) -> Void
  ) async throws(MirrorError) -> Told {
    var told = Told()
    var (cursor, followed): (String?, Set<String>) = (nil, [])
    repeat {
      let page = try await asked { provider, call throws(CirculationError) in
        try await provider.changes(since: moment, from: cursor, in: call)
      }
      told.requests += 1
      for entry in page.entries { told.note(entry, on: nil) }
      cursor = page.next.flatMap { followed.insert($0).inserted ? $0 : nil }
      try await each()
    } while cursor != nil
    return told
  }

  /// Everything that may have changed. Lists that say they did not are not read again.
  func everything(
    known: [ListID: ReadingList], each: () async throws(MirrorError) -> Void
  ) async throws(MirrorError) -> Told {
    var told = Told()
    let lists = try await asked { provider, call throws(CirculationError) in
      try await provider.lists(in: call)
    }
    told.requests += 1
    told.lists = lists
    told.isWhole = true
    for list in lists where isWorthReading(list, among: lists) {
      // A moment that is told and did not move; counts alone miss a book that was exchanged.
      if let before = known[list.id], let changed = list.changedAt, changed == before.changedAt,
        list.count == before.count
      {
        continue
      }
      do throws(MirrorError) {
        let isWhole = try await read(list.id, into: &told, each)
        if isWhole { told.whole.insert(list.id) }
      } catch {
        // Deleted between the two questions.
        guard case .service(let reason) = error, reason.reason == .titleGone else { throw error }
        told.isWhole = false
      }
      try await each()
    }
    return told
  }

  /// Where each book tells all its lists and stands on one that excludes others, these bring all.
  private func isWorthReading(_ list: ReadingList, among all: [ReadingList]) -> Bool {
    !terms.tellsAllLists || list.isExclusive || !all.contains(where: \.isExclusive)
  }

  /// Whether nothing moved meanwhile.
  private func read(
    _ list: ListID, into told: inout Told, _ each: () async throws(MirrorError) -> Void
  ) async throws(MirrorError) -> Bool {
    var (cursor, followed): (String?, Set<String>) = (nil, [])
    var (seen, hasShifted): (Set<ItemID>, Bool) = ([], false)
    repeat {
      let page = try await asked { provider, call throws(CirculationError) in
        try await provider.items(of: list, from: cursor, in: call)
      }
      told.requests += 1
      for entry in page.entries {
        if !seen.insert(entry.item).inserted { hasShifted = true }
        told.note(entry, on: list)
      }
      cursor = page.next.flatMap { followed.insert($0).inserted ? $0 : nil }
      try await each()
    } while cursor != nil
    return !hasShifted
  }

  func asked<Answer: Sendable>(
    _ question: (any CirculationProvider, Call) async throws(CirculationError) -> Answer
  ) async throws(MirrorError) -> Answer {
    do throws(CirculationError) { return try await question(provider, call()) } catch {
      throw .service(error)
    }
  }
}
