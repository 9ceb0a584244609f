package import Items
package import Secrets

/// What an authenticator app is given for a reader, told this once.
package struct CodesKey: Sendable {
  package let reader: String
  /// In groups, for whoever types it.
  package let key: Secret
  /// The same as an address that apps read.
  package let address: Secret

  package init(reader: String, key: Secret, address: Secret) {
    (self.reader, self.key, self.address) = (reader, key, address)
  }
}

/// Codes that count from now on, with those for when the app is lost, told this once.
package struct CodesBegun: Sendable {
  package let item: CodesItem
  package let spares: [Secret]

  package init(_ item: CodesItem, spares: [Secret]) { (self.item, self.spares) = (item, spares) }
}
