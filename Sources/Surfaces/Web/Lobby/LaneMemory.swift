import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import Shelving
import Synchronization

/// The first books of each lane, kept for all readers of the same libraries until anything changes:
/// their pages differ in what they have, and seldom in what stands on the shelves.
final class LaneMemory: Sendable {
  private struct Key: Hashable {
    let lane: String
    let libraries: [LibraryID]
  }

  /// Of what the recommendations of a reader are made.
  private struct Liking: Hashable {
    let lane: String
    let libraries: [LibraryID]
    let taste: [CatalogItem]
    let hidden: [CatalogItem]
  }

  private struct Recommended {
    let works: [WorkID]
    let until: Int64
  }

  private struct State {
    var pulse = ""
    var pages: [Key: LanePage] = [:]
    var recommended: [Liking: Recommended] = [:]
  }

  private let state = Mutex(State())
  /// So many more are kept, for readers who do not want to see some of them.
  private static let spare = 10

  /// The first `count` works of a lane that this reader wants to see.
  func first(
    _ count: Int, of lane: Lane, from stock: Stock, _ caller: Caller
  ) async throws(Problem) -> [CatalogEntry] {
    if lane.isRecommending { return try await recommended(count, lane, stock, caller) }
    var wish = try PageWish(FormFields())
    let hidden = caller.shelf?.hidden ?? []
    wish.count = count + Self.spare
    let everybody = Reach(shelf: nil, libraries: caller.reach.libraries)
    let key = Key(lane: lane.id, libraries: caller.reach.libraries)
    let page: LanePage
    if let known = known(key, caller.sight) {
      page = known
    } else {
      page = try await stock.page(of: lane, wish, everybody, .books)
      keep(page, key, caller.sight)
    }
    guard !hidden.isEmpty else { return Array(page.entries.prefix(count)) }
    let seen = page.entries.filter { caller.shelf?.hides($0) != true }
    guard seen.count < count, page.total > page.entries.count else {
      return Array(seen.prefix(count))
    }
    // Whoever ignores nearly all of them gets a page of their own.
    wish.count = count
    return try await stock.page(of: lane, wish, caller.reach, .books).entries
  }

  /// Every work is weighed for a reader, which is worth keeping for a while; how those that were chosen
  /// stand is read anew.
  private func recommended(
    _ count: Int, _ lane: Lane, _ stock: Stock, _ caller: Caller
  ) async throws(Problem) -> [CatalogEntry] {
    let reach = caller.reach
    let liking = Liking(
      lane: lane.id, libraries: reach.libraries, taste: reach.taste,
      hidden: reach.shelf?.hidden ?? [])
    let known = state.withLock { $0.recommended[liking] }
    if let known, known.until > caller.now {
      return try await stock.read { () throws(DatabaseError) in
        try await stock.catalog.entries(of: known.works, at: reach.libraries)
      }
    }
    var wish = try PageWish(FormFields())
    wish.count = count
    let entries = try await stock.page(of: lane, wish, caller.reach, .books).entries
    let fresh = Recommended(works: entries.map(\.work), until: caller.now + Self.recommendedFor)
    state.withLock { state in
      if state.recommended.count > 5000 { state.recommended = [:] }
      state.recommended[liking] = fresh
    }
    return entries
  }

  /// In milliseconds.
  private static let recommendedFor: Int64 = 600_000

  private func known(_ key: Key, _ pulse: String) -> LanePage? {
    state.withLock { $0.pulse == pulse ? $0.pages[key] : nil }
  }

  private func keep(_ page: LanePage, _ key: Key, _ pulse: String) {
    state.withLock { state in
      // There are as many sets of libraries as there are kinds of readers; should there be more, they
      // begin anew.
      if state.pulse != pulse || state.pages.count > 1000 {
        (state.pulse, state.pages) = (pulse, [:])
      }
      state.pages[key] = page
    }
  }
}
