import Circulation
import Database

extension Doorkeeper {
  /// Counts a change that an app makes with its password, over all gateways. Nil where it may; where
  /// there were too many lately nothing is counted, and the answer is the number of seconds to wait.
  package func countChange(by entrant: Entrant) async throws(RegistryError) -> Int? {
    guard case .device(let name) = entrant.key,
      let key = await registry.subkey(FailedSignIns.keyLabel)
    else { return nil }
    let limits = PatronLimits.standard
    let rate = RateLimit(
      "app-password-changes", of: [entrant.patron.id.rawValue, AccountName.folded(name)],
      count: limits.changes, span: limits.changesSpan, key: key)
    let now = registry.now()
    return try await registry.write { tx throws(DatabaseError) in
      try tx.count([rate], at: now)
    }
  }
}
