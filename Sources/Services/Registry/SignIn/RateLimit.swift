package import Crypto
package import Database
package import Secrets

/// A limit on something else than sign-ins that patrons may do only so often. It is counted as failed
/// sign-ins are: over all gateways, and under a hash with a key of the vault.
package struct RateLimit: Sendable {
  fileprivate let mark: FailedSignIns.Mark

  /// `span` is in milliseconds. Each limit has its own `kind`, also where it counts the same thing.
  package init(_ kind: String, of parts: [String], count: Int, span: Int64, key: Secret) {
    mark = FailedSignIns.Mark(
      bytes: SignInMarks.mark(kind, parts.map { Secret($0) }, key),
      limit: FailedSignIns.Limit(count: count, span: span))
  }
}

extension Transaction {
  /// Counts one more under each of these limits. Where one is full nothing is counted, and the answer is
  /// the number of seconds to wait.
  package func count(_ limits: [RateLimit], at now: Int64) throws(DatabaseError) -> Int? {
    let marks = limits.map(\.mark)
    let counts = try failedSignIns(marks, at: now)
    if let wait = counts.wait(marks) { return Int(max(1, (wait + 999) / 1000)) }
    try add(FailedSignIns.Attempt(at: now, client: 0), to: marks, counts)
    return nil
  }
}
