import Crypto
import Machine
package import Secrets

/// Where the root key comes from: the one key that is never kept beside what it protects. An
/// environment variable is not among them, since those show in process lists and in crash reports.
package enum RootSource: Sendable {
  /// 32 random bytes in a file of ours.
  case keyFile(path: String)
  /// `vault.key` in the folder a service manager names in $CREDENTIALS_DIRECTORY.
  case credentials(folder: String)
  /// Typed, or handed over a pipe. The cost counts only when a new table is locked with it.
  case passphrase(Secret, n: UInt64 = 1 << 17)

  /// A root key for a new key table, and how to find it again.
  func forNewTable() throws(VaultError) -> (RootForm, Secret) {
    switch self {
    case .keyFile, .credentials: return (.keyFile, try fileKeys()[0])
    case .passphrase(let passphrase, let n):
      let salt = try cryptographic { () throws(CryptoError) in try randomBytes(16) }
      let stretching = try Stretching(n: n, r: 8, p: 1, salt: salt)
      return (.passphrase(stretching), try stretching.key(from: passphrase))
    }
  }

  /// The keys that may have locked a table, likeliest first.
  func candidates(for form: RootForm) throws(VaultError) -> [Secret] {
    switch (self, form) {
    case (.passphrase(let passphrase, _), .passphrase(let stretching)):
      return [try stretching.key(from: passphrase)]
    case (.keyFile, .keyFile), (.credentials, .keyFile): return try fileKeys()
    case (.passphrase, .keyFile): throw .otherRoot(wanted: "key file")
    case (_, .passphrase): throw .otherRoot(wanted: "passphrase")
    }
  }

  private func fileKeys() throws(VaultError) -> [Secret] {
    switch self {
    case .keyFile(let path): return try KeyFile(path: path).candidates()
    case .credentials(let folder):
      return [try KeyFile.read("\(folder)/vault.key", guardedBy: .serviceManager)]
    case .passphrase: return []
    }
  }

  /// What can be asked again when the table was locked anew. A passphrase is not kept for that.
  var rereadable: RootSource? {
    if case .passphrase = self { nil } else { self }
  }
}

/// What the key table tells of its root key.
enum RootForm: Sendable, Hashable {
  case keyFile
  case passphrase(Stretching)
}

/// How a passphrase becomes a key. Read from a file, so a changed file must neither weaken the key
/// nor exhaust the machine.
struct Stretching: Sendable, Hashable {
  let cost: KeyDerivation.ScryptCost
  let salt: [UInt8]

  static let leastN: UInt64 = 1 << 15
  static let mostN: UInt64 = 1 << 20

  init(n: UInt64, r: UInt32, p: UInt32, salt: [UInt8]) throws(VaultError) {
    guard n >= Self.leastN, r >= 8, p >= 1, salt.count >= 16 else { throw .weakParameters }
    guard n <= Self.mostN else { throw .excessiveParameters }
    do throws(CryptoError) {
      cost = try KeyDerivation.ScryptCost(n: n, r: r, p: p)
    } catch {
      throw .excessiveParameters
    }
    self.salt = salt
  }

  func key(from passphrase: Secret) throws(VaultError) -> Secret {
    guard !passphrase.isEmpty else { throw .emptyPassphrase }
    return try cryptographic { () throws(CryptoError) in
      try KeyDerivation.scrypt(passphrase, salt: salt, cost: cost, length: AESGCM.keyLength)
    }
  }
}
