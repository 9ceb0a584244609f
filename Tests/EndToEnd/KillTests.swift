import Foundation
import JourneySupport
import TestSupport
import Testing

@Suite struct `A command that is killed` {
  /// `make soak` asks for many more of them.
  private static let variables = ProcessInfo.processInfo.environment
  private static let count = variables["KILLS"].flatMap { Int($0) } ?? 25
  private static let seed = variables["SEED"].flatMap { UInt64($0) } ?? 1

  /// Most of them with SQLite, where a crash leaves the writing half done in our own process.
  @Test(.timeLimit(.minutes(120)), arguments: Engine.allCases)
  func `A command that is killed loses no loan, doubles none and invents none`(_ engine: Engine)
    async throws
  {
    let share = Self.count / 5
    try await Stage.play(engine) { stage in
      var kills = Kills(stage, seed: Self.seed)
      try await kills.run(engine == .sqlite ? Self.count - share : share)
      #expect(kills.faults == [])
      for fate in Kills.Fate.allCases {
        print("soak: \(engine.rawValue)\t\(kills.fates[fate] ?? 0)\t\(fate.rawValue)")
      }
      print("soak: \(engine.rawValue)\t\(kills.faults.count)\tfaults (seed \(Self.seed))")
    }
  }

  /// A tenth as many: what never arrived at the library takes its time to be sure of.
  @Test(.timeLimit(.minutes(120)), arguments: Engine.allCases)
  func `an app's command with a key is settled and answered alike after a gateway is killed`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      var kills = try GatewayKills(stage, seed: Self.seed)
      try await kills.run(max(4, Self.count / 10))
      #expect(kills.faults == [])
      for fate in GatewayKills.Fate.allCases {
        let (count, told) = (kills.fates[fate] ?? 0, kills.told(fate).map { ": \($0)" } ?? "")
        print("soak: \(engine.rawValue)\t\(count)\tgateway, \(fate.rawValue)\(told)")
      }
      print("soak: \(engine.rawValue)\t\(kills.faults.count)\tgateway faults")
    }
  }
}
