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
  /// Another patron has linked it, and the library proved to neither that it is theirs.
  case linkedByAnother
  /// Of cards that no library proved, this patron has tried as many as one may for now.
  case tooManyNewCards(seconds: Int)
  /// A patron links more catalogs by their addresses than one may.
  case tooManyCatalogs(CatalogLimit)
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
    case .linkedByAnother: "another patron has linked this card"
    case .tooManyNewCards(let seconds): "too many new cards: wait \(seconds) seconds"
    case .tooManyCatalogs(let limit):
      switch limit {
      case .linked: "at most \(limit.count) catalogs can be linked by their addresses"
      case .named: "at most \(limit.count) catalogs can be linked by their addresses in 24 hours"
      }
    }
  }
}
