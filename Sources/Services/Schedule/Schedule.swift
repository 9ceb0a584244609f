package import Database
import Machine

/// Work that falls due, kept in the database, so that many gateways share it and each piece is done
/// once. A worker claims a job for a short lease and renews that while it works; of one that was
/// killed another takes over when the lease ends.
///
/// Clocks differ and are set: what lies further ahead than its own period allows was written by a
/// clock that was ahead, and counts for nothing.
package struct Schedule: Sendable {
  package struct Settings: Sendable {
    /// How long a worker may be silent before another takes over.
    package var lease = Duration.seconds(30)
    /// How far the clocks of two gateways may be apart.
    package var skew = Duration.seconds(30)
    /// Until a failed job is tried again for the first time; twice as long after each further failure.
    package var firstRetry = Duration.seconds(60)

    package init() {}
  }

  let store: Store
  package let settings: Settings
  private let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(
    store: Store, settings: Settings = Settings(), now: @escaping @Sendable () -> Int64
  ) {
    (self.store, self.settings, self.now) = (store, settings, now)
  }

  // MARK: - What there is to do

  /// Puts work on the schedule. What is there already stays as it is, unless it is to be done more
  /// or less often from now on.
  package func plan(_ plans: [Plan]) async throws(DatabaseError) {
    let now = now()
    // Short transactions, so that workers need not wait for a long list.
    for start in stride(from: 0, to: plans.count, by: 500) {
      let part = try await unplanned(plans[start..<min(start + 500, plans.count)])
      if part.isEmpty { continue }
      try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
        for plan in part {
          let period = Self.period(plan.every)
          let first = min(plan.firstAt ?? now, now + period)
          try tx.execute(
            """
            INSERT INTO schedule_job (kind, subject, period, due_at, turn, failures)
            VALUES (\(plan.kind.rawValue), \(plan.subject), \(period), \(first), 0, 0)
            ON CONFLICT (kind, subject) DO UPDATE SET
              period = excluded.period,
              due_at = CASE WHEN schedule_job.due_at > \(now + period) THEN \(now + period)
                ELSE schedule_job.due_at END
            WHERE schedule_job.period <> excluded.period
            """)
        }
      }
    }
  }

  /// Those that are not there at their own pace. Most are, and looking costs a hundredth of writing:
  /// all readers of a house are planned for every few minutes.
  private func unplanned(_ plans: ArraySlice<Plan>) async throws(DatabaseError) -> [Plan] {
    let kinds = Set(plans.map(\.kind.rawValue)).sorted()
    let subjects = plans.map(\.subject)
    let known = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT kind, subject, period FROM schedule_job
        WHERE kind IN (\(kinds)) AND subject IN (\(subjects))
        """
      ) { row throws(DatabaseError) -> [String] in
        [try row[0], try row[1], String(try row[2] as Int64)]
      }
    }
    let there = Set(known)
    return plans.filter {
      !there.contains([$0.kind.rawValue, $0.subject, String(Self.period($0.every))])
    }
  }

  /// Makes a job due at once. One that is being done is done once more afterwards, as planned.
  package func hasten(_ kind: JobKind, of subject: String) async throws(DatabaseError) {
    let now = now()
    try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE schedule_job SET due_at = \(now)
        WHERE kind = \(kind.rawValue) AND subject = \(subject) AND due_at > \(now)
        """)
    }
  }

  package func forget(_ kind: JobKind, of subject: String) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        "DELETE FROM schedule_job WHERE kind = \(kind.rawValue) AND subject = \(subject)")
    }
  }

  // MARK: - Doing it

  /// Takes jobs that are due and that nobody holds, those that wait longest first. `dueBy` leaves out
  /// what fell due after a moment.
  package func claim(
    _ kinds: [JobKind], for worker: String, limit: Int, dueBy: Int64? = nil
  ) async throws(DatabaseError) -> [Job] {
    let now = now()
    let due = claimable(kinds, by: min(dueBy ?? now, now), at: now)
    // Most looks find nothing, and a look that only reads holds up nobody.
    let isIdle = try await store.read { tx throws(DatabaseError) in
      try tx.first("SELECT 1 FROM schedule_job WHERE \(due) LIMIT 1") {
        _ throws(DatabaseError) in true
      } == nil
    }
    if isIdle || limit < 1 { return [] }
    let until = now + settings.lease.milliseconds
    return try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
      let ids = try tx.rows(
        """
        SELECT id FROM schedule_job WHERE \(due) ORDER BY due_at, id LIMIT \(limit)\
        \(.skippingLocked)
        """
      ) { row throws(DatabaseError) -> Int64 in try row[0] }
      return try tx.rows(
        """
        UPDATE schedule_job SET owner = \(worker), leased_until = \(until), turn = turn + 1,
          started_at = \(now)
        WHERE id IN (\(ids)) RETURNING kind, subject, id, turn
        """
      ) { row throws(DatabaseError) in
        Job(
          kind: JobKind(rawValue: try row[0]), subject: try row[1], id: try row[2],
          turn: try row[3])
      }
    }
  }

  /// Keeps a job in its worker's hands; false when another took it over.
  package func extend(_ job: Job) async throws(DatabaseError) -> Bool {
    let until = now() + settings.lease.milliseconds
    return try await change(job, "leased_until = \(until)")
  }

  /// Lays a job back as if it had not been claimed.
  @discardableResult
  package func giveBack(_ job: Job) async throws(DatabaseError) -> Bool {
    try await change(job, "owner = NULL, leased_until = NULL")
  }

  /// Ends a job's turn and sets when it is due next. `jitter` is a number from 0 up to 1: what was
  /// planned at one moment drifts apart with it. False when another took the job over meanwhile: then
  /// the other's word counts.
  @discardableResult
  package func finish(
    _ job: Job, _ outcome: JobOutcome, jitter: Double
  ) async throws(DatabaseError) -> Bool {
    let (now, settings) = (now(), settings)
    // One row, held from the look to the change: with all that workers write beside each other, anything
    // stricter would have to be tried again and again.
    return try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) -> Bool in
      let mine: SQL = "id = \(job.id) AND turn = \(job.turn) AND owner IS NOT NULL"
      if case .over = outcome {
        return try tx.execute("DELETE FROM schedule_job WHERE \(mine)") == 1
      }
      let found = try tx.first(
        """
        SELECT due_at, period, failures FROM schedule_job WHERE \(mine)\
        \(.either(sqlite: "", postgres: " FOR UPDATE"))
        """
      ) { row throws(DatabaseError) -> (Int64, Int64, Int64) in (try row[0], try row[1], try row[2])
      }
      guard let (due, period, failures) = found else { return false }
      let pace = Pace(period: period, jitter: jitter)
      let (next, failed): (Int64, Int64)
      if case .failed = outcome {
        failed = min(failures, 1_000) + 1
        next = pace.retry(after: failed, from: now, first: Self.period(settings.firstRetry))
      } else {
        (failed, next) = (0, pace.next(after: due, now: now))
      }
      let note = outcome.note.map { String($0.prefix(500)).filter { $0 != "\0" } }
      try tx.execute(
        """
        UPDATE schedule_job SET owner = NULL, leased_until = NULL, ended_at = \(now),
          due_at = \(next), failures = \(failed), outcome = \(outcome.word), note = \(note)
        WHERE \(mine)
        """)
      return true
    }
  }

  private func change(_ job: Job, _ setting: SQL) async throws(DatabaseError) -> Bool {
    try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE schedule_job SET \(setting)
        WHERE id = \(job.id) AND turn = \(job.turn) AND owner IS NOT NULL
        """) == 1
    }
  }

  // MARK: - Looking

  /// How many jobs are due that nobody holds.
  package func dueCount(_ kinds: [JobKind]) async throws(DatabaseError) -> Int {
    let now = now()
    let due = claimable(kinds, by: now, at: now)
    return try await store.read { tx throws(DatabaseError) in
      try tx.value("SELECT count(*) FROM schedule_job WHERE \(due)")
    }
  }

  /// All jobs of these kinds, the next one first.
  package func records(of kinds: [JobKind]) async throws(DatabaseError) -> [JobRecord] {
    try await store.read { tx throws(DatabaseError) in
      try tx.rows(
        """
        SELECT kind, subject, period, due_at, owner, started_at, ended_at, outcome, failures, note
        FROM schedule_job WHERE kind IN (\(kinds.map(\.rawValue))) ORDER BY due_at, id
        """
      ) { row throws(DatabaseError) in
        JobRecord(
          kind: JobKind(rawValue: try row[0]), subject: try row[1],
          every: .milliseconds(try row[2] as Int64), dueAt: try row[3], owner: try row[4],
          startedAt: try row[5], endedAt: try row[6], outcome: try row[7], failures: try row[8],
          note: try row[9])
      }
    }
  }

  /// Due, or due too far ahead to be meant so; and held by nobody, or too long ago, or until too far
  /// ahead.
  private func claimable(_ kinds: [JobKind], by due: Int64, at now: Int64) -> SQL {
    let skew = settings.skew.milliseconds
    let furthest = now + settings.lease.milliseconds + skew
    return """
      kind IN (\(kinds.map(\.rawValue)))
        AND (due_at <= \(due) OR due_at - period > \(now + skew))
        AND (owner IS NULL OR leased_until <= \(now) OR leased_until > \(furthest))
      """
  }

  /// A second at least, and ten years at most: sums with it stay numbers.
  private static func period(_ span: Duration) -> Int64 {
    min(max(span, .seconds(1)), .seconds(10 * 366 * 86_400)).milliseconds
  }
}

extension Schedule {
  package static let migrations = MigrationList(
    "schedule",
    [
      Migration(
        "jobs",
        [
          """
          CREATE TABLE schedule_job (
            id \(.countedKey), kind \(.text) NOT NULL, subject \(.text) NOT NULL,
            period \(.integer) NOT NULL, due_at \(.integer) NOT NULL, owner \(.text),
            leased_until \(.integer), turn \(.integer) NOT NULL, started_at \(.integer),
            ended_at \(.integer), outcome \(.text), failures \(.integer) NOT NULL, note \(.text),
            UNIQUE (kind, subject))\(.strictTable)
          """,
          "CREATE INDEX schedule_job_due ON schedule_job (due_at)",
        ])
    ])
}
