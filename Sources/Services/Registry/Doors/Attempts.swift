import Crypto
import Database
import Secrets

/// Failed attempts to come in, counted by what was tried and by where it came from, in rows that all
/// gateways of a house share and that outlive a restart: who is slowed at one door is slowed at all.
/// Counted under marks made with a key out of the vault, never under the words themselves.
struct Attempts: Sendable {
  /// So many in any stretch of this length, wherever it begins: each attempt is kept with its moment
  /// until its own time is over.
  struct Limit: Sendable {
    let count: Int
    /// Milliseconds.
    let span: Int64
  }

  struct Mark: Sendable {
    let bytes: [UInt8]
    let limit: Limit
  }

  static let keyLabel = "carrel/door-attempts"

  let registry: Registry

  /// How long whoever is behind these marks must wait, or nil.
  func wait(_ marks: [Mark]) async throws(RegistryError) -> Int64? {
    let now = registry.now()
    return try await registry.read { snapshot throws(DatabaseError) in
      try snapshot.wait(marks, at: now)
    }
  }

  /// Counts one more for each, unless one of them has to wait: many at once are no way around it.
  func count(_ marks: [Mark]) async throws(RegistryError) -> Int64? {
    let now = registry.now()
    return try await registry.write { tx throws(DatabaseError) -> Int64? in
      if let wait = try tx.wait(marks, at: now) { return wait }
      for mark in marks { try tx.count(mark, at: now) }
      try tx.execute("DELETE FROM registry_attempt WHERE until <= \(now)")
      return nil
    }
  }

  /// Counts what was refused, whoever has to wait already.
  func note(_ marks: [Mark]) async throws(RegistryError) {
    let now = registry.now()
    try await registry.write { tx throws(DatabaseError) -> Void in
      for mark in marks { try tx.count(mark, at: now) }
      try tx.execute("DELETE FROM registry_attempt WHERE until <= \(now)")
    }
  }

  /// Takes back what was counted before it was judged.
  func takeBack(_ marks: [Mark]) async throws(RegistryError) {
    let now = registry.now()
    try await registry.write { tx throws(DatabaseError) in
      for mark in marks {
        try tx.keep(try tx.moments(mark, at: now).dropLast(), of: mark)
      }
    }
  }

  /// Most have nothing to forget, and a look holds nobody up.
  func forget(_ marks: [Mark]) async throws(RegistryError) {
    let bytes = marks.map(\.bytes)
    let isThere = try await registry.read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT 1 FROM registry_attempt WHERE mark IN (\(bytes)) LIMIT 1") {
        _ throws(DatabaseError) in true
      } ?? false
    }
    guard isThere else { return }
    try await registry.write { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM registry_attempt WHERE mark IN (\(bytes))")
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
}

extension Snapshot {
  fileprivate func wait(
    _ marks: [Attempts.Mark], at now: Int64
  ) throws(DatabaseError) -> Int64? {
    var longest: Int64?
    for mark in marks {
      let moments = try moments(mark, at: now)
      guard moments.count >= mark.limit.count else { continue }
      // When the oldest of those that fill the limit is so long ago that it counts no more.
      let oldest = moments[moments.count - max(1, mark.limit.count)]
      longest = max(longest ?? 0, oldest + mark.limit.span - now)
    }
    return longest
  }

  /// Those that count, the oldest first. What a clock that was ahead wrote is void: it must not shut
  /// anybody out for long.
  fileprivate func moments(
    _ mark: Attempts.Mark, at now: Int64
  ) throws(DatabaseError) -> [Int64] {
    let bytes = try first(
      "SELECT moments FROM registry_attempt WHERE mark = \(mark.bytes)"
    ) { row throws(DatabaseError) -> [UInt8] in try row[0] }
    return stride(from: 0, to: (bytes?.count ?? 0) / 8 * 8, by: 8).map { place in
      (bytes ?? [])[place..<place + 8].reduce(0) { $0 << 8 | Int64($1) }
    }.filter { $0 > now - mark.limit.span && $0 <= now }
  }
}

extension Transaction {
  fileprivate func count(_ mark: Attempts.Mark, at now: Int64) throws(DatabaseError) {
    // More than the limit are not looked at: whoever goes on and on fills no memory.
    try keep((try moments(mark, at: now) + [now]).suffix(max(1, mark.limit.count)), of: mark)
  }

  fileprivate func keep(
    _ moments: ArraySlice<Int64>, of mark: Attempts.Mark
  ) throws(DatabaseError) {
    guard let last = moments.last else {
      try execute("DELETE FROM registry_attempt WHERE mark = \(mark.bytes)")
      return
    }
    let bytes = moments.flatMap { moment in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: moment >> Int64($0)) }
    }
    let until = last + mark.limit.span
    try execute(
      """
      INSERT INTO registry_attempt (mark, moments, until) VALUES (\(mark.bytes), \(bytes), \(until))
      ON CONFLICT (mark) DO UPDATE SET moments = \(bytes), until = \(until)
      """)
  }
}
