/// What the running gateway tells whoever started it, once it answers.
package struct Readiness: Sendable, Hashable {
  /// Addresses that answer now, as one would open them: `http://127.0.0.1:8080`.
  package let addresses: [String]

  package init(addresses: [String]) { self.addresses = addresses }
}

/// Why the gateway could not start or had to stop.
package struct ServeError: Error, Sendable, Hashable {
  package enum Reason: String, Sendable, CaseIterable {
    case addressInUse = "address_in_use"
    case addressRefused = "address_refused"
    case databaseUnavailable = "database_unavailable"
    case notBuilt = "not_built"
  }

  package let reason: Reason
  package let message: String

  package init(_ reason: Reason, _ message: String) { (self.reason, self.message) = (reason, message) }
}

/// Runs the gateway until its task is cancelled; then it finishes what it has begun, within
/// `server.shutdown_grace`, and returns.
package func serve(
  _ configuration: Configuration, ready: @Sendable (Readiness) -> Void
) async throws(ServeError) {
  throw ServeError(.notBuilt, "this build of carrel has no gateway")
}

/// Runs the gateway with a seeded reader and mock libraries, on loopback and in `folder` only.
package func demonstrate(
  _ configuration: Configuration, in folder: String, ready: @Sendable (Readiness) -> Void
) async throws(ServeError) {
  throw ServeError(.notBuilt, "this build of carrel has no demo")
}
