package import Items
package import Machine
package import Secrets

/// The part of the engine that keeps all there is: copies of it, carried to another database, and taken
/// along in open forms.
package protocol KeepingEngine: Sendable {
  /// Copies everything into one file, while a gateway goes on.
  func backUp(
    _ order: BackupCommandOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem
  /// Reads a backup to its end and proves it.
  func verifyBackup(_ path: String, passphrase: Secret?, at seat: Seat)
    async throws(ErrorItem) -> BackupItem
  func isSealedBackup(_ path: String) throws(ErrorItem) -> Bool
  /// Where a backup would be put back.
  func restorePlace(at seat: Seat) async throws(ErrorItem) -> RestorePlace
  func restore(
    _ path: String, passphrase: Secret?, at seat: Seat,
    progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem
  /// Where the tables would be carried to.
  func movePlace(_ order: MoveOrder, at seat: Seat) async throws(ErrorItem) -> RestorePlace
  /// Carries all tables into another database, and compares.
  func moveStore(
    _ order: MoveOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem
  /// What is kept of one reader or of all, in open forms and without secrets.
  func export(_ order: ExportOrder, at seat: Seat) async throws(ErrorItem) -> ExportItem
  /// Takes such a folder or archive in. What is here already stays.
  func takeIn(_ path: String, at seat: Seat) async throws(ErrorItem) -> ExportItem
}

package struct BackupCommandOrder: Sendable {
  package let path: String
  package let passphrase: Secret?
  package let withBooks: Bool

  package init(path: String, passphrase: Secret?, withBooks: Bool) {
    (self.path, self.passphrase, self.withBooks) = (path, passphrase, withBooks)
  }
}

/// What would be replaced.
package struct RestorePlace: Sendable, Hashable {
  /// A word for it, which whoever wants it replaced says again.
  package let name: String
  package let description: String
  package let isOccupied: Bool

  package init(name: String, description: String, isOccupied: Bool) {
    (self.name, self.description, self.isOccupied) = (name, description, isOccupied)
  }
}

package struct MoveOrder: Sendable {
  /// An address, as `database.url` takes it.
  package let address: Secret
  package let passwordFile: String?

  package init(address: Secret, passwordFile: String?) {
    (self.address, self.passwordFile) = (address, passwordFile)
  }
}

/// What readers take along.
package struct ExportOrder: Sendable {
  /// Nil for everybody, and the whole catalogue.
  package let reader: String?
  /// Nil for an archive, whose bytes are sent.
  package let folder: String?
  package let send: @Sendable ([UInt8]) throws(MachineError) -> Void

  package init(
    reader: String?, folder: String?,
    send: @escaping @Sendable ([UInt8]) throws(MachineError) -> Void
  ) {
    (self.reader, self.folder, self.send) = (reader, folder, send)
  }
}
