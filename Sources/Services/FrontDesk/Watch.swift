import Catalog
package import Circulation
import Database
import ReadingLists
import Synchronization

/// Knows whether anything changed in the house, without asking for each request: what was looked at
/// within the last second counts.
package final class Watch: Sendable {
  package struct Sight: Sendable {
    /// Another one after every change that a feed may show.
    package let pulse: String
    package let silent: Set<LibraryID>
    package let at: ContinuousClock.Instant
  }

  private struct State {
    var sight: Sight?
    var looking: Task<Sight?, Never>?
    var shelves: [PatronID: Glance] = [:]
    /// How often something was done here. What was looked at before the last time is not kept.
    var changes = 0
    /// Tells other gateways of the house.
    var share: (@Sendable () -> Void)?
  }

  /// A reader's shelf, and when it was looked at.
  package struct Glance: Sendable {
    package let shelf: ReaderShelf
    package let pulse: String
    package let at: ContinuousClock.Instant
  }

  private let state = Mutex(State())
  private let stock: Stock
  private let clock: @Sendable () -> ContinuousClock.Instant
  private static let span = Duration.seconds(1)

  package init(_ stock: Stock, clock: @escaping @Sendable () -> ContinuousClock.Instant) {
    (self.stock, self.clock) = (stock, clock)
  }

  /// Nil where it is too long ago.
  package var fresh: Sight? {
    let now = clock()
    return state.withLock { state in
      state.sight.flatMap { now < $0.at + Self.span ? $0 : nil }
    }
  }

  /// What was done here is seen at once, here and at the other gateways.
  package func forget() {
    forgetHere()
    state.withLock { $0.share }?()
  }

  /// What another gateway told.
  package func forgetHere() {
    state.withLock { state in
      state.changes += 1
      (state.sight, state.looking, state.shelves) = (nil, nil, [:])
    }
  }

  /// From now on others are told of what is done here.
  package func share(by tell: @escaping @Sendable () -> Void) {
    state.withLock { $0.share = tell }
  }

  package func shelf(of patron: PatronID) async throws(StockError) -> Glance {
    let at = clock()
    let (known, changes) = state.withLock { ($0.shelves[patron], $0.changes) }
    if let known, at < known.at + Self.span { return known }
    let shelf = try await stock.shelf(patron)
    let glance = Glance(shelf: shelf, pulse: String(shelf.hashValue, radix: 36), at: at)
    state.withLock { state in
      guard state.changes == changes else { return }
      // Readers who left are forgotten all at once, now and then.
      if state.shelves.count > 10_000 { state.shelves = [:] }
      state.shelves[patron] = glance
    }
    return glance
  }

  /// Everybody who comes meanwhile waits for the same look.
  package func look() async throws(StockError) -> Sight {
    if let fresh { return fresh }
    let task = state.withLock { state in
      if let looking = state.looking { return looking }
      let changes = state.changes
      let task = Task { await self.looked(since: changes) }
      state.looking = task
      return task
    }
    guard let sight = await task.value else { throw StockError("the catalogue cannot be read") }
    return sight
  }

  private func looked(since changes: Int) async -> Sight? {
    let at = clock()
    let day = stock.now() / 86_400_000
    let pulse = try? await stock.catalog.pulse()
    let silent = try? await stock.silent()
    // Strangers see fewer of them; that something changed is enough to look again.
    let curated = try? await stock.curated(PatronID("")).map { "\($0.id)\($0.version)" }
    let sight: Sight?
    if let pulse, let silent, let curated {
      let names = silent.sorted().map(\.rawValue).joined(separator: ",")
      sight = Sight(
        pulse: "\(day)|\(pulse)|\(names)|\(stock.rack.revision)|\(curated.joined())",
        silent: silent, at: at)
    } else {
      sight = nil
    }
    state.withLock { state in
      guard state.changes == changes else { return }
      (state.looking, state.sight) = (nil, sight)
    }
    return sight
  }
}
