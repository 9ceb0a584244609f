import Catalog
import Circulation
import Synchronization

/// A catalogue of pages, some of which can be made to fail for a while. The cursor of a page is
/// its number.
final class StubLender: CirculationProvider {
  static let capabilities: Set<Capability> = [.harvest, .harvestSince]

  private struct State {
    var pages: [[HarvestPage.Change]]
    var next: HarvestCursor?
    var failing: Set<Int> = []
    var cut: Set<Int> = []
    var asked: [String] = []
  }

  private let state: Mutex<State>

  init(_ pages: [[HarvestPage.Change]], next: HarvestCursor? = nil) {
    state = Mutex(State(pages: pages, next: next))
  }

  convenience init(titles: [[String]], next: HarvestCursor? = nil) {
    self.init(titles.map { $0.map { .listed(edition($0, "Title \($0)")) } }, next: next)
  }

  func describe() -> ProviderDescription {
    ProviderDescription(provider: lender, availabilityBatch: 25)
  }

  /// What was asked for, as cursors; the first page as nothing.
  var asked: [String] { state.withLock { $0.asked } }

  func fail(at pages: Set<Int>) { state.withLock { $0.failing = pages } }

  /// As if more stood on these pages than is taken.
  func cut(at pages: Set<Int>) { state.withLock { $0.cut = pages } }

  func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    let answer = state.withLock { state -> HarvestPage? in
      state.asked.append(cursor?.value ?? "")
      let number = cursor.flatMap { Int($0.value) } ?? 0
      guard !state.failing.contains(number) else { return nil }
      let changes = number < state.pages.count ? state.pages[number] : []
      let isLast = number + 1 >= state.pages.count
      var page = HarvestPage(
        changes: changes,
        progress: isLast ? .done(next: state.next) : .more(HarvestCursor("\(number + 1)")))
      page.isCut = state.cut.contains(number)
      return page
    }
    guard let answer else {
      throw CirculationError(.providerUnavailable, from: lender, during: .harvest)
    }
    return answer
  }
}

extension Catalog {
  @discardableResult
  func harvest(
    _ stub: some CirculationProvider, full: Bool = true, at library: LibraryID = town,
    room: Int = NamedCatalogs.mostTitlesInSum
  ) async throws(HarvestFailure) -> HarvestTally {
    try await harvest(
      library, from: stub, full: full, room: room,
      call: { Call(patron: nil, deadline: .now + .seconds(30), requestID: "test") },
      progress: { _ in })
  }
}
