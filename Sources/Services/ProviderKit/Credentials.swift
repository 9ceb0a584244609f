package import Secrets
import Synchronization

/// What a reader gave when the account was linked, field by field: `card`, `pin`, `refresh_token`.
package struct Credentials: Sendable {
  package let fields: [String: Secret]
  private let renewed: @Sendable (String, Secret) async -> Void

  /// `renewed` is told of every field that the service replaces, before the new value is used: the
  /// old one may be void from then on.
  package init(
    _ fields: [String: Secret],
    renewed: @escaping @Sendable (_ field: String, _ value: Secret) async -> Void = { _, _ in }
  ) {
    (self.fields, self.renewed) = (fields, renewed)
  }

  package subscript(name: String) -> Secret? { fields[name] }

  package func renewable(_ name: String) -> RenewableSecret? {
    fields[name].map { first in RenewableSecret(first) { await renewed(name, $0) } }
  }
}

/// A secret that the service replaces from time to time, as refresh tokens are.
package final class RenewableSecret: Sendable {
  private let held: Mutex<Secret>
  private let keep: @Sendable (Secret) async -> Void

  package init(_ first: Secret, keep: @escaping @Sendable (Secret) async -> Void = { _ in }) {
    held = Mutex(first)
    self.keep = keep
  }

  package var current: Secret { held.withLock { $0 } }

  package func replace(by next: Secret) async {
    held.withLock { $0 = next }
    await keep(next)
  }
}
