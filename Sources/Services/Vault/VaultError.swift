package import Machine

/// Why a secret was not sealed, not opened, or the vault itself stayed closed. There is room for paths
/// and numbers, none for a secret.
package enum VaultError: Error, Sendable, Hashable {
  package enum Thing: String, Sendable, Hashable {
    case keyTable = "key table"
    case record
  }

  // The root key.
  case wrongKey
  case missingKeyFile(path: String)
  case openToOthers(path: String)
  case folderOpenToOthers(path: String)
  case ownedBySomeoneElse(path: String)
  case isALink(path: String)
  case notAFile(path: String)
  case tooShort(path: String)
  case tooLong(path: String)
  case emptyPassphrase
  /// The table was locked with the other kind of root key.
  case otherRoot(wanted: String)
  case weakParameters
  case excessiveParameters

  // The table of data keys.
  case noKeyTable
  case keyTableExists
  case keyTableLost
  /// Another process kept changing the table, or is doing so now.
  case busy
  case keyInUse(Int)
  case tooManyKeys

  // Records.
  case damaged(Thing)
  /// Made by a newer program, or not by this one at all.
  case otherFormat(Thing)
  case unknownKey(Int)
  case secretTooLong
  case nameTooLong

  /// Nobody has handed over the passphrase yet.
  case sealed
  case file(MachineError)
  case placeFailed(String)
  /// The cryptographic library itself failed.
  case unavailable(String)
}

extension VaultError {
  /// Whether there is a key, and it is another one than the vault was locked with.
  package var isOfWrongKey: Bool {
    switch self {
    case .wrongKey, .otherRoot, .tooShort, .tooLong: true
    default: false
    }
  }
}

extension VaultError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongKey: "this is not the key the vault was locked with"
    case .missingKeyFile(let path): "the key file \(path) is missing"
    case .openToOthers(let path): "\(path) is open to others; allow its owner only (chmod 600)"
    case .folderOpenToOthers(let path): "others can replace files in \(path) (chmod go-w)"
    case .ownedBySomeoneElse(let path): "\(path) belongs to another account"
    case .isALink(let path): "\(path) is a link; name the key file itself"
    case .notAFile(let path): "\(path) is not an ordinary file"
    case .tooShort(let path): "\(path) is too short: a key has 32 bytes"
    case .tooLong(let path): "\(path) is too long: a key has 32 bytes"
    case .emptyPassphrase: "the passphrase is empty"
    case .otherRoot(let wanted): "the vault was locked with a \(wanted)"
    case .weakParameters: "the key table asks for a weaker passphrase hash than we accept"
    case .excessiveParameters: "the key table asks for more memory than we give"
    case .noKeyTable: "the vault has no key table yet"
    case .keyTableExists: "the vault has a key table already"
    case .keyTableLost:
      "the vault's table of keys is missing, and there are secrets sealed with them; restore it from a "
        + "backup"
    case .busy: "another process is changing the keys"
    case .keyInUse(let number): "key \(number) is in use"
    case .tooManyKeys: "the key table is full"
    case .damaged(let thing): "the \(thing.rawValue) is damaged"
    case .otherFormat(let thing): "the \(thing.rawValue) has a format this program does not know"
    case .unknownKey(let number): "there is no key \(number) in the vault"
    case .secretTooLong: "the secret is longer than the vault takes"
    case .nameTooLong: "the record's name is longer than the vault takes"
    case .sealed: "the vault is locked; its passphrase has not been given yet"
    case .file(let error): error.description
    case .placeFailed(let why): "the key table cannot be reached: \(why)"
    case .unavailable(let what): "\(what) is not available"
    }
  }
}

extension VaultError {
  init(keyFile error: FileError) {
    self =
      switch error {
      case .openToOthers(let path): .openToOthers(path: path)
      case .folderOpenToOthers(let path): .folderOpenToOthers(path: path)
      case .ownedBySomeoneElse(let path): .ownedBySomeoneElse(path: path)
      case .isALink(let path): .isALink(path: path)
      case .notAFile(let path), .notAFolder(let path): .notAFile(path: path)
      case .tooLarge(let path, _): .tooLong(path: path)
      case .failed(let cause) where cause.isMissing: .missingKeyFile(path: cause.subject)
      case .failed(let cause): .file(cause)
      }
  }
}
