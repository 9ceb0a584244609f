import Database
import Secrets

/// Failed sign-ins, counted by what was tried and by where it came from, in rows that all gateways
/// share and that outlive a restart. Each is kept with its moment and with the client that made it, so
/// that a success takes back only what its own client added. Counted under marks made with a key of
/// the vault, never under the names themselves.
struct FailedSignIns: Sendable {
  /// So many in any stretch of this length, wherever it begins.
  struct Limit: Sendable {
    let count: Int
    /// Milliseconds.
    let span: Int64
  }

  struct Mark: Sendable {
    let bytes: [UInt8]
    let limit: Limit
  }

  /// Who failed, as a short hash.
  typealias Client = UInt64

  struct Attempt: Sendable, Hashable {
    let at: Int64
    let client: Client
  }

  /// What was counted before a library was asked, for taking back exactly that.
  struct Reservation: Sendable {
    fileprivate let marks: [Mark]
    fileprivate let attempt: Attempt
  }

  enum ReservationAnswer: Sendable {
    case reserved(Reservation)
    /// Milliseconds to wait.
    case full(Int64)
  }

  /// Of some marks, as they were at one moment.
  struct Counts: Sendable {
    fileprivate let attempts: [[UInt8]: [Attempt]]
    fileprivate let now: Int64

    /// How long to wait until none of these is full, in milliseconds; nil where none is.
    func wait(_ marks: [Mark]) -> Int64? { marks.compactMap { wait($0) }.max() }

    func count(_ mark: Mark) -> Int { counted(mark).count }

    func has(_ client: Client, in mark: Mark) -> Bool {
      counted(mark).contains { $0.client == client }
    }

    private func counted(_ mark: Mark) -> [Attempt] {
      (attempts[mark.bytes] ?? []).within(mark.limit, at: now)
    }

    private func wait(_ mark: Mark) -> Int64? {
      let counted = counted(mark)
      guard counted.count >= mark.limit.count else { return nil }
      // When the oldest of those that fill the limit is so long ago that it counts no more.
      return counted[counted.count - max(1, mark.limit.count)].at + mark.limit.span - now
    }
  }

  static let keyLabel = "carrel/door-attempts"

  let registry: Registry
  private let tally = FailureTally()

  init(registry: Registry) { self.registry = registry }

  func counts(_ marks: [Mark]) async throws(RegistryError) -> Counts {
    let now = registry.now()
    return try await registry.read { snapshot throws(DatabaseError) in
      try snapshot.failedSignIns(marks, at: now)
    }
  }

  /// Counts one more for each, unless one of them is full: strict over all gateways, however many
  /// try at once.
  func reserve(
    _ marks: [Mark], by client: Client
  ) async throws(RegistryError) -> ReservationAnswer {
    let now = registry.now()
    let attempt = Attempt(at: now, client: client)
    return try await registry.write { tx throws(DatabaseError) -> ReservationAnswer in
      let counts = try tx.failedSignIns(marks, at: now)
      if let wait = counts.wait(marks) { return .full(wait) }
      try tx.add(attempt, to: marks, counts)
      return .reserved(Reservation(marks: marks, attempt: attempt))
    }
  }

  /// It was no failure after all.
  func cancel(_ reservation: Reservation) async throws(RegistryError) {
    try await registry.write { tx throws(DatabaseError) in try tx.cancel(reservation) }
  }

  /// It was right, and with it goes what the same client had failed before.
  func cancel(
    _ reservation: Reservation, forgiving counting: SignInCounting
  ) async throws(RegistryError) {
    try await registry.write { tx throws(DatabaseError) in
      try tx.cancel(reservation)
      try tx.forgive(counting.client, in: counting.name, at: reservation.attempt.at)
    }
  }

  /// Counts one that failed.
  func add(_ marks: [Mark], by client: Client) async throws(RegistryError) {
    let now = registry.now()
    let tallied = tally.add(at: now)
    try await registry.write { tx throws(DatabaseError) in
      try tx.add(
        Attempt(at: now, client: client), to: marks, try tx.failedSignIns(marks, at: now))
      if let tallied { try tx.addFailures(tallied, at: now) }
    }
  }

  static var table: [SQL] {
    [
      """
      CREATE TABLE registry_attempt (
        mark \(.blob) NOT NULL PRIMARY KEY, count \(.integer) NOT NULL,
        until \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX registry_attempt_until ON registry_attempt (until)",
    ]
  }

  /// Counts of before had no moments, and are worth an hour at most.
  static var tableOfMoments: [SQL] {
    [
      "DROP TABLE registry_attempt",
      """
      CREATE TABLE registry_attempt (
        mark \(.blob) NOT NULL PRIMARY KEY, moments \(.blob) NOT NULL,
        until \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX registry_attempt_until ON registry_attempt (until)",
    ]
  }

  /// Counts of before did not say who failed; they are worth a day at most.
  static var tableWithClients: [SQL] {
    [
      "DROP TABLE registry_attempt",
      """
      CREATE TABLE registry_attempt (
        mark \(.blob) NOT NULL PRIMARY KEY, attempts \(.blob) NOT NULL,
        until \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX registry_attempt_until ON registry_attempt (until)",
    ]
  }
}

extension [FailedSignIns.Attempt] {
  /// The oldest first. What was written at the same time is often a little ahead, and what a clock
  /// wrote that was far ahead is void: it must not lock a patron out for long.
  fileprivate func within(_ limit: FailedSignIns.Limit, at now: Int64) -> [Element] {
    filter { $0.at > now - limit.span && $0.at <= now + 60_000 }.sorted { $0.at < $1.at }
  }

  fileprivate init(bytes: [UInt8]) {
    func word(at place: Int) -> UInt64 {
      bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self = stride(from: 0, to: bytes.count / 16 * 16, by: 16).map { place in
      Element(at: Int64(bitPattern: word(at: place)), client: word(at: place + 8))
    }
  }

  fileprivate var bytes: [UInt8] {
    flatMap { attempt in
      [UInt64(bitPattern: attempt.at), attempt.client].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
      }
    }
  }
}

extension Snapshot {
  func failedSignIns(
    _ marks: [FailedSignIns.Mark], at now: Int64
  ) throws(DatabaseError) -> FailedSignIns.Counts {
    let bytes = marks.map(\.bytes)
    let rows = try rows("SELECT mark, attempts FROM registry_attempt WHERE mark IN (\(bytes))") {
      row throws(DatabaseError) -> ([UInt8], [UInt8]) in (try row[0], try row[1])
    }
    return FailedSignIns.Counts(
      attempts: Dictionary(rows.map { ($0, .init(bytes: $1)) }) { one, _ in one }, now: now)
  }
}

extension Transaction {
  /// A success of this client's: nothing of others' is taken back.
  func forgive(
    _ client: FailedSignIns.Client, in mark: FailedSignIns.Mark, at now: Int64
  ) throws(DatabaseError) {
    let attempts = try failedSignIns([mark], at: now).attempts[mark.bytes] ?? []
    try keep(attempts.filter { $0.client != client }, of: mark)
  }

  func cancel(_ reservation: FailedSignIns.Reservation) throws(DatabaseError) {
    let counts = try failedSignIns(reservation.marks, at: reservation.attempt.at)
    for mark in reservation.marks {
      var attempts = counts.attempts[mark.bytes] ?? []
      guard let place = attempts.lastIndex(of: reservation.attempt) else { continue }
      attempts.remove(at: place)
      try keep(attempts, of: mark)
    }
  }

  func add(
    _ attempt: FailedSignIns.Attempt, to marks: [FailedSignIns.Mark],
    _ counts: FailedSignIns.Counts
  ) throws(DatabaseError) {
    for mark in marks {
      let counted = (counts.attempts[mark.bytes] ?? []).within(mark.limit, at: attempt.at)
      // More than the limit are not looked at: guessing on and on fills no memory.
      try keep((counted + [attempt]).suffix(max(1, mark.limit.count)), of: mark)
    }
    try execute("DELETE FROM registry_attempt WHERE until <= \(attempt.at)")
  }

  fileprivate func keep(
    _ attempts: some Collection<FailedSignIns.Attempt>, of mark: FailedSignIns.Mark
  ) throws(DatabaseError) {
    guard let last = attempts.map(\.at).max() else {
      try execute("DELETE FROM registry_attempt WHERE mark = \(mark.bytes)")
      return
    }
    let (bytes, until) = (Array(attempts).bytes, last + mark.limit.span)
    try execute(
      """
      INSERT INTO registry_attempt (mark, attempts, until)
      VALUES (\(mark.bytes), \(bytes), \(until))
      ON CONFLICT (mark) DO UPDATE SET attempts = \(bytes), until = \(until)
      """)
  }
}
