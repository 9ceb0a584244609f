package import Machine
package import Secrets

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
