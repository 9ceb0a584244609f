import Foundation
import TestSupport
import Testing

@Suite struct `A simulated town` {
  /// `CARREL_DESK_SEED=17` repeats one seed; `CARREL_DESK_SEEDS=100000` soaks.
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["CARREL_DESK_SEEDS"].flatMap { UInt64($0) } ?? 300
  private static let only = environment["CARREL_DESK_SEED"].flatMap { UInt64($0) }

  @Test func `A simulated town keeps every promise for every seed`() async throws {
    let seeds = Self.only.map { $0...$0 } ?? 1...Self.count
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<UInt64(2) {
        group.addTask {
          for seed in seeds where seed % 2 == lane { try await self.live(seed, .sqlite) }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: UInt64(1)...6)
  func `A simulated town keeps every promise on the other engine too`(seed: UInt64) async throws {
    try await live(seed, .postgres)
  }

  private func live(_ seed: UInt64, _ engine: Engine) async throws {
    try await withHouse(engine) { house in
      do {
        _ = try await Simulation(seed: seed, house: house).run(operations: 40)
      } catch let violation as Simulation.Violation {
        Issue.record("\(violation)")
      }
    }
  }
}
