package import Circulation
import MockKit
import ProviderKit
import Testing

/// One operation meeting one peril: it ends in time, in one of the stated ways, and afterwards
/// nobody believes anything of the library that is not so.
package struct Cell: Sendable, CustomTestStringConvertible {
  let deed: Deed
  let peril: Peril

  package var testDescription: String { "\(deed.name): \(peril.name)" }

  /// What is answered without asking anybody meets no peril.
  package static func all(
    for provider: any CirculationProvider.Type,
    answeringAlone: Set<Circulation.Operation> = []
  ) -> [Cell] {
    Deed.all.filter {
      provider.capabilities.contains($0.capability) && !answeringAlone.contains($0.operation)
    }.flatMap { deed in
      Peril.all.map { Cell(deed: deed, peril: $0) }
    }
  }

  /// Which requests are struck: an operation may send several, and each has its own way of failing.
  private enum Strike: String, CaseIterable {
    case all, seconds, thirds
    /// From the first, which gets a token.
    case signIn

    var count: Fault.Count {
      switch self {
      case .all, .signIn: .always
      case .seconds: .every(2)
      case .thirds: .every(3)
      }
    }
  }

  package func check(in house: House) async throws {
    try await Cell(deed: deed.at(house), peril: peril).met(in: house)
  }

  private func met(in house: House) async throws {
    // Side by side, because most of them wait.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for strike in Strike.allCases {
        group.addTask {
          try await Premises.open(house) { try await meet(strike, $0) }
        }
      }
      try await group.waitForAll()
    }
  }

  private func meet(_ strike: Strike, _ visit: Premises) async throws {
    let item = try visit.title()
    var desk = try visit.ada
    // Signed in, and the same question asked before: the peril meets the deed itself.
    if visit.declares(.shelf) { _ = try await desk.shelf(in: visit.call) }
    if visit.declares(.availability) {
      _ = try await desk.availability(of: [item], in: visit.call)
    }
    try deed.prepare(visit)
    if visit.declares(.shelf) { _ = try await desk.shelf(in: visit.call) }
    if strike == .signIn { desk = try visit.afterRestart(.ada) }
    switch peril.harm {
    case .closed: visit.wire.isOpen = false
    case .fault(let kind): visit.arm(kind, strike.count)
    }
    let start = ContinuousClock.now
    let result = await attempt(desk, item, visit)
    let took = start.duration(to: .now)
    #expect(took < peril.patience + .seconds(2), "\(strike): took \(took)")
    visit.mend()
    judge(result, item, strike, visit)
    try await compare(visit, strike)
  }

  private func attempt(
    _ desk: any CirculationProvider, _ item: ItemID, _ visit: Premises
  ) async -> Result<Set<ItemID>?, CirculationError> {
    do throws(CirculationError) {
      return .success(try await deed.perform(desk, item, visit.call(for: peril.patience)))
    } catch {
      return .failure(error)
    }
  }

  private func judge(
    _ result: Result<Set<ItemID>?, CirculationError>, _ item: ItemID, _ strike: Strike,
    _ visit: Premises
  ) {
    switch result {
    case .success(let told):
      if strike.count == .always {
        switch peril.end {
        case .mustFail: Issue.record("\(strike): passed where nothing came through")
        case .mayNod: #expect(!deed.hasDocument, "\(strike): believed what was no answer")
        case .mayPass: break
        }
      }
      if let isDone = deed.isDone { #expect(isDone(visit), "\(strike): said to be done") }
      if let told { #expect(told == [item] || isStale, "\(strike): told of \(told)") }
    case .failure(let error):
      #expect(
        peril.reasons.contains(error.reason.code), "\(strike): ended in \(error.reason.code)")
      #expect(error.operation == deed.operation, "\(strike)")
      #expect(error.provider == visit.house.listing.id, "\(strike)")
      guard !peril.isDeceiving, !error.reason.leavesOutcomeOpen, let isDone = deed.isDone else {
        return
      }
      #expect(!isDone(visit), "\(strike): done, and said to be \(error.reason.code)")
    }
  }

  private var isStale: Bool {
    if case .fault(.stale) = peril.harm { true } else { false }
  }

  /// What is told afterwards is what the library knows.
  private func compare(_ visit: Premises, _ strike: Strike) async throws {
    guard visit.declares(.shelf) else { return }
    let shelf = try await visit.afterRestart(.ada).shelf(in: visit.call)
    let (truth, card) = (visit.truth, Reader.ada.card)
    let loans = truth.loans(by: card).map { visit.item($0.title) }
    let holds = truth.holds(by: card).map { visit.item($0.title) }
    #expect(shelf.loans.map(\.item).sorted() == loans.sorted(), "\(strike)")
    #expect(shelf.holds.map(\.item).sorted() == holds.sorted(), "\(strike)")
  }
}
