package import Database
package import Machine

/// Copies of all that a gateway keeps, in one file that both engines can be filled from.
///
/// In it are the rows of all tables, as lines of JSON; the files of books; and the vault's table of
/// keys, which is of no use without the root key. That one is never in it: whoever finds a backup finds
/// no PIN.
package struct Safekeeping: Sendable {
  /// Which tables there are, and what is known of them here.
  package struct Scope: Sendable {
    package let migrations: [MigrationList]
    /// What each engine makes for itself out of other tables, or is kept in a member of its own.
    package let leftOut: Set<String>
    /// What has to be told of a database whose rows came from another.
    package let settle: @Sendable (Transaction) throws(DatabaseError) -> Void

    package init(
      migrations: [MigrationList], leftOut: Set<String>,
      settle: @escaping @Sendable (Transaction) throws(DatabaseError) -> Void
    ) {
      (self.migrations, self.settle) = (migrations, settle)
      self.leftOut = leftOut.union(["carrel_migration"])
    }
  }

  /// Told on the way; a table or a book file is done.
  package struct Progress: Sendable, Hashable {
    package let what: String
    package let rows: Int
  }

  package let scope: Scope
  let tell: @Sendable (Progress) -> Void

  package init(_ scope: Scope, tell: @escaping @Sendable (Progress) -> Void = { _ in }) {
    (self.scope, self.tell) = (scope, tell)
  }

  /// A copy of a great library takes its time.
  static var patience: ContinuousClock.Instant { .now + .seconds(24 * 3600) }

  static let keys = "vault/keys"
  static let readme = "README.txt"
  /// A table is written in parts, so that none has to be held as a whole.
  static let part = 4 << 20
}

/// A file of a book by the digest of its bytes.
package struct KeptFile: Sendable, Hashable {
  package let digest: String
  package let path: String

  package init(digest: String, path: String) { (self.digest, self.path) = (digest, path) }
}
