import Circulation
import Database
import FoundationEssentials
import ReadingLists
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Mirrors

/// A service where readers keep lists, in memory: it does what a real one does, and what it should
/// not.
final class Bookroom: CirculationProvider {
  static let capabilities: Set<Capability> = [
    .lists, .listWriting, .listChanges, .ratings, .remarks, .friends,
  ]

  private static let id = ProviderID("bookroom")

  struct State: Sendable {
    var lists: [ReadingList] = []
    var books: [ItemID: ListEntry] = [:]
    /// What is known there and stands on no list yet.
    var stock: [ItemID: ListEntry] = [:]
    /// Not shown, and not gone.
    var hidden: Set<ItemID> = []
    var written: [String] = []
    var questions = 0
    var perPage = 3
    var failure: CirculationError.Reason?
    /// Takes so many writes and then no more.
    var patience = Int.max
    var clock: Int64 = 1_000
    /// Lists show so many letters of a review.
    var cutsAt = Int.max
    /// Answers nothing of sense about these.
    var chokesOn: Set<ItemID> = []
    /// Takes a write and is not heard to say so, as when either side is killed just then.
    var swallowsAnswers = false
    /// Friends by name, with what they read.
    var friends: [String: [ListEntry]] = [:]
    var isFriendPrivate = false
    /// A page begins one book early, as when something went before it meanwhile.
    var shifts = false

    /// Going to a list that excludes others is leaving these.
    func place(_ entry: inout ListEntry, on list: ListID) {
      let exclusive = Set(lists.filter(\.isExclusive).map(\.id))
      if exclusive.contains(list) { entry.lists.removeAll(where: exclusive.contains) }
      entry.lists = (entry.lists + [list]).distinct
    }
  }

  let state: Mutex<State>
  let terms: ListTerms

  init(_ terms: ListTerms = .strict) {
    self.terms = terms
    var state = State()
    state.lists = [
      .init(
        id: ListID("to-read"), name: "to-read", isExclusive: terms.exclusiveStates, state: .wanted),
      .init(
        id: ListID("reading"), name: "reading", isExclusive: terms.exclusiveStates, state: .reading),
      .init(id: ListID("read"), name: "read", isExclusive: terms.exclusiveStates, state: .read),
      .init(id: ListID("sea"), name: "sea"),
    ]
    self.state = Mutex(state)
  }

  func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.id, availabilityBatch: 1, lists: terms)
  }

  // MARK: - What its other visitors do

  func put(_ item: String, _ title: String, on lists: [String], isbn: String? = nil) {
    change { state in
      var entry = ListEntry(item: ItemID(item), title: title)
      entry.authors = ["Ann Author"]
      entry.isbns = isbn.flatMap { ISBN($0) }.map { [$0] } ?? []
      entry.lists = lists.map { ListID($0) }
      entry.state = state.lists.first { entry.lists.contains($0.id) }?.state
      entry.changedAt = Date(milliseconds: state.clock)
      state.books[entry.item] = entry
    }
  }

  func alter(_ item: String, _ body: (inout ListEntry) -> Void) {
    change { state in
      guard var entry = state.books[ItemID(item)] else { return }
      body(&entry)
      entry.changedAt = Date(milliseconds: state.clock)
      entry.state = state.lists.first { entry.lists.contains($0.id) }?.state
      state.books[ItemID(item)] = entry
    }
  }

  func change<T>(_ body: (inout State) -> T) -> T {
    state.withLock { state in
      state.clock += 1
      return body(&state)
    }
  }

  subscript(_ item: String) -> ListEntry? { state.withLock { $0.books[ItemID(item)] } }
  func titles(on list: String) -> [String] {
    state.withLock { state in
      state.books.values.filter { $0.lists.contains(ListID(list)) }.map(\.title).sorted()
    }
  }

  var written: [String] { state.withLock(\.written) }
  var questions: Int { state.withLock(\.questions) }

  // MARK: - What it answers

  private func asked<T>(_ body: (inout State) -> T) throws(CirculationError) -> T {
    let (answer, failure) = state.withLock { state in
      state.questions += 1
      return (body(&state), state.failure)
    }
    if let failure { throw CirculationError(failure, from: Self.id, during: .list) }
    return answer
  }

  func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    try asked { state in
      state.lists.map { list in
        var list = list
        list.count = state.books.values.count { $0.lists.contains(list.id) }
        return list
      }
    }
  }

  func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let page = try asked { state -> ListPage? in
      if let friend = state.friends.first(where: { list.rawValue == "\($0.key)/read" }) {
        return ListPage(entries: friend.value)
      }
      guard state.lists.contains(where: { $0.id == list }) else { return nil }
      let all = state.books.values.filter {
        $0.lists.contains(list) && !state.hidden.contains($0.item)
      }.sorted { $0.item < $1.item }
      var start = cursor.flatMap { Int($0) } ?? 0
      let end = min(start + state.perPage, all.count)
      if state.shifts, start > 0 { start -= 1 }
      let entries = all[min(start, end)..<end].map { entry in
        var entry = entry
        if !terms.tellsAllLists { entry.lists = [list] }
        return entry.cut(at: state.cutsAt)
      }
      return ListPage(entries: entries, next: end < all.count ? "\(end)" : nil)
    }
    guard let page else { throw CirculationError(.titleGone, from: Self.id, during: .list) }
    return page
  }

  func changes(since moment: Date, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    try asked { state in
      ListPage(
        entries: state.books.values.filter { ($0.changedAt ?? .distantPast) >= moment }
          .sorted { $0.item < $1.item })
    }
  }

  func entry(of item: ItemID, in call: Call) async throws(CirculationError) -> ListEntry? {
    try asked { $0.books[item] }
  }

  func find(_ book: SoughtBook, in call: Call) async throws(CirculationError) -> [FoundBook] {
    try asked { state in
      state.stock.values.sorted { $0.item < $1.item }.compactMap { entry in
        if !Set(entry.isbns).isDisjoint(with: book.numbers.isbns) {
          return FoundBook(entry, isSure: true)
        }
        return entry.title == book.title ? FoundBook(entry, isSure: false) : nil
      }
    }
  }

  func friends(in call: Call) async throws(CirculationError) -> [ReadingFriend] {
    try asked { state in
      state.friends.keys.sorted().map { ReadingFriend(id: "f-\($0)", name: $0) }
    }
  }

  func lists(of friend: ReadingFriend, in call: Call)
    async throws(CirculationError) -> [ReadingList]
  {
    let isPrivate = try asked { $0.isFriendPrivate }
    if isPrivate { throw CirculationError(.credentialsRejected, from: Self.id, during: .list) }
    return [ReadingList(id: ListID("\(friend.name)/read"), name: "read", state: .read)]
  }

  func add(_ entry: ListEntry, to list: ListID, in call: Call) async throws(CirculationError) {
    try write("add \(entry.item) \(list)", entry) { kept, state in state.place(&kept, on: list) }
  }

  func remove(_ entry: ListEntry, from list: ListID, in call: Call)
    async throws(CirculationError)
  {
    try write("remove \(entry.item) \(list)", entry) { kept, _ in
      kept.lists.removeAll { $0 == list }
    }
  }

  func move(_ entry: ListEntry, from list: ListID, to other: ListID, in call: Call)
    async throws(CirculationError)
  {
    try write("move \(entry.item) \(list) \(other)", entry) { kept, state in
      kept.lists.removeAll { $0 == list }
      state.place(&kept, on: other)
    }
  }

  func rate(_ entry: ListEntry, in call: Call) async throws(CirculationError) {
    try write("rate \(entry.item)", entry) { kept, _ in
      kept.rating = entry.rating.map { $0.rounded() }
    }
  }

  func note(_ parts: Set<ListEntry.Part>, of entry: ListEntry, in call: Call)
    async throws(CirculationError)
  {
    try write("note \(entry.item)", entry) { kept, _ in
      if parts.contains(.review) { kept.review = entry.review }
      if parts.contains(.readings) { kept.readings = entry.readings.suffix(1) }
    }
  }

  private func write(
    _ words: String, _ entry: ListEntry, _ body: (inout ListEntry, State) -> Void
  ) throws(CirculationError) {
    if state.withLock({ $0.chokesOn.contains(entry.item) }) {
      throw CirculationError(.malformedResponse(expected: "a book"), from: Self.id, during: .list)
    }
    let isTaken = try asked { state -> Bool in
      guard state.patience > 0 else { return false }
      state.patience -= 1
      state.clock += 1
      state.written.append(words)
      var kept = state.books[entry.item] ?? state.stock[entry.item] ?? entry
      if state.books[entry.item] == nil { kept.lists = [] }
      body(&kept, state)
      kept.changedAt = Date(milliseconds: state.clock)
      kept.state = state.lists.first { kept.lists.contains($0.id) }?.state
      state.books[entry.item] = kept.lists.isEmpty ? nil : kept
      return true
    }
    let isHeard = state.withLock { !$0.swallowsAnswers }
    guard isTaken, isHeard else {
      throw CirculationError(.providerUnavailable, from: Self.id, during: .list)
    }
  }
}

extension ListTerms {
  /// As Goodreads.
  static let strict = ListTerms(
    entries: .kept, ratings: .kept, reviews: .kept, dates: .kept, exclusiveStates: true,
    ratingStep: 1, absenceIsProof: true, tellsAllLists: true)
  /// As Google Books, but that silence is proof.
  static let loose = ListTerms(entries: .kept, absenceIsProof: true)
}

extension ListEntry {
  fileprivate func cut(at length: Int) -> ListEntry {
    guard let review, review.count > length else { return self }
    var entry = self
    (entry.review, entry.isReviewCut) = (review.prefix(length) + "…", true)
    return entry
  }
}
