package import Database
package import Vault

/// Why the registry did not do as it was asked. Names of accounts may stand in it, never a card number.
package enum RegistryError: Error, Sendable, Hashable {
  case database(DatabaseError)
  case vault(VaultError)
  case noSuchAccount(String)
  case noSuchPatron(String)
  case nameTaken(String)
  case badName(String)
  case noSuchDevice(String)
  case deviceNameTaken(String)
  /// The patron has as many app passwords as this gateway stores.
  case tooManyDevices(most: Int)
  /// The same card at the same library is linked already, as this account.
  case alreadyLinked(Account)
}

extension RegistryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .database(let error): error.description
    case .vault(let error): error.description
    case .noSuchAccount(let name): "there is no account \(name)"
    case .noSuchPatron(let name): "there is no patron \(name)"
    case .nameTaken(let name): "another account is called \(name)"
    case .badName(let name): "\"\(name)\" is not a name: letters, digits, - and _ only"
    case .noSuchDevice(let name): "there is no device \(name)"
    case .deviceNameTaken(let name): "another device is called \(name)"
    case .tooManyDevices(let most): "a patron has at most \(most) app passwords"
    case .alreadyLinked(let account): "this card is linked already, as \(account.name)"
    }
  }
}
