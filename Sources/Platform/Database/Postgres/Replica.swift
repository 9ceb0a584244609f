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
    var standby = StandbyState(isUp: false, lag: nil)
    var lookAgain = ContinuousClock.Instant.now
    var isLooking = false

    /// The age of the youngest known place that the copy has reached; zero where it has reached
    /// the last one, and nil while none is known.
    func lag(of followed: Int64, at now: ContinuousClock.Instant) -> Duration? {
      guard let last = places.last, let first = places.first else { return nil }
      if followed >= last.place { return .zero }
      let reached = places.last { $0.place <= followed } ?? first
      return reached.at.duration(to: now)
    }
  }

  private static let pause = Duration.seconds(1)
  /// A copy that is away is asked again later than one that lags.
  private static let absence = Duration.seconds(5)
  /// How long the places in the log are kept: a longer lag is not measured.
  private static let longestLag = Duration.seconds(3600)

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

  /// How the copy follows, from a look that is at most a second old.
  func standby(beside store: Store) async -> StandbyState {
    _ = await isGood(beside: store)
    return state.withLock { $0.standby }
  }

  /// It went away in the middle of a question.
  func leave() {
    state.withLock { state in
      state.isGood = false
      state.standby = StandbyState(isUp: false, lag: nil)
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
        state.standby = StandbyState(isUp: false, lag: nil)
        return
      }
      state.lookAgain = .now + Self.pause
      state.places.removeAll { $0.at < at - lag - Self.longestLag }
      state.standby = StandbyState(isUp: true, lag: state.lag(of: followed, at: at))
      // Good if it has all that stood in the log so long ago; or, younger than that, all that is known.
      let wanted = state.places.last { $0.at <= at - lag } ?? state.places.first
      state.isGood = wanted.map { followed >= $0.place } ?? false
    }
  }
}

/// How the copy of a database follows it.
package struct StandbyState: Sendable, Hashable {
  /// Whether it answered, and is still a copy.
  package let isUp: Bool
  /// How far it is behind; nil while that is not known.
  package let lag: Duration?
}

extension Store {
  /// Nil where the settings name no copy.
  package func standby() async -> StandbyState? { await replica?.standby(beside: self) }
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
