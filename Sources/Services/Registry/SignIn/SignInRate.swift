import Database
import Synchronization

/// How many sign-ins fail in an hour at all gateways. One password that is tried with many cards from
/// many networks stays under every other count, and shows only here.
package struct SignInRate: Sendable, Hashable {
  /// The more of this hour and the one before.
  package let wrong: Int
  /// In the middle one of the hours before, up to a week; nil where not a whole day is known.
  package let usual: Int?
  /// From here on it is unusual.
  package let limit: Int

  package var isUnusual: Bool { wrong >= limit }

  /// Below it, five times the usual hour would be a few patrons with a new PIN.
  private static let least = 50
  private static let factor = 5
  private static let hoursKnown = 7 * 24

  /// By the number of the hour since 1970.
  fileprivate init(_ hours: [Int64: Int64], at hour: Int64) {
    wrong = Int(max(hours[hour] ?? 0, hours[hour - 1] ?? 0))
    let first = max(hours.keys.min() ?? hour, hour - 1 - Int64(Self.hoursKnown))
    let before = (first..<max(first, hour - 1)).map { Int(hours[$0] ?? 0) }.sorted()
    usual = before.count < 24 ? nil : before[before.count / 2]
    limit = max(Self.least, usual.map { $0 * Self.factor } ?? Self.least * Self.factor)
  }

  static var table: [SQL] {
    [
      """
      CREATE TABLE sign_in_hour (
        hour \(.integer) PRIMARY KEY, wrong \(.integer) NOT NULL)\(.strictTable)
      """
    ]
  }

  static func hour(_ moment: Int64) -> Int64 { moment / 3_600_000 }
}

/// Failures of this gateway that are still to be written: some at a time, so that a burst of them does
/// not wait for one row.
final class FailureTally: Sendable {
  private struct State {
    var count: Int64 = 0
    var writtenAt: Int64?
  }

  private let state = Mutex(State())

  /// Counts one more; what is to be written now, or nil.
  func add(at now: Int64) -> Int64? {
    state.withLock { state in
      state.count += 1
      if let last = state.writtenAt, state.count < 10, now >= last, now < last + 60_000 {
        return nil
      }
      defer { state = State(count: 0, writtenAt: now) }
      return state.count
    }
  }
}

extension Transaction {
  func addFailures(_ count: Int64, at now: Int64) throws(DatabaseError) {
    let hour = SignInRate.hour(now)
    try execute(
      """
      INSERT INTO sign_in_hour (hour, wrong) VALUES (\(hour), \(count))
      ON CONFLICT (hour) DO UPDATE SET wrong = sign_in_hour.wrong + excluded.wrong
      """)
    try execute("DELETE FROM sign_in_hour WHERE hour < \(hour - 24 * 30)")
  }
}

extension Registry {
  package func signInRate() async throws(RegistryError) -> SignInRate {
    let hour = SignInRate.hour(now())
    return try await read { snapshot throws(DatabaseError) in
      let rows = try snapshot.rows(
        "SELECT hour, wrong FROM sign_in_hour WHERE hour <= \(hour) AND hour > \(hour - 24 * 30)"
      ) { row throws(DatabaseError) -> (Int64, Int64) in (try row[0], try row[1]) }
      return SignInRate(Dictionary(rows) { one, _ in one }, at: hour)
    }
  }
}
