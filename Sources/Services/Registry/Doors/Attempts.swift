import Crypto
import Database
import Secrets

/// Failed attempts to come in, counted by what was tried and by where it came from, in rows that all
/// gateways of a house share and that outlive a restart: who is slowed at one door is slowed at all.
/// Counted under marks made with a key out of the vault, never under the words themselves.
struct Attempts: Sendable {
  struct Limit: Sendable {
    enum Start: Sendable { case first, last }

    let count: Int
    /// Milliseconds.
    let span: Int64
    /// Which failure the span begins with. From the last one on, no stretch of that length holds more
    /// than are allowed, wherever it begins.
    var start = Start.first
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
    let bytes = marks.map(\.bytes)
    try await registry.write { tx throws(DatabaseError) in
      try tx.execute("UPDATE registry_attempt SET count = count - 1 WHERE mark IN (\(bytes))")
      try tx.execute("DELETE FROM registry_attempt WHERE count <= 0")
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
}

extension Snapshot {
  fileprivate func wait(
    _ marks: [Attempts.Mark], at now: Int64
  ) throws(DatabaseError) -> Int64? {
    var longest: Int64?
    for mark in marks {
      let tally = try first(
        "SELECT count, until FROM registry_attempt WHERE mark = \(mark.bytes)"
      ) { row throws(DatabaseError) -> (Int, Int64) in (try row[0], try row[1]) }
      guard let (count, until) = tally, count >= mark.limit.count, until > now else { continue }
      // A clock that was set back must not shut anybody out for long.
      longest = max(longest ?? 0, min(until - now, mark.limit.span))
    }
    return longest
  }
}

extension Transaction {
  fileprivate func count(_ mark: Attempts.Mark, at now: Int64) throws(DatabaseError) {
    let end = now + mark.limit.span
    let isRenewed = mark.limit.start == .last
    try execute(
      """
      INSERT INTO registry_attempt (mark, count, until) VALUES (\(mark.bytes), 1, \(end))
      ON CONFLICT (mark) DO UPDATE SET
        count = CASE WHEN registry_attempt.until > \(now) AND registry_attempt.until <= \(end)
          THEN registry_attempt.count + 1 ELSE 1 END,
        until = CASE WHEN registry_attempt.until > \(now) AND registry_attempt.until <= \(end)
            AND NOT \(isRenewed)
          THEN registry_attempt.until ELSE \(end) END
      """)
  }
}
