import Circulation
import FoundationEssentials
import Synchronization

/// The made-up shelves as a library that is harvested, page by page: nothing is kept of those that
/// were handed out, so that a million editions need no more room than a thousand.
final class ShelvesProvider: CirculationProvider {
  static let capabilities: Set<Capability> = [.harvest]
  private static let page = 1000

  private struct State {
    var shelves = Shelves()
    var noise = Noise(state: 3)
    var next = 1
  }

  private let name: ProviderID
  private let count: Int
  private let state = Mutex(State())

  init(_ name: ProviderID, count: Int) { (self.name, self.count) = (name, count) }

  func describe() -> ProviderDescription {
    ProviderDescription(provider: name, availabilityBatch: Self.page)
  }

  func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    state.withLock { state in
      var changes: [HarvestPage.Change] = []
      while state.next <= count, changes.count < 2 * Self.page {
        let edition = state.shelves.edition(state.next)
        let copies = Availability.Copies(
          total: 3, available: state.noise.next(2), holds: state.noise.next(9))
        changes.append(.listed(edition))
        changes.append(
          .availability(
            edition.item,
            Availability(
              copies.available == 0 ? .queued(copies) : .available(copies),
              asOf: Date(timeIntervalSince1970: 1_700_000_000))))
        state.next += 1
      }
      return HarvestPage(
        changes: changes,
        progress: state.next > count ? .done(next: nil) : .more(HarvestCursor("\(state.next)")))
    }
  }
}
