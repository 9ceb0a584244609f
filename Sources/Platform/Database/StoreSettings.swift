/// What may be tuned about a store. The defaults suit a gateway on a small machine.
package struct StoreSettings: Sendable {
  /// For a call that names no deadline of its own.
  package var timeout: Duration = .seconds(30)
  /// How long to wait for a lock that another process holds before the answer is `.busy`.
  package var patience: Duration = .seconds(5)
  /// Connections that read beside the one that writes. SQLite only.
  package var readers = 4
  /// Connections to the server. PostgreSQL only.
  package var connections = 10
  package var durability = Durability.powerLoss
  /// Prepared statements kept for each connection.
  package var keptStatements = 200
  /// A file with the password of the database user, read at every connection so that it may change.
  /// It must be closed to others. PostgreSQL only.
  package var passwordFile: String?
  /// From when on a statement is slow; nil where nobody wants to know.
  package var slowAfter: Duration?
  /// Told of each slow statement, in the task of whoever made the call.
  package var tellSlow: @Sendable (SlowStatement) -> Void = { _ in }

  /// A copy that follows the server, for reads that may be a little old. PostgreSQL only.
  package var replica: Location?
  /// How far behind it may be; further, and the server itself is asked.
  package var replicaLag: Duration = .seconds(5)
  /// What befalls it on purpose; nil outside of tests.
  package var trial: StoreTrial?

  package init() {}

  /// What acknowledged work survives. SQLite only; a PostgreSQL server has its own setting.
  package enum Durability: Sendable, Hashable {
    /// One sync to the disk for each commit. The default: an intent that was written before a
    /// library was asked must still be there after a power cut.
    case powerLoss
    /// No sync for each commit: a killed process loses nothing, a power cut the last few commits.
    case processCrash
  }
}
