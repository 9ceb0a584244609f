/// What the running gateway tells whoever started it, once it answers.
package struct Listening: Sendable, Hashable {
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
  }

  package let reason: Reason
  package let message: String

  package init(_ reason: Reason, _ message: String) {
    (self.reason, self.message) = (reason, message)
  }
}

/// Where a gateway runs: its own folder, and what the service manager handed it.
package struct GatewayPlace: Sendable {
  package let data: String
  package let environment: [String: String]
  package let processID: Int32

  package init(data: String, environment: [String: String], processID: Int32) {
    (self.data, self.environment, self.processID) = (data, environment, processID)
  }
}

/// The heavy half of the program, as the commands see it: what needs the network, the database and
/// the feeds. The small program `carrel` starts in a few milliseconds because it is not linked with
/// any of that; for a command that needs the engine it becomes `carrel-gateway`, which is.
package struct Engine: Sendable {
  package struct Library: Sendable, Hashable {
    package let name: String
    package let version: String

    package init(_ name: String, _ version: String) { (self.name, self.version) = (name, version) }
  }

  package let libraries: [Library]
  /// Runs the gateway until the task is cancelled.
  package let serve:
    @Sendable (Configuration, GatewayPlace, @escaping @Sendable (Listening) -> Void)
      async throws(ServeError) -> Void

  package init(
    libraries: [Library],
    serve:
      @escaping @Sendable (
        Configuration, GatewayPlace, @escaping @Sendable (Listening) -> Void
      ) async throws(ServeError) -> Void
  ) {
    (self.libraries, self.serve) = (libraries, serve)
  }
}
