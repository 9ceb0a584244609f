import Database
import StoreSupport
import Synchronization
import TestSupport

@testable import Schedule

let (sync, harvest): (JobKind, JobKind) = ("sync", "harvest")
let day: Int64 = 86_400_000

func withSchedule<R>(
  _ engine: Engine, _ body: (Schedule, Clock) async throws -> R
) async throws -> R {
  try await withStore(engine, tables: [Schedule.migrations]) { store in
    let clock = Clock(at: 1_000 * day)
    return try await body(Schedule(store: store, now: { clock.now }), clock)
  }
}

/// What was seen happening, in any order.
final class Tally: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  var all: [String: Int] { counts.withLock { $0 } }
  func count(_ word: String) { counts.withLock { $0[word, default: 0] += 1 } }
}

extension Schedule {
  func record(_ kind: JobKind, _ subject: String) async throws -> JobRecord? {
    try await records(of: [kind]).first { $0.subject == subject }
  }
}
