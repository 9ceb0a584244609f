package import Secrets

/// A device to be let in with a password of its own.
package struct DeviceOrder: Sendable, Hashable {
  package let name: String
  /// What it may do, in words; empty for everything.
  package let scopes: [String]
  /// Whether the app borrows or only downloads; nil for as it calls itself.
  package let manner: String?

  package init(name: String, scopes: [String], manner: String?) {
    (self.name, self.scopes, self.manner) = (name, scopes, manner)
  }
}

/// What it signs in with. The password is shown this once.
package struct DeviceKey: Sendable {
  package let name: String
  package let scopes: [String]
  /// The name to give beside the password.
  package let reader: String
  package let password: Secret

  package init(name: String, scopes: [String], reader: String, password: Secret) {
    (self.name, self.scopes, self.reader, self.password) = (name, scopes, reader, password)
  }
}
