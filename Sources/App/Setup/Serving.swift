package import Items

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
    case configInvalid = "config_invalid"
  }

  package let reason: Reason
  package let message: String
  /// What came of opening the house, where that says more.
  package let cause: ErrorItem?

  package init(_ reason: Reason, _ message: String, cause: ErrorItem? = nil) {
    (self.reason, self.message, self.cause) = (reason, message, cause)
  }
}

/// Where a gateway runs: its own folder, and what the service manager handed it.
package struct GatewayPlace: Sendable {
  package let data: String
  /// What is convenient to have again, and no loss.
  package let state: String
  /// What can be fetched again.
  package let cache: String
  package let environment: [String: String]
  package let processID: Int32
  /// Settings that were read anew, whenever somebody asked for it; nil where nobody can.
  package var reloads: AsyncStream<Reload>?
  /// The release and the commit, for whoever asks which carrel runs.
  package var release = Release()

  package struct Release: Sendable, Hashable {
    package var number = ""
    package var commit = ""

    package init(number: String = "", commit: String = "") {
      (self.number, self.commit) = (number, commit)
    }
  }

  package enum Reload: Sendable {
    case settings(Configuration)
    /// They have faults: the old ones stay.
    case refused(String)
  }

  package init(
    data: String, state: String, cache: String, environment: [String: String], processID: Int32
  ) {
    (self.data, self.state, self.cache) = (data, state, cache)
    (self.environment, self.processID) = (environment, processID)
  }
}
