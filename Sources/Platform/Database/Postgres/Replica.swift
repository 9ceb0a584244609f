import Synchronization

/// A copy of the server that follows it. How far behind it is is measured by places in the server's
/// log: what the server had written a moment ago, and how much of that the copy has. An idle server
/// writes nothing, and then the copy is as good as itself however long it has heard nothing.
final class Replica: Sendable {
  let source: Source
  private let lag: Duration
  private let state = Mutex(State())

  private struct State {
    /// Where the server's log was at these moments, oldest first.
    var places: [(at: ContinuousClock.Instant, place: Int64)] = []
    var isGood = false
    var lookAgain = ContinuousClock.Instant.now
    var isLooking = false
  }

  private static let pause = Duration.seconds(1)
  /// A copy that is away is asked again later than one that lags.
  private static let absence = Duration.seconds(5)

  init?(_ settings: StoreSettings) {
    guard case .postgres(let address)? = settings.replica else { return nil }
    lag = settings.replicaLag
    source = Source(pool: Pool(limit: settings.connections)) { interruption throws(DatabaseError) in
      try PostgresSession.connected(to: address, settings, interruption)
    }
  }

  /// Looks once a second; who comes meanwhile is told what was so before.
  func isGood(beside store: Store) async -> Bool {
    let now = ContinuousClock.now
    let (isGood, isDue) = state.withLock { state in
      let isDue = !state.isLooking && now >= state.lookAgain
      if isDue { state.isLooking = true }
      return (state.isGood, isDue)
    }
    guard isDue else { return isGood }
    await look(beside: store)
    return state.withLock { $0.isGood }
  }

  /// It went away in the middle of a question.
  func leave() {
    state.withLock { state in
      state.isGood = false
      state.lookAgain = .now + Self.absence
    }
  }

  private func look(beside store: Store) async {
    let limit = ContinuousClock.now + .seconds(2)
    let at = ContinuousClock.now
    // A server that is away writes nothing: the copy may be read for as long as it was good before.
    let written = try? await store.read(by: limit) { tx throws(DatabaseError) -> Int64 in
      try tx.value("SELECT CAST(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS BIGINT)")
    }
    let followed = try? await store.perform(.reading, limit, at: source) {
      tx throws(DatabaseError) -> Verdict<Int64?> in
      // Nothing where the copy has become a server of its own: it would tell another story.
      .rollBack(
        try tx.value(
          """
          SELECT CASE WHEN pg_is_in_recovery()
            THEN CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS BIGINT) END
          """))
    }
    state.withLock { state in
      state.isLooking = false
      if let written { state.places.append((at, written)) }
      guard let followed else {
        (state.isGood, state.lookAgain) = (false, .now + Self.absence)
        return
      }
      state.lookAgain = .now + Self.pause
      state.places.removeAll { $0.at < at - lag - .seconds(60) }
      // Good if it has all that stood in the log so long ago; or, younger than that, all that is known.
      let wanted = state.places.last { $0.at <= at - lag } ?? state.places.first
      state.isGood = wanted.map { followed >= $0.place } ?? false
    }
  }
}

extension DatabaseError {
  /// What the server itself would not have answered: the copy is away, or had to drop the question
  /// to follow on (SQLSTATE 40001 during recovery comes as a collision).
  var isOfReplica: Bool {
    switch reason {
    case .connectionLost, .unreachable, .denied, .conflict, .inputOutput: true
    default: false
    }
  }

}
