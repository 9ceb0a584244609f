import Database
import HTTPServer
import Synchronization

/// Whether the gateway should be sent requests: its own state, the database, the job runner. Libraries
/// do not count: without one of them the others' readers are served all the same.
actor Fitness {
  /// How long the job runner may be silent; it is heard every five seconds, and every ten while all
  /// its hands are full.
  static let longestSilence = Duration.seconds(60)

  private let readiness: Readiness
  private let runner: Pulse?
  private let database: @Sendable () async -> [String]
  private var known: (at: ContinuousClock.Instant, reasons: [String])?
  private var asking: Task<[String], Never>?

  /// `database` tells what is wrong with it, nothing where it can be written to.
  init(
    _ readiness: Readiness, runner: Pulse? = nil,
    database: @escaping @Sendable () async -> [String]
  ) {
    (self.readiness, self.runner, self.database) = (readiness, runner, database)
  }

  /// Why not; empty when all is well.
  func reasons() async -> [String] {
    switch readiness.state {
    case .starting: return ["starting"]
    case .draining: return ["stopping"]
    case .degraded(let reasons): return reasons
    case .ready: break
    }
    var reasons = await databaseReasons()
    if let silence = runner?.silence, silence > Self.longestSilence {
      reasons.append("the job runner was not heard for \(silence.components.seconds) s")
    }
    return reasons
  }

  /// The answer of the last second is good enough: anybody may ask, and each look is a transaction.
  private func databaseReasons() async -> [String] {
    if let known, known.at.duration(to: .now) < .seconds(1) { return known.reasons }
    if let asking { return await asking.value }
    let database = database
    let task = Task { await database() }
    asking = task
    let reasons = await task.value
    asking = nil
    known = (.now, reasons)
    return reasons
  }
}
